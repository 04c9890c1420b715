"""Two duellists of an encounter as the abstract duel sees them: what their turns and finishing blows come to.

Each turn is a Strike with the best weapon, in the stance of one of its rings, with one of a few goals for the keep; numbers
come from the sheets, gear and the very dice of the game. For rounds to come it is assumed that weapons are in hand, the TN is the
base, and nobody's stance bears on the foe's check. For the round that is being played the TN is that of now, and a sheathed
blade must be drawn: in the Water stance, or with an Iaijutsu Cut (L5R-STN-7, L5R-TEC-9). No opportunity is spent but for a
critical strike or a sharper edge; resist checks are made with the best ring.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ...dice.goals import Goal
from ...dice.joint import joint
from ...dice.keep import Keep, Throw
from ...engine import Game, Id, total
from .attack import AttackValue, attack_check, grip_of
from .best import DICE
from .duel_table import Deed, Duel, Duellist, First, Outcome
from .facts import armour_value, endurance, figure, weapon_numbers
from .interrupts import rank_among
from .numbers import tn_lines

STRIKE_TN: Final = 2
"""L5R-ACT-1."""
CRITICAL: Final = 2
"""Opportunities that buy a critical strike (L5R-ACT-2)."""
NEEDED: Final = {"first_strike": 0, "first_blood": 5, "incapacitation": 99, "defeat": 12, "death": 12}
"""The final severity that meets an objective (L5R-DUEL-15 to L5R-DUEL-19, L5R-DMG-15)."""
FEWEST: Final = 1e-9
"""Outcomes rarer than this are left out, and the others raised to make up for it."""

Law = tuple[tuple[int, int, int, float], ...]
"""Successes, opportunities, strife, and the chance of that."""

Wanted = tuple[int, int, int | None]
"""Successes and opportunities at least, strife at most."""


def goals(objective: str, deadliness: int, tn: int, *, calm: bool) -> dict[str, Wanted]:
    """What the keep of a Strike may be made for: to hit, to buy a critical strike that counts, to hit without strife."""
    found: dict[str, Wanted] = {"hit": (tn, 0, None)}
    if NEEDED[objective] <= deadliness:
        found["critical"] = (tn, CRITICAL, None)
    if calm:
        found["calm"] = (tn, 0, 0)
    return found


@lru_cache(maxsize=256)
def law_of(ring: int, skill: int, goal: Wanted, barred: bool, keep: int = 0) -> Law:
    """What a check comes to when the keep is the best for reaching a goal, then for more successes; `keep` dice, else `ring`."""
    law = joint(Keep(Throw(DICE, (ring, skill), keep or ring), Goal.reach(*goal), barred=barred, whole=True), extra=8)
    rows = [(*symbols, weight / law.total) for symbols, weight in law.items() if weight / law.total > FEWEST]
    total = sum(row[3] for row in rows)
    return tuple((*row[:3], row[3] / total) for row in rows)


def duel_of(game: Game, *, now: bool = False) -> Duel:
    """The duel of an encounter as the abstract table sees it: numbers of sheets and gear, initiative and honour as they are.

    `now`: for the turns of the round that is being played.
    """
    one, other = game.table.order
    ranks = rank_among(game, one), rank_among(game, other)
    ties: First = "chance" if ranks[0] == ranks[1] else "first" if ranks[0] < ranks[1] else "second"
    return Duel(
        duellist(game, one, now=now), duellist(game, other, now=now),
        lead=game.records[one].initiative - game.records[other].initiative,
        ties=ties,
        rounds=game.policy["max_rounds"],
        per_event=game.policy["finishing_blow_limit"] == "per_event",
        downed=game.table.objective == "incapacitation",
    )  # fmt: skip


def duellist(game: Game, who: Id, *, now: bool = False) -> Duellist:
    """One side of it."""
    sheet = game.table.sheets[who]
    attacks = list(_attacks(game, who, now))
    highest = max(sheet.rings, key=sheet.rings.__getitem__)
    deeds = [deed for attack in attacks for ring, rank in _stances(attack, sheet.rings) for deed in attack.deeds(ring, rank)]
    strained = [
        deed
        for attack in attacks
        for ring in ("water" if attack.draws else highest,)
        for deed in attack.deeds(ring, sheet.rings[ring], strained=True)
    ]
    blows = [attack for attack in attacks if not attack.draws and not attack.technique]
    if not blows:
        blows = [Blade(game, who, card, "", now=now) for card in game.table.bodies]
    blow = max(each.blow(ring, rank) for each in blows for ring, rank in sheet.rings.items())
    return Duellist(sheet.composure, endurance(game, who), sheet.focus, tuple(deeds), tuple(strained), blow)


def _stances(attack: Blade, rings: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Rings that are worth a stance: of Air and Earth, which do nothing for an attack, only one better than Water."""
    plain = max("air", "earth", key=rings.__getitem__)
    for ring in ("fire", "water", "void", plain):
        if (ring != plain or rings[ring] > rings["water"]) and (ring == "water" or not attack.draws):
            yield ring, rings[ring]


