"""What a sensible player answers at once, without trying it out: for greedy bots. A few questions anywhere, nearly all in duels.

None where it should be tried out after all. Nothing here is a rule, and all of it is read from what the seat can know.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from ...engine import Choice, Game, Id, Offer
from . import duelling
from .check import Check
from .dice import RING, SKILL, SYMBOLS, counted
from .facts import endurance, figure
from .facts import sheet as sheet_of
from .keeping import Faces, keep_offers
from .likely import followed, totals
from .reckoning import WON, critical_worth, doomed, fresh, relief, risks_blow, room, stake_of, strain, threat, underway
from .rows import row_worth


def prefers(game: Game, choice: Choice) -> Offer | None:
    """The offer that a greedy bot takes at once; None where it tries all of them out."""
    answer = _ANSWERS.get(choice.about)
    if answer is None and game.table.duel:
        answer = _IN_DUELS.get(choice.about)
    return answer(game, choice) if answer is not None else None


def _first(game: Game, choice: Choice) -> Offer:
    return choice.offers[0]


def _last(game: Game, choice: Choice) -> Offer:
    return choice.offers[-1]


def _best(choice: Choice, worth: Callable[[Offer], float]) -> Offer:
    return max(choice.offers, key=worth)  # the first of equals


# Within a check


Symbols = tuple[int, int, int, int, int]
"""Skill dice and ring dice that roll on, successes, opportunities, strife."""

_BITS: Final = 6  # of each count, so that those of several dice are added as one number
_PACKED: Final = {
    (kind, face): shown.explosions << (0 if kind == SKILL else _BITS)
    | shown.successes << 2 * _BITS
    | shown.opportunities << 3 * _BITS
    | shown.strife << 4 * _BITS
    for kind in (RING, SKILL)
    for face, shown in SYMBOLS.items()
}


@lru_cache(maxsize=8192)
def _symbols(dice: Faces, limit: int, compromised: bool) -> dict[Symbols, int]:
    """What the keeps come to, with the place of the first of those that do with the fewest dice."""
    packed = [0, *[_PACKED[die] for die in dice]]
    first: dict[int, tuple[int, int]] = {}
    for place, offer in enumerate(keep_offers(dice, limit, compromised)):
        fewest = (len(offer.dice), place)
        sums = sum([packed[number] for number in offer.dice])
        first[sums] = min(first.get(sums, fewest), fewest)
    return {_unpacked(sums): place for sums, (_, place) in first.items()}


def _unpacked(sums: int) -> Symbols:
    most = (1 << _BITS) - 1
    return (
        sums & most, sums >> _BITS & most, sums >> 2 * _BITS & most, sums >> 3 * _BITS & most, sums >> 4 * _BITS,
    )  # fmt: skip


@lru_cache(maxsize=8192)
def _undominated(dice: Faces, limit: int, compromised: bool, fire: bool) -> tuple[tuple[int, Symbols], ...]:
    """The keeps, by their places, than which no other is better in all respects; in Fire strife may be good."""
    found: list[tuple[int, Symbols]] = []
    for one, place in _symbols(dice, limit, compromised).items():
        for _, other in found:
            if _outdoes(other, one, fire):
                break
        else:
            found = [each for each in found if not _outdoes(one, each[1], fire)]
            found.append((place, one))
    return tuple(found)


def _outdoes(one: Symbols, other: Symbols, fire: bool) -> bool:
    """Whether a keep is at least as good in every respect."""
    if one[4] != other[4] and (fire or one[4] > other[4]):
        return False
    return one[2] >= other[2] and one[3] >= other[3] and one[0] >= other[0] and one[1] >= other[1]


class Hopes:
    """What the symbols on a check's kept dice promise its roller."""

    __slots__ = (
        "_bleeds", "_blow", "_bought", "_calm", "_compromised", "_costs", "_fire", "_game", "_most", "_room", "_spare", "_stake",
        "_tn", "_who",
    )  # fmt: skip

    def __init__(self, game: Game, check: Check) -> None:
        record = figure(game, check.who)
        self._game = game
        self._who = check.who
        self._tn = check.tn
        self._compromised = record.compromised
        self._fire = record.stance == "fire" and check.purpose != "initiative"
        self._blow: float | None = None
        self._room = room(game, check.who)
        self._costs: dict[int, float] = {0: 0.0}
        self._calm = record.stance == "void" and check.purpose != "initiative"  # L5R-STN-8
        self._bleeds = "bleeding" in record.conditions
        self._most = _severity(game) if check.purpose == "resist" else 99
        self._stake = stake_of(game, check)
        self._spare = _spare(game, check)
        self._bought = _bought(game, check)

    def worth(self, skill: int, ring: int, successes: int, opportunities: int, strife: int) -> float:
        """What so many symbols are worth, with dice of each type still to roll on."""
        more = followed(skill, ring, self._compromised)
        missing = self._tn - successes
        if missing <= 0:
            likely = 1.0
            bonus = more.beyond[0] - missing
        elif missing < len(more.reach):
            likely = more.reach[missing]
            bonus = more.beyond[missing]
        else:
            likely = bonus = 0.0
        if self._fire:
            bonus += strife * likely
        bonus = min(bonus, self._most)
        cost = self._cost(strife)
        # A finishing blow of the foe comes before this check's success (L5R-DUEL-9), and may decide the duel.
        stake = self._stake.success * (1 - min(1.0, (self._blow or 0.0) / WON)) if strife > self._room else self._stake.success
        found = likely * stake + bonus * self._stake.bonus + 2 * successes
        if opportunities > 1 and self._bought:
            found += likely * self._bought
            opportunities -= 2
        if opportunities:
            found += self._spare + 8 * (opportunities - 1)
        return found - cost

    def _cost(self, strife: int) -> float:
        costs = self._costs
        found = costs.get(strife)
        if found is None:
            bled = _bled(self._game, self._who, strife) if self._bleeds else 0.0
            if self._calm:
                found = costs[strife] = bled
                return found
            if self._blow is None and risks_blow(self._game, self._who, strife):
                self._blow = threat(self._game, self._game.table.foes[self._who][0])
            found = costs[strife] = strain(self._game, self._who, strife, blow=self._blow) + bled
        return found


