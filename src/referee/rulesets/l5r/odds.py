"""Odds of Legend of the Five Rings: the questions of `referee odds l5r`, their answers in words, and what a check does.

The numbers are in `best`, which is imported when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from ...dice import Law
from ...engine import Choice, Event, Game, Roll
from ...engine.chances import Chart, Foresight, Odds, Option, Progress, Summary, Tools

CHECK_OPTIONS: Final = (
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
    Option("dragon", "number", "A foe may have so many dice with success rolled again (Way of the Dragon).", 0, least=0),
    Option("bonus", "fraction", "What each success above the TN is worth, if success is worth 1.", 0),
    Option("strife-cost", "fraction", "What each strife costs.", 0),
    Option("model", "word", "The order of the rules, or all explosions before the keep.", "rule", ("rule", "hindsight")),
    Option("follow-ups", "word", "How several follow-up dice are decided.", "single", ("single", "together")),
    Option("dist", "flag", "The joint law of successes, opportunities and strife."),
    Option("table", "flag", "The chance for rings 1 to 5 by skills 0 to 5."),
)


DUEL_OPTIONS: Final = (
    Option("staredown", "number", "The bids of a round of a duel: how much each should bid, and how often.", least=1),
    Option("match-ups", "flag", "Every two characters of the starter set in a duel: who wins how likely."),
    Option("duellists", "word", "With --staredown: two characters, by id.", count=2),
    Option(
        "objective", "word", "With --duellists or --match-ups: what decides the duel.", "first_strike",
        ("first_strike", "first_blood", "incapacitation", "defeat", "death"),
    ),
    Option("pool", "word", "With --staredown: dice of both, as ring+skill (3+2 if left out).", count=2),
    Option("composure", "number", "With --staredown: composure of both.", count=2, least=0),
    Option("endurance", "number", "With --staredown: endurance of both.", count=2, least=0),
    Option("focus", "number", "With --staredown: focus of both.", count=2, least=0),
    Option("damage", "number", "With --staredown: damage of both at the TN, resistance taken off.", count=2, least=0),
    Option("blow", "fraction", "With --staredown: chance that the finishing blow of each decides.", count=2),
    Option("strife", "number", "With --staredown: strife when they bid; if left out what staredowns force.", count=2, least=0),
    Option("fatigue", "number", "With --staredown: fatigue of both.", count=2, least=0),
    Option("initiative", "number", "With --staredown: initiative of both.", count=2, least=0),
    Option("lower-honour", "word", "With --staredown: whose honour is lower.", None, ("first", "second", "neither")),
)  # fmt: skip

OF_BIDS: Final = tuple(option.name for option in DUEL_OPTIONS if option.name not in ("staredown", "match-ups", "objective"))

OPTIONS: Final = (*CHECK_OPTIONS, *DUEL_OPTIONS)


def answer(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    """The chance of a check, and what else was asked; or the bids of a staredown. ValueError if the question makes no sense."""
    if asked["staredown"] is not None or asked["match-ups"]:
        named = "match-ups" if asked["match-ups"] else "staredown"
        given = next(
            (
                option.name
                for option in CHECK_OPTIONS
                if option.name != "tn" and asked[option.name] != option.default and asked[option.name] is not False
            ),
            "",
        )
        if given:
            raise ValueError(f"--{given} belongs to a check, --{named} to a duel: ask for one of them")
        if asked["match-ups"]:
            return _match_ups(asked, tools)
        from .bidding import answer

        return answer(asked, tools)
    given = next((name for name in OF_BIDS if asked[name] not in (None, ())), "")
    if given:
        raise ValueError(f"--{given} goes with --staredown ROUND")
    from .best import answer as of_check

    return of_check(asked)


def _match_ups(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    others = [name for name in (*OF_BIDS, "staredown", "tn") if asked[name] not in (None, ())]
    if others:
        raise ValueError(f"--{others[0]} does not go with --match-ups: the sheets say it all")
    from .match_ups import answer

    return answer(asked, tools)


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """The answer in lines."""
    if "match_ups" in told:
        from .match_ups import tell

        yield from tell(told)
        return
    if "staredown" in told:
        from .bidding import tell

        yield from tell(told)
        return
    if "table" in told:
        yield f"TN {told['tn']}, chances in per cent, rings down, skills across"
        yield "      " + "".join(f"{skill:>8}" for skill in told["skills"])
        for row in told["table"]:
            yield f"{row['ring']:>6}" + "".join(f"{float(chance) * 100:8.2f}" for chance in row["chances"])
        return
    wanted = f"TN {told['tn']}"
    if told["opportunity"]:
        wanted += f" with {told['opportunity']} opportunity"
    if "worth" in told:
        averages = told["averages"]
        yield (
            f"Worth {float(told['worth']):.4f} (success 1, {told['bonus']} for each above the TN, {told['strife_cost']} off "
            f"for each strife): on the average {averages['above']:.3f} above the TN and {averages['strife']:.3f} strife"
        )
    if told["max_strife"] is not None:
        wanted += f" and at most {told['max_strife']} strife"
    chance = told["chance"]
    yield f"{told['ring']} ring and {told['skill']} skill dice, keep {told['keep']}, {wanted}: {float(chance):.4%} = {chance}"
    if "note" in told:
        yield told["note"]
    for name, other in told.get("one_more", {}).items():
        more = float(other - told.get("worth", chance))
        said = f"worth {float(other):.4f} ({more:+.4f})" if "worth" in told else f"{float(other):.2%} ({more * 100:+.2f} points)"
        yield f"  with one more {name.replace('_', ' ')}: {said}"
    if "dist" in told:
        yield "successes opportunities strife"
        for entry in sorted(told["dist"], key=lambda entry: -entry["chance"])[:20]:
            yield f"{entry['successes']:>9} {entry['opportunities']:>13} {entry['strife']:>6}  {float(entry['chance']):.4%}"
        yield f"the 20 likeliest of {len(told['dist'])}; left out: {float(told['missing']):.1e}"


def chart(told: Mapping[str, Any]) -> Chart | None:
    """Bars: successes of a joint law, the table, bids, or match-ups."""
    if "match_ups" in told:
        from .match_ups import chart

        return chart(told)
    if "staredown" in told:
        from .bidding import chart

        return chart(told)
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


def summary(game: Game, roll: Roll) -> Summary | None:
    """A whole check in closed form, where nothing may come in between."""
    if roll.about not in IN_A_CHECK:
        return None
    from .summaries import summary

    return summary(game, roll)


def note(event: Event) -> tuple[str, str] | None:
    """How a check ends."""
    return ("check", event.kind) if event.kind in ("succeeds", "fails") else None


def foresee(game: Game, seat: str, progress: Progress) -> Foresight | None:
    """How secret bids are judged; None for other secret choices."""
    asked = game.asked_for.get(seat)
    if asked is None or asked.about != "bid":
        return None
    from .staredown import foresee

    return foresee(game, seat, progress)


SPANS: Final = ("Attack", "Damage", "Critical", "Deed", "CalmingBreath", "Guard", "Maneuver")
IN_A_CHECK: Final = ("check", "reroll", "follow_up")
WITHIN_A_CHECK: Final = ("void", "reserve", "share", "opportunity", "order", "follow_up", "keep", "reroll", "parry")

TOLD: Final = {
    "check": "check", "may make": "may make",
    "at": "moves to", "strife": "strife", "fatigue": "fatigue", "void": "Void points", "honour": "honour", "glory": "glory",
    "stance": "stance", "initiative": "initiative", "bid": "bid", "compromised": "Compromised", "unmasked": "unmasked",
    "out": "leaves", "conditions": "condition", "endurance_lost": "endurance lost", "scars": "scar", "dying": "rounds dying",
    "items": "gear", "effects": "effect", "predict": "predicts", "guarding": "guards", "assisting": "assists", "wait": "waits",
    "clash": "clashes with",
}  # fmt: skip
HARMS: Final = (("fatigue", 1), ("endurance_lost", 1), ("conditions", 0), ("scars", 0), ("out", 0))

ODDS: Final = Odds(
    options=OPTIONS, answer=answer, tell=tell, chart=chart, decide=decide, law=law, summary=summary, spans=SPANS,
    stops=("finishing_blow",),
    note=note, foresee=foresee, contested={"bid": False}, told=TOLD, harms=HARMS, won=("succeeds",),
)  # fmt: skip
