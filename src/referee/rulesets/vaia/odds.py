"""Odds of Midnight in Vaia: hit, half-hit and miss, the damage that comes through, Stress and burnout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb, floor
from typing import Any, Final

from ...dice import Die, Law
from ...engine import Event
from ...engine.chances import Chart, Odds, Option, Tools
from .checks import mitigated

FULL: Final = 10
"""VAIA-STR-5, VAIA-STR-6: a track at 10 means burnout."""

OPTIONS: Final = (
    Option("accuracy", "number", "Accuracy with all modifiers."),
    Option("evasion", "number", "Evasion with all modifiers."),
    Option("damage", "word", "The damage rolled: v6, v8+2, or a number."),
    Option("raw", "number", "Raw of the attacker.", 0),
    Option("focal", "fraction", "Focal of the attacker, such as 1.2.", 1),
    Option("resistance", "number", "Resistance of an armour in per cent; one for each armour.", many=True, least=0),
    Option("reduction", "number", "Reduction of an armour; one for each armour.", many=True, least=0),
    Option("flat", "number", "Flat Mitigation.", 0, least=0),
    Option("stress", "word", "The die of a Stress requirement: v4."),
    Option("times", "number", "How often it is met.", 1, least=0),
    Option("track", "number", "Stress on the track before.", 0, least=0),
)

MOST_SIDES: Final = 1_000
MOST_TIMES: Final = 1_000


def answer(asked: Mapping[str, Any], tools: Tools) -> dict[str, Any]:
    """The chances of an attack and its damage, or of Stress. ValueError if the question makes no sense."""
    attack = asked["accuracy"] is not None or asked["evasion"] is not None
    if asked["stress"] is not None:
        if attack or asked["damage"] is not None:
            raise ValueError("ask for an attack or for stress, one at a time")
        return _stress(asked)
    if not attack and asked["damage"] is None:
        raise ValueError("ask for an attack, --accuracy 3 --evasion 5, or for stress, --stress v4 --times 6")
    if attack and (asked["accuracy"] is None or asked["evasion"] is None):
        raise ValueError("an attack has both --accuracy and --evasion")
    told: dict[str, Any] = {"exact": True, "missing": Fraction(0)}
    # An action on a Subject or Victim makes no accuracy check (VAIA-HIT-3).
    results = Law.certain("hit")
    if attack:
        results = hits(asked["accuracy"], asked["evasion"])
        told |= {name: results.chance(name) for name in ("hit", "half", "miss")}
    if asked["damage"] is not None:
        damage = _damage(asked, results)
        told["mean"] = damage.mean()
        told["dist"] = [{"damage": amount, "chance": damage.chance(amount)} for amount, _ in sorted(damage.items())]
    return told


def hits(accuracy: int, evasion: int) -> Law[str]:
    """VAIA-HIT-1: (v:20) + Accuracy against Evasion: higher hits, equal half-hits, lower misses."""
    return (
        Die(20).law().map(lambda roll: "hit" if roll + accuracy > evasion else "half" if roll + accuracy == evasion else "miss")
    )


def strength(rolled: int, raw: int, focal: Fraction) -> int:
    """VAIA-DMG-1: (variable + Raw) x Focal, computed exactly, rounded down, at least 0."""
    return max(0, floor((rolled + raw) * focal))


def _damage(asked: Mapping[str, Any], results: Law[str]) -> Law[int]:
    sides, constant = _rolled(asked["damage"])
    focal = Fraction(asked["focal"])
    if focal < 0:
        raise ValueError("Focal is 0 or more")
    if any(percent > 100 for percent in asked["resistance"]):
        raise ValueError("a resistance is 0 to 100 per cent")
    armour = _armour(asked)

    def through(result: str, rolled: int) -> int:
        potency = strength(rolled + constant, asked["raw"], focal)
        # VAIA-DMG-2: first the half-hit, then armour, then Flat Mitigation.
        return mitigated(potency // 2 if result == "half" else potency, armour, asked["flat"])[0]

    rolls = Die(sides).law() if sides else Law.certain(0)
    return results.then(lambda result: rolls.map(lambda rolled: through(result, rolled)) if result != "miss" else Law.certain(0))


def _armour(asked: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    resistances, reductions = list(asked["resistance"]), list(asked["reduction"])
    count = max(len(resistances), len(reductions))
    resistances += [0] * (count - len(resistances))
    reductions += [0] * (count - len(reductions))
    return tuple(zip(resistances, reductions, strict=True))


def _rolled(text: str) -> tuple[int, int]:
    """A written amount: v6, v8+2 or 4, as die and constant."""
    read = re.fullmatch(r"v(\d{1,4})(?:\+(\d{1,4}))?|(\d{1,5})", text.strip())
    if read is None or (read[1] and not 1 <= int(read[1]) <= MOST_SIDES):
        raise ValueError(f"{text!r} is no roll: write v6, v8+2 or a number")
    return (int(read[1]), int(read[2] or 0)) if read[1] else (0, int(read[3]))


def _stress(asked: Mapping[str, Any]) -> dict[str, Any]:
    """VAIA-STR-2, VAIA-STR-3: 1 Stress each time that the die shows a 1; burnout when the track reaches 10."""
    sides, constant = _rolled(asked["stress"])
    times, track = asked["times"], asked["track"]
    if not sides or constant:
        raise ValueError(f"{asked['stress']!r} is no Stress requirement of chance: write v4")
    if times > MOST_TIMES:
        raise ValueError(f"{times} times are too many: at most {MOST_TIMES}")
    if track >= FULL:
        raise ValueError(f"a track of {track} is burnout already: 0 to {FULL - 1}")
    law = Law((gained, comb(times, gained) * (sides - 1) ** (times - gained)) for gained in range(times + 1))
    return {
        "chance": law.chance(lambda gained: gained + track >= FULL),
        "exact": True,
        "missing": Fraction(0),
        "burnout": law.chance(lambda gained: gained + track >= FULL),
        "each": Fraction(1, sides),
        "mean": law.mean(),
        "times": times,
        "track": track,
        "dist": [{"stress": gained, "chance": law.chance(gained)} for gained in sorted(law)],
    }


def tell(told: Mapping[str, Any]) -> Iterator[str]:
    """The answer in lines."""
    for name in ("hit", "half", "miss"):
        if name in told:
            yield f"{name:<6}{float(told[name]):8.2%}  {told[name]}"
    if "burnout" in told:
        yield f"each time {told['each']}; after {told['times']} times {float(told['mean']):.3f} on the average"
        yield f"burnout {float(told['burnout']):.4%} = {told['burnout']}"
    for entry in told.get("dist", ()):
        name = "damage" if "damage" in entry else "stress"
        yield f"{name} {entry[name]:>3}  {float(entry['chance']):8.3%}"
    if "mean" in told and "burnout" not in told:
        yield f"mean {float(told['mean']):.3f}"


def chart(told: Mapping[str, Any]) -> Chart | None:
    """Bars: damage or Stress, else the results of an attack."""
    if "dist" in told:
        name = "damage" if "damage" in told["dist"][0] else "stress"
        labels = tuple(str(entry[name]) for entry in told["dist"])
        return Chart(name.capitalize(), name, labels, (("chance", tuple(entry["chance"] for entry in told["dist"])),))
    names = ("hit", "half", "miss")
    return Chart("Attack", "result", names, (("chance", tuple(told[name] for name in names)),))


def note(event: Event) -> tuple[str, str] | None:
    """Whether an attack hits."""
    return ("attack", str(event.facts["result"])) if event.kind == "accuracy" else None


TOLD: Final = {
    "attack": "attack",
    "at": "moves to", "hp": "HP", "slots": "slots", "out": "leaves", "physical": "Physical Stress", "mental": "Mental Stress",
    "vocal": "Vocal Stress", "exhausted": "burnt out", "mute": "burnt out of speech", "bleed": "bleed",
    "hemorrhage": "hemorrhage", "stunned": "stunned", "slowed": "slowed", "kinds": "a trap goes off", "items": "gear",
}  # fmt: skip
HARMS: Final = (("hp", -1), ("bleed", 1), ("hemorrhage", 1), ("stunned", 1), ("slowed", 1), ("out", 0))

ODDS: Final = Odds(options=OPTIONS, answer=answer, tell=tell, chart=chart, note=note, told=TOLD, harms=HARMS, won=("hit",))
