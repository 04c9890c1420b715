"""`referee odds`: chances of a game, of a question that it declares, or of every offer at a point of an encounter."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import click
import typer

from ..analysis.plans import plan
from ..content import registry
from ..engine.chances import Odds, Option, Tools
from ..engine.encounter import Encounter
from ..engine.errors import RefereeError
from ..engine.ruleset import Ruleset
from .charts import draw
from .point import Asked, spelled, tell_point
from .progress import told

# What follows on the game's name belongs to that game, its --help too.
SETTINGS = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}

COMMON = (
    Option("json", "flag", "Print JSON."),
    Option("plot", "word", "Draw the answer into FILE (SVG or PNG)."),
)


def odds(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game; its own options follow: referee odds GAME --help.")] = "",
    at: Annotated[str, typer.Option("--at", metavar="FILE[:N]", help="Every offer after entry N of a transcript.")] = "",
    seat: Annotated[str, typer.Option("--seat", metavar="NAME", help="With --at: whose offers.")] = "",
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, max=600, help="With --at: work to be done.")] = 2.0,
    reactions: Annotated[str, typer.Option("--reactions", help="With --at: how others react: pass, greedy, worst.")] = "pass",
    offer: Annotated[str, typer.Option("--offer", metavar="TEXT", help="With --at: only offers of this number or wording.")] = "",
    then: Annotated[
        list[str] | None, typer.Option("--then", metavar="TEXT", help="With --at: an answer that is given first; many times.")
    ] = None,
    goal: Annotated[str, typer.Option("--goal", metavar="TEXT", help="With --at: best for the chance of a change.")] = "",
    most: Annotated[str, typer.Option("--most", metavar="TEXT", help="With --at: best for more of something.")] = "",
    least: Annotated[str, typer.Option("--least", metavar="TEXT", help="With --at: best for less of something.")] = "",
    confirm: Annotated[
        int | None, typer.Option("--confirm", metavar="TIMES", min=1, help="With --at: play each offer so often.")
    ] = None,
) -> None:
    """Exact odds of a game's questions, or of every offer at a point of a transcript."""
    words = [game, *context.args] if game else []
    asked = Asked(seat, seconds, reactions, offer, goal, most, least, confirm or 0, tuple(then or ()))
    if words and words[0] in ("-h", "--help"):
        print(context.get_help())
        return
    if at:
        plain = _parsed("referee odds --at", COMMON, "", words)
        tell_point(at, asked, plain)
        return
    if asked != Asked():
        named = next(name for name, value in asked._asdict().items() if value != getattr(Asked(), name))
        raise RefereeError(f"--{named} goes with --at FILE[:N]")
    game = next((word for word in words if not word.startswith("-")), "")
    if not game:
        raise RefereeError("name a game, or a point of a transcript: referee odds GAME, referee odds --at FILE:N")
    words.remove(game)
    ruleset = registry.get(game)
    if ruleset.odds is None:
        raise RefereeError(f"{ruleset.title} declares no questions of odds; --at FILE[:N] works for every game")
    values = _parsed(f"referee odds {game}", (*ruleset.odds.options, *COMMON), ruleset.odds.subject, words)
    try:
        answer = ruleset.odds.answer(values, _tools(ruleset))
    except ValueError as wrong:
        raise RefereeError(str(wrong)) from None
    if values["json"]:
        print(json.dumps(spelled(answer), indent=2, ensure_ascii=False))
    else:
        for line in ruleset.odds.tell(answer):
            print(line)
    if values["plot"]:
        _plot(ruleset.odds, answer, values["plot"])


def _tools(ruleset: Ruleset) -> Tools:
    """Imported when a question calls for them: most are answered without reading a card."""

    def cards(kind: str) -> Mapping[str, Any]:
        from ..content.shelf import fill

        return fill(ruleset, registry.card_files(ruleset)).sound().get(kind, {})

    def stage(described: Mapping[str, Any], given: Mapping[str, Any]) -> Encounter:
        from ..testkit.scenes import arranged
        from ..testkit.staging import stage as staged

        return Encounter.start(arranged(staged(ruleset, described, given=given), given), real_dice=True)

    return Tools(cards, stage, plan, told("reckoning"))


def _plot(odds: Odds, answer: Mapping[str, Any], file: str) -> None:
    chart = odds.chart(answer)
    if chart is None:
        raise RefereeError("this answer is a single number or a text; there is nothing to draw")
    draw(chart, Path(file))


# Options


def _parsed(name: str, options: Sequence[Option], subject: str, words: list[str]) -> dict[str, Any]:
    """The values of a game's options. click says what is wrong with them."""
    parameters: list[click.Parameter] = [_parameter(option) for option in options]
    if subject:
        parameters.insert(0, click.Argument(["subject"], metavar=subject, required=False))
    command = click.Command(name, params=parameters, context_settings={"help_option_names": ["-h", "--help"]})
    with command.make_context(name, words) as context:
        return {key.replace("_", "-"): value for key, value in context.params.items()}


def _parameter(option: Option) -> click.Option:
    name = f"--{option.name}"
    if option.kind == "flag":
        return click.Option([name], is_flag=True, help=option.help)
    kind: Any = {"number": click.INT, "fraction": FRACTION, "word": click.STRING}[option.kind]
    if option.among:
        kind = click.Choice(option.among)
    if option.kind == "number" and option.least is not None:
        kind = click.IntRange(min=option.least)
    return click.Option(
        [name],
        type=kind,
        nargs=option.count,
        multiple=option.many,
        default=None if option.many else option.default,
        help=option.help,
        show_default=option.default is not None,
    )


class _FractionType(click.ParamType[Fraction]):
    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        if isinstance(value, Fraction | int):
            return Fraction(value)
        try:
            return Fraction(str(value).replace(" ", ""))
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is no number: write 1/5, 0.2 or 2", param, ctx)


FRACTION = _FractionType()