def attacks_in(game: Game, who: Id, ring: str, attack: AttackValue = (), *, strained: bool) -> list[tuple[Wanted, Deed]]:
    """The attacks that a figure can make now in a stance, or the one under way, each with what the keep is made for."""
    rank = game.table.sheets[who].rings[ring]
    blades = [each for each in _attacks(game, who, True) if ring == "water" or not each.draws]
    if attack:
        name, _, card = attack[:3]
        blades = [Blade(game, who, card, grip_of(game, who, attack), now=True, technique="" if name == "strike" else name)]
    return [
        found
        for blade in blades
        for found in zip(blade.goals(ring, strained=strained).values(), blade.deeds(ring, rank, strained=strained), strict=True)
    ]


def _attacks(game: Game, who: Id, now: bool) -> Iterator[Blade]:
    """The best weapon; for now, if it is sheathed, the ways to draw it and attack."""
    weapons = game.table.weapons
    held = [item for item in figure(game, who).items if item.card in weapons and item.harm != "destroyed"]
    ready = [item for item in held if item.state in ("1h", "2h")]
    if not now or ready:
        chosen = [(item.card, grip) for item in (ready or held) for grip in _grips(weapons[item.card])]
        card, grip = max(chosen or [("kick", "")], key=lambda each: weapon_numbers(game, who, *each)[::-1])
        yield Blade(game, who, card, grip, now=now)
        return
    for item in held:
        for grip in _grips(weapons[item.card]):
            yield Blade(game, who, item.card, grip, now=True, draws=True)
        for name in game.table.sheets[who].techniques:
            card_of = game.table.techniques[name]
            if card_of.attack is not None and card_of.attack.iaijutsu and weapons[item.card].iaijutsu:
                yield Blade(game, who, item.card, "1h", now=True, technique=name)
    if not held:
        yield Blade(game, who, "kick", "", now=True)


def met_by(game: Game, victim: Id, severity: int) -> float:
    """The chance that a critical strike of this severity meets the objective, now that the victim resists it as it stands."""
    sheet, record = game.table.sheets[victim], game.records[victim]
    rank = sheet.rings[record.stance] if record.stance else max(sheet.rings.values())
    return meets(rank, sheet.skills["fitness"], record.compromised, severity, NEEDED[game.table.objective])


@lru_cache(maxsize=1024)
def meets(ring: int, fitness: int, compromised: bool, severity: int, needed: int) -> float:
    """The chance that so much of a severity is left: a resist check takes off its successes (L5R-DMG-9)."""
    law = law_of(ring, fitness, (1, 0, None), compromised)
    return sum(chance for successes, _, _, chance in law if severity - successes >= needed) if needed else 1.0


