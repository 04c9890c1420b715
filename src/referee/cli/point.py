"""`referee odds --at`: the odds of the offers at a point of a transcript, the best answer, plans, and odds confirmed by play."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..analysis.advice import Advice, Goal, advised
from ..analysis.confirm import Confirmation, confirm
from ..analysis.equilibria import lines as told_mix
from ..analysis.equilibria import mixed, plain
from ..analysis.odds import Outlook, outlooks
from ..analysis.plans import plans
from ..analysis.wording import changes, in_words, lines, percent, said
from ..content import opening
from ..content.faults import suggestion
from ..engine.chances import Chart, Odds
from ..engine.encounter import Encounter, Shown
from ..engine.errors import RefereeError
from ..engine.questions import Roll
from .charts import draw
from .progress import told as hearing
from .replay import text_of

IN_FULL: Final = 5
"""So many offers are told in full where there are more; the others in a line."""
MOST_PLAYINGS: Final = 10_000_000


class Asked(NamedTuple):
    """The options that go with --at."""

    seat: str = ""
    seconds: float = 2.0
    reactions: str = "pass"
    offer: str = ""
    goal: str = ""
    most: str = ""
    least: str = ""
    confirm: int = 0
    then: tuple[str, ...] = ()


def tell_point(at: str, asked: Asked, form: Mapping[str, Any]) -> None:
    """Prints the odds at FILE[:N], as text or JSON, and draws them where that is asked."""
    if sum(map(bool, (asked.goal, asked.most, asked.least))) > 1:
        raise RefereeError("ask for one thing: --goal, --most or --least")
    encounter, seat = _opened(at, asked.seat)
    for named in asked.then:
        seat = _answered(encounter, seat, named)
    chosen = _chosen(encounter.offers(seat), asked.offer)
    try:
        looked = outlooks(encounter, seat, asked.seconds, asked.reactions, among=chosen)  # type: ignore[arg-type]
    except ValueError as wrong:
        raise RefereeError(str(wrong)) from None
    goal = _goal(asked, looked, encounter.content.ruleset.odds)
    mix = None if goal is not None else mixed(encounter, seat, progress=hearing("reckoning"))
    advice = advised(looked, goal, mix)
    found = {id(each): _confirmed(encounter, each.offer, seat, asked) for each in advice} if asked.confirm else {}
    planned = list(plans(encounter, seat))
    odds = encounter.content.ruleset.odds
    if form["json"]:
        in_order = sorted(advice, key=lambda each: [shown.offer for shown, _ in looked].index(each.offer.offer))
        offers = [_plain(each, found.get(id(each))) for each in in_order]
        best = advice[0].offer.label
        print(json.dumps(
            spelled({
                "seat": seat, "reactions": asked.reactions, "best": best, "offers": offers, "plans": planned,
                "equilibrium": plain(mix) if mix is not None else None,
            }),
            indent=2, ensure_ascii=False,
        ))  # fmt: skip
    else:
        if mix is not None:
            print("\n".join(told_mix(mix)))
        if mix is None or asked.offer or asked.confirm:
            _print(encounter, seat, advice, asked, found)
        for each in planned:
            assert odds is not None
            for line in odds.tell(each):
                print(line)
    if form["plot"]:
        labels, values = zip(*((each.offer.label, each.value) for each in reversed(advice)), strict=True)
        draw(Chart(f"What the offers are worth to {seat}", "worth", labels, (("worth", values),)), Path(form["plot"]))


def _opened(at: str, seat: str) -> tuple[Encounter, str]:
    """The encounter at a point, and who is asked there."""
    file, entry = at, None
    head, colon, tail = at.rpartition(":")
    if colon and not Path(at).exists():
        if tail.isascii() and tail.isdigit():
            file, entry = head, int(tail)
        elif Path(head).exists():
            raise RefereeError(f"{tail!r} is no entry of a transcript: write --at {head}:N, with a whole number from 0")
    # Where dice are about to fall they fall as they did.
    encounter = opening.replay(text_of(Path(file)), entry)
    seats = encounter.asked()
    if not seats:
        standing = "dice are about to fall" if isinstance(encounter.question, Roll) else "the encounter is over"
        raise RefereeError(f"nobody is asked there: {standing}; name another entry: --at {file}:N")
    if seat and seat not in seats:
        raise RefereeError(f"{seat} is not asked there; asked: {', '.join(seats)}")
    return encounter, seat or seats[0]


def _answered(encounter: Encounter, seat: str, named: str) -> str:
    """Gives an answer first, and says who is asked then; no die falls."""
    encounter.game.dice = None
    found = _chosen(encounter.offers(seat), named)
    if len(found) > 1:
        raise RefereeError(f"{named!r} may be {' or '.join(each.label for each in found)}")
    encounter.answer(found[0], seat)
    seats = encounter.asked()
    if not seats:
        standing = "dice are about to fall" if isinstance(encounter.question, Roll) else "the encounter is over"
        raise RefereeError(f"after {found[0].label!r} nobody is asked: {standing}")
    return seat if seat in seats else seats[0]


def _chosen(offers: list[Shown], named: str) -> list[Shown]:
    """All offers, or the one of that number or label."""
    if not named:
        return offers
    labels = [each.label for each in offers]
    if named.isascii() and named.isdigit() and named not in labels:
        if not 1 <= int(named) <= len(offers):
            raise RefereeError(f"there is no offer {named}: there are {len(offers)}, from 1")
        return [offers[int(named) - 1]]
    found = [each for each, label in zip(offers, labels, strict=True) if label.casefold() == named.casefold()]
    found = found or [each for each, label in zip(offers, labels, strict=True) if named.casefold() in label.casefold()]
    if not found:
        raise RefereeError(f"there is no offer {named!r}; {suggestion(named, labels)}")
    return found


# What is wanted


def _goal(asked: Asked, looked: list[tuple[Shown, Outlook]], odds: Odds | None) -> Goal | None:
    wanted = asked.goal or asked.most or asked.least
    if not wanted:
        return None
    fits = _fitting(wanted, odds)
    found = dict.fromkeys(each for _, outlook in looked for outcome, _ in outlook.outcomes for each in outcome)
    if not any(fits(each) for each in found):
        may_come = dict.fromkeys(f"{whose} {what}".replace("_", " ") for whose, what, _ in found)
        raise RefereeError(f"nothing that may come of these offers reads {wanted!r}; there is {', '.join(may_come) or 'nothing'}")
    if asked.goal:
        return lambda outcome: int(any(fits(each) for each in outcome))
    sign = 1 if asked.most else -1
    return lambda outcome: sign * sum(each[2] for each in outcome if type(each[2]) is int and fits(each))


def _fitting(wanted: str, odds: Odds | None) -> Callable[[tuple[str, str, Any]], bool]:
    words = " ".join(wanted.replace("_", " ").casefold().split())

    def fits(change: tuple[str, str, Any]) -> bool:
        return any(words in each.casefold() for each in (in_words((change,)), changes((change,), odds).replace(":", "")))

    return fits


# In words


def _print(encounter: Encounter, seat: str, advice: list[Advice], asked: Asked, found: Mapping[int, Confirmation | str]) -> None:
    game = encounter.game
    odds = encounter.content.ruleset.odds
    choice = encounter.choice(seat)
    print(f"{seat.replace('_', ' ')}: {game.ruleset.words.about(game, choice)}")
    in_full = len(advice) if len(advice) <= IN_FULL + 1 else IN_FULL
    for place, each in enumerate(advice):
        print(f"{each.offer.label}: {_standing(each, asked)}{said(each.outlook)}")
        if place < in_full:
            for line in lines(each.outlook, odds, 30 if asked.offer else 6):
                print(f"    {line}")
        if id(each) in found:
            print(f"    {_told(found[id(each)])}")


def _standing(advice: Advice, asked: Asked) -> str:
    if asked.goal:
        return f"{percent(advice.value)} {asked.goal!r}; "
    if asked.most or asked.least:
        return f"on the average {float(advice.value if asked.most else -advice.value):+.3f} {asked.most or asked.least!r}; "
    if advice.weight is not None:
        return f"{percent(advice.weight)} of the mix; "
    return "best; " if not advice.behind else f"{float(advice.behind):,.1f} behind; "


# Confirmed by play


def _confirmed(encounter: Encounter, offer: Shown, seat: str, asked: Asked) -> Confirmation | str:
    if asked.confirm > MOST_PLAYINGS:
        raise RefereeError(f"{asked.confirm} playings are too many: at most {MOST_PLAYINGS}")
    try:
        return confirm(encounter, offer, seat, asked.confirm, asked.seconds, asked.reactions)  # type: ignore[arg-type]
    except ValueError as wrong:
        return str(wrong)


def _told(found: Confirmation | str) -> str:
    if isinstance(found, str):
        return found
    return (
        f"played {found.times} times: chi-square {found.chi_square:.2f} with {found.freedom} degrees of freedom, "
        f"so far off or farther by chance alone {percent(found.chance)}"
    )


# As data


def _plain(advice: Advice, found: Confirmation | str | None) -> dict[str, Any]:
    told_of = {"offer": advice.offer.label, "value": float(advice.value), "behind": float(advice.behind)}
    more: dict[str, Any] = told(advice.outlook)
    if isinstance(found, Confirmation):
        more["confirmation"] = {
            "times": found.times, "chi_square": found.chi_square, "freedom": found.freedom, "chance": found.chance,
            "unlisted": found.others,
        }  # fmt: skip
        for outcome, seen in zip(more["outcomes"], found.seen, strict=True):
            outcome["seen"] = seen
    elif found is not None:
        more["confirmation"] = found
    return told_of | more


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


def spelled(answer: Any) -> Any:
    """An answer for JSON: each chance as fraction and probability; `chance` among others stands at their side."""
    if isinstance(answer, Fraction):
        return {"fraction": str(answer), "probability": float(answer)}
    if isinstance(answer, Mapping):
        spelled_out: dict[str, Any] = {}
        for key, value in answer.items():
            if key == "chance":
                spelled_out.update(spelled(value) if isinstance(value, Fraction) else {key: value})
            else:
                spelled_out[str(key)] = spelled(value)
        return spelled_out
    if isinstance(answer, list | tuple):
        return [spelled(each) for each in answer]
    return answer
