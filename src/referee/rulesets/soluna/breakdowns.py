"""The numbers in an offer, line by line, and the numbers that scene files may ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ...dice.like import best_group, contest_chances, face_law, group_chance, group_law
from ...engine import Breakdown, Choice, Game, Offer
from ...engine import breakdown as explained
from .cards import RISKS
from .checks import cost_lines, dice_lines, guard_lines, marks, need_of, risk_lines
from .contests import can_differ
from .sight import blocked_lines


def breakdown(game: Game, choice: Choice, offer: Offer) -> Iterator[Breakdown]:
    """Dice and Guard of an attack, the Mind Points of a pool, the need that it is for."""
    value = offer.value
    if not isinstance(value, tuple):
        return
    table = game.table
    if value[0] == "attack":
        yield explained("dice", dice_lines(table.weapons[value[1]], 0))
        yield explained("guard", guard_lines(game, choice.who, str(value[2])))
    elif value[0] == "interact":
        card = table.interactions[value[1]]
        yield explained("need", ((card.need, card.id, card.rule),))
    elif value[0] == "increase" and value[1]:
        yield explained("dice", dice_lines(table.weapons[choice.facts[0]], int(value[1])))  # type: ignore[arg-type]
        yield explained("need", risk_lines(table.risks[RISKS[2]], int(value[1])))  # type: ignore[arg-type]
    elif value[0] == "pool":
        yield explained("mind", cost_lines((int(value[1]), int(value[2]))))  # type: ignore[arg-type]
        if choice.about in RISKS:
            deed = choice.facts[0]
            added = deed.increase if choice.about == RISKS[2] else len(deed.path)
            yield explained("need", risk_lines(table.risks[choice.about], added))
        elif choice.about == "interaction":
            card = table.interactions[choice.facts[0].name]
            yield explained("need", ((need_of(game, choice.facts[0], "pool"), card.id, card.rule),))


def lines_blocked(one: str, other: str, obstacles: list[str]) -> int:
    """SOL-ATK-5: how many of the four lines of sight are blocked, on the board of the scenarios."""
    return blocked_lines(7, 5, tuple(sorted(obstacles)))[one][other]


def sight(one: str, other: str, obstacles: list[str]) -> str:
    """SOL-ATK-5: what that means."""
    blocked = lines_blocked(one, other, obstacles)
    return "clear" if blocked < 2 else "no sight" if blocked == 4 else "Guard +1"


def chance(dice: int, flips: int, need: int) -> str:
    """The exact chance of a score of at least the need, as a fraction."""
    return str(group_chance(dice, flips, need))


def best_use(points: int, need: int) -> list[Any]:
    """SOL-MIND-1, SOL-FLIP-1: the cheapest dice and flips with the best chance of a need, and that chance."""
    ways = [(dice, flips) for dice in range(points + 1) for flips in range((points - dice) // 2 + 1)]
    best = max(ways, key=lambda pool: (group_chance(*pool, need), -pool[0] - 2 * pool[1]))
    return [list(best), str(group_chance(*best, need))]


def contest(first: tuple[int, int], second: tuple[int, int], tie: str = "no_change") -> list[str]:
    """The exact chances of a contest of two pools: the first wins, a tie, the second wins; `tie` as in `contest_tie`."""
    law: Callable[..., Any] = face_law if tie == "higher_face" else group_law
    chances = contest_chances(law(*first), law(*second))
    if tie == "reroll" and can_differ([(*first, 0), (*second, 0)]):
        decided = chances[0] + chances[2]
        return [str(chances[0] / decided), "0", str(chances[2] / decided)]
    return [str(each) for each in chances]


def score(roll: list[int], flips: int) -> list[int]:
    """SOL-FLIP-4: size and face of the best group."""
    return list(best_group(roll, flips))


def marks_of(mind: int) -> list[int]:
    """SOL-PHASE-2: the phases marked for a Mind."""
    return list(marks(mind))


CASES: Final[dict[str, Callable[..., Any]]] = {
    "lines_blocked": lines_blocked,
    "sight": sight,
    "chance": chance,
    "best_use": best_use,
    "contest": contest,
    "score": score,
    "marks": marks_of,
}
