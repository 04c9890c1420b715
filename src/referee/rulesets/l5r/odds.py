"""Odds of Legend of the Five Rings: the questions of `referee odds l5r`, their answers in words, and what a check does.

The numbers are in `best`, which is imported when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from ...dice import Law
from ...engine import Choice, Game, Roll
from ...engine.chances import Chart, Odds, Option, Tools

OPTIONS: Final = (
    Option("ring", "number", "Ring dice.", least=0),
    Option("skill", "number", "Skill dice.", 0, least=0),
    Option("tn", "number", "Target number.", least=0),
    Option("keep", "number", "Dice that may be kept; as many as the ring if left out.", least=1),
    Option("opportunity", "number", "Opportunities wanted besides.", 0, least=0),
    Option("max-strife", "number", "Strife at the most.", least=0),
    Option("compromised", "flag", "No die with strife may be kept."),
    Option("void", "flag", "A Void point: one ring die and one keep more."),
    Option("assist-skilled", "number", "Assistants with the skill: a skill die and a keep each.", 0, least=0),
    Option("assist-unskilled", "number", "Assistants without it: a ring die and a keep each.", 0, least=0),
    Option("distinction", "flag", "Up to two dice may be rolled again."),
    Option("adversity", "flag", "Two dice with success must be rolled again."),
    Option("model", "word", "The order of the rules, or all explosions before the keep.", "rule", ("rule", "hindsight")),
    Option("follow-ups", "word", "How several follow-up dice are decided.", "single", ("single", "together")),
    Option("dist", "flag", "The joint law of successes, opportunities and strife."),
    Option("table", "flag", "The chance for rings 1 to 5 by skills 0 to 5."),
)


def answer(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    """The chance of a check, and what else was asked. ValueError if the question makes no sense."""
    from .best import answer

    return answer(asked)


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """The answer in lines."""
    if "table" in told:
        yield f"TN {told['tn']}, chances in per cent, rings down, skills across"
        yield "      " + "".join(f"{skill:>8}" for skill in told["skills"])
        for row in told["table"]:
            yield f"{row['ring']:>6}" + "".join(f"{float(chance) * 100:8.2f}" for chance in row["chances"])
        return
    wanted = f"TN {told['tn']}"
    if told["opportunity"]:
        wanted += f" with {told['opportunity']} opportunity"
    if told["max_strife"] is not None:
        wanted += f" and at most {told['max_strife']} strife"
    chance = told["chance"]
    yield f"{told['ring']} ring and {told['skill']} skill dice, keep {told['keep']}, {wanted}: {float(chance):.4%} = {chance}"
    if "note" in told:
        yield told["note"]
    for name, other in told.get("one_more", {}).items():
        yield f"  with one more {name.replace('_', ' ')}: {float(other):.2%} ({float(other - chance) * 100:+.2f} points)"
    if "dist" in told:
        yield "successes opportunities strife"
        for entry in sorted(told["dist"], key=lambda entry: -entry["chance"])[:20]:
            yield f"{entry['successes']:>9} {entry['opportunities']:>13} {entry['strife']:>6}  {float(entry['chance']):.4%}"
        yield f"the 20 likeliest of {len(told['dist'])}; left out: {float(told['missing']):.1e}"


def chart(told: Mapping[str, Any]) -> Chart | None:
    """Bars: successes of a joint law, or the table."""
    if "table" in told:
        series = tuple((f"ring {row['ring']}", tuple(row["chances"])) for row in told["table"])
        return Chart(f"TN {told['tn']}", "skill dice", tuple(str(skill) for skill in told["skills"]), series)
    if "dist" in told:
        sums: dict[int, Fraction] = {}
        for entry in told["dist"]:
            sums[entry["successes"]] = sums.get(entry["successes"], Fraction(0)) + entry["chance"]
        shown = [number for number in sorted(sums) if sums[number] > Fraction(1, 2000)]
        return Chart("Successes", "successes", tuple(map(str, shown)), (("chance", tuple(sums[each] for each in shown)),))
    return None


def decide(game: Game, choice: Choice) -> Any:
    """The answers within a check: best keeps and rerolls for success, all follow-ups kept, nothing more spent."""
    if choice.about not in WITHIN_A_CHECK:
        return None
    from .best import decide

    return decide(game, choice)


def law(game: Game, roll: Roll) -> Law[tuple[str, ...]] | None:
    """The law of a check's dice with all rolls as one of which the same is kept; None for other rolls."""
    if roll.about != "check":
        return None
    from .best import law

    return law(game, roll)


WITHIN_A_CHECK: Final = ("void", "reserve", "share", "opportunity", "order", "follow_up", "keep", "reroll")

ODDS: Final = Odds(options=OPTIONS, answer=answer, tell=tell, chart=chart, decide=decide, law=law)