def _bled(game: Game, who: Id, strife: int) -> float:
    """What it costs one who is Bleeding to keep so much strife (L5R-COND-3)."""
    most = endurance(game, who)
    before = game.records[who].fatigue
    if before > most:
        return 0.5 * WON  # L5R-DMG-3: it cannot defend
    return 900 * strife / (most + 1) + (400.0 if before + strife > most else 0.0)


def _severity(game: Game) -> int:
    """The severity that a check resists."""
    critical = underway(game, "Critical")
    return critical.severity if critical is not None else 99


def _spare(game: Game, check: Check) -> float:
    """What an opportunity that is left over is worth."""
    attack = underway(game, "Attack") if check.purpose == "attack" else None
    if attack is not None and attack.finishing:
        return 8.0
    if check.ring == "fire":
        return 34.0
    if check.ring == "water":
        return 10 + min(36.0, relief(game, check.who, 2))
    return 18.0 if check.ring in ("earth", "air") else 8.0


def _bought(game: Game, check: Check) -> float:
    """What a critical bought with two opportunities is worth (L5R-ACT-2); 0 where none can be (L5R-STN-2)."""
    if check.technique != "strike" or not check.targets or game.records[check.targets[0]].stance == "earth":
        return 0.0
    attack = underway(game, "Attack")
    if attack is None or attack.finishing:
        return 0.0
    weapon = game.table.weapons[check.weapon]
    return critical_worth(game, check.who, weapon.deadliness)


def _check_of(game: Game) -> Check | None:
    frame = game.agenda[-1]
    return frame if isinstance(frame, Check) else None


def _keep(game: Game, choice: Choice) -> Offer | None:
    check = _check_of(game)
    if check is None:
        return None
    hopes = Hopes(game, check)
    dice, limit = choice.facts[:2]
    record = game.records[check.who]
    best, found = -1e9, 0
    for place, symbols in _undominated(dice, limit, record.compromised, record.stance == "fire"):
        worth = hopes.worth(*symbols)
        if worth > best:
            best, found = worth, place
    return choice.offers[found]


def _follow_up(game: Game, choice: Choice) -> Offer | None:
    check = _check_of(game)
    if check is None or choice.form == "keep":
        return None
    hopes = Hopes(game, check)
    kinds = [check.dice[place].kind for place in check.exploding]
    skill, ring = kinds.count(SKILL), kinds.count(RING)
    die = next(die for die in check.dice if die.fate == "rolled")
    so_far = counted(check.dice)
    face = SYMBOLS[die.face]
    dropped = hopes.worth(skill, ring, so_far.successes, so_far.opportunities, so_far.strife)
    kept = hopes.worth(
        skill + (face.explosions if die.kind == SKILL else 0), ring + (face.explosions if die.kind == RING else 0),
        so_far.successes + face.successes, so_far.opportunities + face.opportunities, so_far.strife + face.strife,
    )  # fmt: skip
    return choice.offers[0 if kept > dropped else 1]


def _void(game: Game, choice: Choice) -> Offer | None:
    check = _check_of(game)
    if check is None:
        return None
    stake = stake_of(game, check)
    compromised = game.records[check.who].compromised
    without = totals(check.ring_dice, check.skill_dice, check.limit, compromised)
    with_it = totals(check.ring_dice + 1, check.skill_dice, check.limit + 1, compromised)
    tn = min(max(0, check.tn), len(without.reach) - 2)
    gain = (with_it.reach[tn] - without.reach[tn]) * stake.success + (with_it.beyond[tn] - without.beyond[tn]) * stake.bonus
    gain += 0.08 * with_it.reach[tn] * _bought(game, check)
    return choice.offers[1 if gain > _void_price(game, check) else 0]


