"""How things are called: figures, cards, faces of dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

GLYPHS: Final = {"S": "●", "E": "✸", "O": "◇", "T": "▲", "-": "·"}
"""Symbols of the faces; the letters stand beside them for those who see none."""


def name(id: str) -> str:
    """The name of a figure: its id as people write it."""
    return id.replace("_", " ").title()


_SPELLED: Final = {
    "zanbato": "zanbatō", "otsuchi": "ōtsuchi", "tetsubo": "tetsubō", "chokuto": "chokutō", "daikyu": "daikyū",
    "warriors_resolve": "warrior's resolve",
}  # fmt: skip


def side_name(side: str) -> str:
    """The name of a side at the beginning of a sentence."""
    return f"The {side} side" if side in ("first", "second") else name(side)


def state_name(id: str) -> str:
    """The name of a condition: bleeding, Severely Wounded (Air)."""
    how, _, ring = id.rpartition("_")
    return f"{proper(how)} ({ring.title()})" if how.endswith("_wounded") else thing(id)


def thing(id: Any) -> str:
    """The name of a card or a condition in the middle of a sentence."""
    return _SPELLED.get(str(id), str(id).replace("_", " "))


def title(id: Any) -> str:
    """The name of a card at the beginning of a line."""
    words = thing(id)
    return words[:1].upper() + words[1:]


def proper(id: Any) -> str:
    """The name of a technique: Rising Blade, Way of the Crane."""
    words = thing(id).split()
    return " ".join(word if word in ("as", "of", "the") else word[:1].upper() + word[1:] for word in words)


def listed(items: Iterable[str], last: str = "and") -> str:
    """Several names in a row: a, b and c."""
    all_of = list(items)
    return all_of[0] if len(all_of) == 1 else f"{', '.join(all_of[:-1])} {last} {all_of[-1]}" if all_of else "nothing"


def face(letters: str) -> str:
    """A face with its letters and symbols: {ST ●▲}."""
    if letters == "-":
        return "{ }"
    return f"{{{letters} {''.join(GLYPHS[letter] for letter in letters)}}}"


def die(kind: str, letters: str) -> str:
    """A die with its type."""
    return f"{kind} {face(letters)}"


def dice_row(dice: Any) -> str:
    """Dice in a row, ring dice first."""
    parts = []
    for kind in ("ring", "skill"):
        faces = [face(letters) for each, letters in dice if each == kind]
        if faces:
            parts.append(f"{kind} {' '.join(faces)}")
    return " | ".join(parts) or "none"


def numbered(dice: Any) -> str:
    """Dice in a row with the numbers by which they are named."""
    parts = []
    for kind in ("ring", "skill"):
        faces = [f"{number}:{face(letters)}" for number, (each, letters) in enumerate(dice, 1) if each == kind]
        if faces:
            parts.append(f"{kind} {' '.join(faces)}")
    return " | ".join(parts) or "none"


def verb_with(words: str, target: str, weapon: str) -> str:
    """An attack: by what, on whom, with what."""
    return f"{words}: {target}, with {weapon}"
