"""`referee rules`: the numbered rules of a game, where each is carried out, and what is not tested."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..content import Statement, registry, rulebook
from ..content.faults import nearest
from ..engine import RefereeError, Ruleset
from . import FAILED

if TYPE_CHECKING:
    from ..testkit.coverage import Coverage

_WIDE = 96


def rules(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="A ruleset; all if none is named.")] = None,
    id: Annotated[str | None, typer.Argument(metavar="ID", help="One statement, such as MOR-ADV-5.")] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="What is uncited and untested.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the numbered rules of a game, one of them with the places that carry it out, or what no scene tests."""
    rulesets = [registry.get(each) for each in ([game] if game else registry.ids())]
    if id is not None:
        _one(rulesets[0], id, as_json=as_json)
    elif coverage:
        _coverage(rulesets, single=game is not None, as_json=as_json)
    else:
        _all(rulesets, single=game is not None, as_json=as_json)


def _one(ruleset: Ruleset, id: str, *, as_json: bool) -> None:
    from ..testkit.coverage import places

    book = rulebook(ruleset)
    statement = book.statements.get(id.upper())
    if statement is None:
        near = nearest(id.upper(), book.statements)
        right = f'did you mean "{near}"?' if near else f"`referee rules {ruleset.id}` lists them"
        raise RefereeError(f'{ruleset.title} has no statement "{id}"; {right}')
    found = places(ruleset, statement.id)
    if as_json:
        cited = [asdict(place) for place in found]
        print(
            json.dumps({**_facts(statement), "policies": list(statement.policies), "cited": cited}, indent=2, ensure_ascii=False)
        )
        return
    print(f"{statement.id}  {statement.section}")
    print(textwrap.fill(statement.text, _WIDE, initial_indent="  ", subsequent_indent="  "))
    print(f"  basis: {', '.join(statement.basis)}{' (informative)' if statement.informative else ''}")
    for name in statement.policies:
        values = (
            ", ".join(json.dumps(value).strip('"') for value in ruleset.policies[name].values) if name in ruleset.policies else ""
        )
        print(f"  policy {name}: {values} ({book.policies[name]})")
    for place in found:
        print(f"  cited in {place}")
    if not found and not statement.informative:
        print("  cited nowhere")


def _facts(statement: Statement) -> dict[str, Any]:
    names = ("id", "text", "basis", "informative", "section")
    return {name: getattr(statement, name) for name in names}


def _all(rulesets: list[Ruleset], *, single: bool, as_json: bool) -> None:
    books = [(ruleset, rulebook(ruleset)) for ruleset in rulesets]
    if as_json:
        told = {ruleset.id: {"statements": [_facts(each) for each in book.statements.values()]} for ruleset, book in books}
        print(json.dumps(told[rulesets[0].id] if single else told, indent=2, ensure_ascii=False))
        return
    for ruleset, book in books:
        section = ""
        print(book.title if single else f"{ruleset.id}: {len(book.statements)} statements, {len(book.examples)} examples")
        for statement in book.statements.values() if single else ():
            if statement.section != section:
                section = statement.section
                print(f"\n{section}")
            head = f"  {statement.id:<14} "
            print(textwrap.fill(statement.text, _WIDE, initial_indent=head, subsequent_indent=" " * len(head)))


def _coverage(rulesets: list[Ruleset], *, single: bool, as_json: bool) -> None:
    from ..testkit.coverage import coverage, undocumented
    from ..testkit.running import run_scenes

    told = {}
    gaps = 0
    for ruleset in rulesets:
        report = run_scenes(ruleset)
        found = coverage(ruleset, report)
        told[ruleset.id] = found.as_json()
        gaps += found.gaps + len(report.failed)
        if not as_json:
            _summary(ruleset, found, len(report.outcomes), len(report.failed), undocumented(ruleset, rulebook(ruleset), report))
    if as_json:
        print(json.dumps(told[rulesets[0].id] if single else told, indent=2, ensure_ascii=False))
    if gaps:
        raise typer.Exit(FAILED)


def _summary(ruleset: Ruleset, found: Coverage, scenes: int, failed: int, unknown: tuple[str, ...]) -> None:
    needed = len(found.statements)
    print(f"{ruleset.title}: {needed} statements, {len(found.informative)} more only explain; {scenes} scenes, {failed} failed")
    print(f"  cited     {needed - len(found.uncited):>4} of {needed}")
    print(f"  tested    {needed - len(found.untested):>4} of {needed}")
    for name, ids in (
        ("uncited", found.uncited),
        ("untested", found.untested),
        ("policies no scene plays", found.policies),
        ("cited, but no statement", unknown),
    ):
        if ids:
            print(
                textwrap.fill(
                    ", ".join(ids), _WIDE, initial_indent=f"  {name}: ", subsequent_indent="    ", break_on_hyphens=False
                )
            )