VOID_POINT: Final = 70.0
LAST_POINT: Final = 150.0  # more, while a finishing blow is to come


def _void_price(game: Game, check: Check) -> float:
    """What a Void point is worth for later."""
    record = figure(game, check.who)
    if record.void >= sheet_of(game, check.who).rings["void"]:
        return VOID_POINT / 2  # it could hold no further one
    foe = game.table.foes[check.who][0] if game.table.duel else ""
    attack = underway(game, "Attack") if foe and check.purpose == "attack" else None
    spared = attack is not None and not attack.finishing and record.void == 1 and fresh(game, foe) and doomed(game, foe)
    return VOID_POINT + LAST_POINT * spared


def _ring(game: Game, choice: Choice) -> Offer | None:
    check = _check_of(game)
    if check is None:
        return None
    record = figure(game, check.who)
    sheet = sheet_of(game, check.who)
    stake = stake_of(game, check)

    rings = [str(offer.value[1]) for offer in choice.offers]  # type: ignore[index]
    worths = duelling.stance_worths(game, check.who, rings) if check.purpose == "initiative" else [0.0] * len(rings)
    for place, ring in enumerate(rings):
        wounds = 3 * (f"severely_wounded_{ring}" in record.conditions) + (f"lightly_wounded_{ring}" in record.conditions)
        chances = totals(sheet.rings[ring], sheet.skills[check.skill], sheet.rings[ring], record.compromised)
        tn = min(check.tn_base + wounds, len(chances.reach) - 1)
        worths[place] += chances.reach[tn] * stake.success + chances.beyond[tn] * stake.bonus
    return choice.offers[worths.index(max(worths))]


def _reroll(game: Game, choice: Choice) -> Offer | None:
    dice, _, why, roller = choice.facts
    compromised = game.records[roller].compromised

    def lasting(number: int) -> int:
        """What a die as it lies is good for."""
        face = SYMBOLS[dice[number - 1][1]]
        if compromised and face.strife:
            return 0
        return 12 * face.successes + 10 * face.explosions + 3 * face.opportunities - face.strife

    if why == "dragon":
        return _best(choice, lambda offer: sum(lasting(number) for number in offer.dice))
    # A die that is rolled again is worth about this much; of those that would not be kept anyway each is worth a try.
    return _best(choice, lambda offer: sum(7 - lasting(number) for number in offer.dice))


def _parry(game: Game, choice: Choice) -> Offer | None:
    check = _check_of(game)
    if check is None or len(choice.offers) < 2:
        return None
    record = figure(game, check.who)
    stake = stake_of(game, check)
    found = max(each[2] + each[0] + each[1] for each in _symbols(*choice.facts[:2], record.compromised))
    chances = totals(check.ring_dice, check.skill_dice, check.limit, record.compromised)
    tn = min(check.tn, len(chances.reach) - 1)
    again = chances.reach[tn] * stake.success + chances.beyond[tn] * stake.bonus
    lying = stake.success + (found - check.tn) * stake.bonus if found >= check.tn else 0.0
    return choice.offers[1 if again - lying > 2 * VOID_POINT else 0]


def _opportunity(game: Game, choice: Choice) -> Offer | None:
    check = _check_of(game)
    if check is None:
        return None
    best, found = 0.0, choice.offers[0]
    for offer in choice.offers[1:]:
        value: Any = offer.value
        target = value[2] if len(value) > 2 else ""
        worth = row_worth(game, check, game.table.rows[value[0]], value[1], target) / offer.cost[0][0]
        if worth > best + 1e-9 or (found.value[0] == value[0] and worth > best - 1e-9):  # type: ignore[index]
            best, found = worth, offer
    return found


def _crab(game: Game, choice: Choice) -> Offer:
    severity = choice.facts[0]
    return choice.offers[1 if severity > 2 else 0]


def _crane(game: Game, choice: Choice) -> Offer:
    return _best(choice, lambda offer: offer.value[1])  # type: ignore[index, arg-type, return-value]


_ANSWERS: Final[dict[str, Callable[[Game, Choice], Offer | None]]] = {
    "order": _first,
    "void": _void,
    "reroll": _reroll,
    "parry": _parry,
    "crane": _crane,
    "crab": _crab,
    "scar": _first,
    "tell": _first,
    "wake": _last,
    "defend": _first,
    "concession": _first,
}
_IN_DUELS: Final[dict[str, Callable[[Game, Choice], Offer | None]]] = {
    "keep": _keep,
    "follow_up": _follow_up,
    "ring": _ring,
    "opportunity": _opportunity,
    "bid": duelling.bid,
    "unmask": duelling.unmask,
    "stance": duelling.stance,
    "action": duelling.action,
    "finishing_blow": duelling.blow,
    "reveal": _last,
    "stand": _first,
}
