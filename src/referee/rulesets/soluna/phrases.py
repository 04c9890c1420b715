"""Names and phrases that Sol'una's words are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from .records import Deed

ROLLS: Final = {"pool": "the Risk", "boost": "the accuracy Risk", "attack": "the attack", "contest": "the contest"}


def name(id: str) -> str:
    """The name of a model or a side: its id as people write it."""
    return id.replace("_", " ").title()


def thing(id: str) -> str:
    """The name of a weapon, a thing, an interaction, in the middle of a sentence."""
    return id.replace("_", " ")


def listed(items: Iterable[str], last: str = "and") -> str:
    """Several names in a row: a, b and c."""
    names = list(items)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}" if names else "nothing"


def plural(number: int, what: str, more: str = "") -> str:
    """So many of something."""
    return f"{number} {what if number == 1 else more or what + 's'}"


def dice_words(dice: int, flips: int) -> str:
    """Dice and flips."""
    text = plural(dice, "die", "dice") if dice else "no dice"
    return f"{text} and {plural(flips, 'flip')}" if flips else text


def doing(interaction: str, target: str) -> str:
    """An interaction as something to do."""
    if interaction == "ready_weapon":
        return f"Get the {thing(target)} out"
    if interaction == "pick_up":
        return f"Pick up the {thing(target)}"
    return f"{thing(interaction).capitalize()} at the {thing(target)}"


def deed_facts(deed: Deed) -> tuple[Any, ...]:
    """The facts of an Action that its words tell."""
    return deed.kind, deed.name, deed.target, deed.path, deed.pool, deed.increase, deed.boost, deed.flips


def deed_words(kind: str, used: str, target: str, path: Any, pool: Any, increase: int, boost: Any, flips: str) -> str:
    """An Action with its parameters; `used` is a weapon, an interaction, a contest."""
    text = {
        "move": f"moves {' > '.join(path)}",
        "attack": f"attacks {name(target)} with the {thing(used)}",
        "interact": does(used, target),
        "contest": f"calls the contest {thing(used)} for the {thing(target)}",
        "prepare": "prepares",
        "defer": "defers",
        "hold": "holds",
    }[kind]
    if pool:
        purpose = {"move": " by Risk", "attack": ", a Combat Point by Risk"}.get(kind, "")
        text += f"{purpose} with {dice_words(*pool)}"
    if increase:
        text += f", accuracy +{increase} by Risk with {dice_words(*boost)}"
    if flips:
        text += f", preparation for {'the interaction' if kind == 'interact' else ROLLS[flips]}"
    return text


def does(interaction: str, target: str) -> str:
    """An interaction as something that somebody does."""
    if interaction == "ready_weapon":
        return f"gets the {thing(target)} out"
    if interaction == "pick_up":
        return f"reaches for the {thing(target)}"
    return f"works on the {thing(target)} ({thing(interaction)})"