class Blade:
    """A duellist's weapon against its foe."""

    def __init__(
        self, game: Game, who: Id, card: Id, grip: str, *, now: bool = False, draws: bool = False, technique: Id = ""
    ) -> None:
        self.game = game
        self.who = who
        self.card = card
        self.draws = draws
        self.technique = technique
        self.foe: Id = game.table.foes[who][0]
        self.now = now
        self.damage, self.deadliness = weapon_numbers(game, who, card, grip)
        self.razor = "razor_edged" in game.table.qualities[card]
        self.skill = game.table.sheets[who].skills[game.table.weapons[card].skill]
        self.resistance = armour_value(game, self.foe, "physical")[0]
        self.most = endurance(game, self.foe) + 1
        self.objective = game.table.objective
        sheet = game.table.sheets[self.foe]
        self.resist = max(sheet.rings.values()), sheet.skills["fitness"]

    def meets(self, severity: int) -> float:
        """The chance that a critical strike of this severity meets the objective."""
        return meets(*self.resist, False, severity, NEEDED[self.objective])

    def tn(self, ring: str) -> int:
        """The TN of an attack: the base, or for now with all that raises and lowers it."""
        if not self.now:
            return STRIKE_TN
        check = attack_check(self.game, self.who, (self.technique or "strike", self.foe, self.card), ring)
        return total(tn_lines(self.game, check, declared=False), 1)

    def goals(self, ring: str, *, strained: bool) -> dict[str, Wanted]:
        """What the keep of an attack in a stance may be made for."""
        calm = not strained and ring != "void"
        return goals(self.objective, self.deadliness if self._critical else -1, self.tn(ring), calm=calm)

    @property
    def _critical(self) -> bool:
        # L5R-STN-2: against the Earth stance no opportunity buys a critical strike.
        return not self.technique and not (self.now and self.game.records[self.foe].stance == "earth")

    def deeds(self, ring: str, rank: int, *, strained: bool = False) -> list[Deed]:
        """Attacks in a stance, one for each goal; `strained`: while Compromised (L5R-DICE-18)."""
        tn = self.tn(ring)
        return [
            Deed(
                f"{ring} {name}",
                self._outcomes(law_of(rank, self.skill, goal, strained), tn, ring, rank, self._critical),
                calms=ring == "water" and not self.draws,
            )
            for name, goal in self.goals(ring, strained=strained).items()
        ]

    def _outcomes(self, law: Law, tn: int, ring: str, rank: int, critical: bool) -> tuple[Outcome, ...]:
        attack = self.game.table.techniques[self.technique].attack if self.technique else None
        base = self.damage if attack is None or attack.damage == "base" else self.deadliness
        merged: dict[tuple[int, int, float, float], float] = {}
        for successes, opportunities, strife, chance in law:
            hit = successes >= tn
            bonus = successes - tn + (strife if ring == "fire" else 0) if attack is None or attack.bonus else 0
            damage = min(max(0, base + bonus - self.resistance), self.most) if hit else 0
            bought = hit and critical and opportunities >= CRITICAL
            wins = self.meets(self.deadliness + self.razor * (opportunities - CRITICAL)) if bought else 0.0
            key = (0 if ring == "void" else min(strife, rank + 1), damage, wins, max(wins, self._ends(damage)))
            merged[key] = merged.get(key, 0.0) + chance
        return tuple(Outcome(chance, *key) for key, chance in sorted(merged.items()))

    def _ends(self, damage: int) -> float:
        """What damage does to one who cannot defend: a critical strike, and Unconscious (L5R-DMG-3, L5R-DMG-17)."""
        if not damage:
            return 0.0
        return 1.0 if self.objective == "defeat" else self.meets(self.deadliness)

    def blow(self, ring: str, rank: int) -> float:
        """The chance of a finishing blow in a stance: severity twice the deadliness, and bonus successes (L5R-DUEL-11)."""
        found = 0.0
        for successes, _, strife, chance in law_of(rank, self.skill, (STRIKE_TN, 0, None), False):
            if successes >= STRIKE_TN:
                bonus = successes - STRIKE_TN + (strife if ring == "fire" else 0)
                found += chance * self.meets(2 * self.deadliness + bonus)
        return min(found, 1.0)


def _grips(weapon: Any) -> tuple[str, ...]:
    return tuple(grip for grip, added in (("1h", weapon.one_hand), ("2h", weapon.two_hands)) if added is not None) or ("",)


class Sketch(NamedTuple):
    """An attack by a few numbers: ring and skill dice, the TN, the damage at the TN, the chance of a finishing blow."""

    pool: tuple[int, int]
    tn: int
    damage: int
    blow: float


def sketched(attack: Sketch, derived: tuple[int, int, int], theirs: int) -> Duellist:
    """A duellist in a duel to the first strike, in one stance: two opportunities and a hit decide.

    `derived`: composure, endurance, focus; `theirs`: the foe's endurance.
    """
    deeds: dict[bool, tuple[Deed, ...]] = {}
    for strained in (False, True):
        made = []
        for name, goal in goals("first_strike", 0, attack.tn, calm=not strained).items():
            merged: dict[tuple[int, int, float, float], float] = {}
            for successes, opportunities, strife, chance in law_of(*attack.pool, goal, strained):
                hit = successes >= attack.tn
                harm = min(attack.damage + successes - attack.tn, theirs + 1) if hit else 0
                wins = float(hit and opportunities >= CRITICAL)
                key = (min(strife, attack.pool[0] + 1), harm, wins, max(wins, float(harm > 0)))
                merged[key] = merged.get(key, 0.0) + chance
            made.append(Deed(name, tuple(Outcome(chance, *key) for key, chance in sorted(merged.items()))))
        deeds[strained] = tuple(made)
    return Duellist(*derived, deeds[False], deeds[True], attack.blow)
