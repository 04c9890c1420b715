"""`referee odds`: chances of a game, of a question that it declares, or of every offer at a point of an encounter."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import click
import typer

from ..analysis.odds import Outlook, outlooks
from ..analysis.plans import plan
from ..analysis.wording import lines, said
from ..content import opening, registry
from ..engine.chances import Chart, Odds, Option, Tools
from ..engine.encounter import Encounter
from ..engine.errors import RefereeError
from ..engine.questions import Roll
from ..engine.ruleset import Ruleset
from .charts import draw
from .replay import text_of

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
) -> None:
    """Exact odds of a game's questions, or of every offer at a point of a transcript."""
    words = [game, *context.args] if game else []
    if words and words[0] in ("-h", "--help"):
        print(context.get_help())
        return
    if at:
        plain = _parsed("referee odds --at", COMMON, "", words)
        _tell_point(at, seat, seconds, reactions, plain)
        return
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

    return Tools(cards, stage, plan)


def spelled(answer: Any) -> Any:
    """An answer for JSON: each chance as fraction and probability; `chance` among others stands at their side."""
    if isinstance(answer, Fraction):
        return {"fraction": str(answer), "probability": float(answer)}
    if isinstance(answer, Mapping):
        told: dict[str, Any] = {}
        for key, value in answer.items():
            if key == "chance":
                told.update(spelled(value))
            else:
                told[str(key)] = spelled(value)
        return told
    if isinstance(answer, list | tuple):
        return [spelled(each) for each in answer]
    return answer


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


# A point of a transcript


def _tell_point(at: str, seat: str, seconds: float, reactions: str, values: Mapping[str, Any]) -> None:
    file, entry = at, None
    head, colon, tail = at.rpartition(":")
    if colon and tail.isdigit() and not Path(at).exists():
        file, entry = head, int(tail)
    # Where dice are about to fall they fall as they did.
    encounter = opening.replay(text_of(Path(file)), entry)
    seats = encounter.asked()
    if not seats:
        raise RefereeError(f"nobody is asked there: {_standing(encounter)}; name another entry: --at {file}:N")
    if seat and seat not in seats:
        raise RefereeError(f"{seat} is not asked there; asked: {', '.join(seats)}")
    chosen = seat or seats[0]
    try:
        looked = outlooks(encounter, chosen, seconds, reactions)  # type: ignore[arg-type]
    except ValueError as wrong:
        raise RefereeError(str(wrong)) from None
    labels = [each.label for each, _ in looked]
    best = labels[max(range(len(looked)), key=lambda place: looked[place][1].worth)]
    if values["json"]:
        offers = [{"offer": label, **told(outlook)} for label, (_, outlook) in zip(labels, looked, strict=True)]
        answer = {"seat": chosen, "reactions": reactions, "best": best, "offers": spelled(offers)}
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    else:
        for label, (_, outlook) in zip(labels, looked, strict=True):
            print(f"{label}: {said(outlook)}")
            for line in lines(outlook):
                print(f"    {line}")
        print(f"Best for {chosen}, as the game judges: {best}")
    if values["plot"]:
        worths = tuple(outlook.worth for _, outlook in looked)
        draw(Chart(f"What the offers are worth to {chosen}", "worth", tuple(labels), (("worth", worths),)), Path(values["plot"]))


def _standing(encounter: Encounter) -> str:
    if isinstance(encounter.question, Roll):
        return "dice are about to fall"
    return "the encounter is over"


def told(outlook: Outlook) -> dict[str, Any]:
    """An outlook as plain data."""
    return {
        "exact": outlook.exact,
        "missing": outlook.missing,
        "samples": outlook.samples,
        "worlds": outlook.worlds,
        "agreed": outlook.agreed,
        "worth": float(outlook.worth),
        "outcomes": [
            {
                "chance": chance,
                "interval": outlook.interval(lambda each, outcome=outcome: each == outcome),  # type: ignore[misc]
                "changes": [{"whose": whose, "what": what, "value": value} for whose, what, value in outcome],
            }
            for outcome, chance in outlook.outcomes
        ],
    }
