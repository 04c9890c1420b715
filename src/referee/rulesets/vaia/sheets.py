"""Cards as the rules read them while they run: characters with their figures, actions with their single steps."""

from __future__ import annotations

from typing import Final

from ...engine import Id
from .cards import AT_TARGET, Action, Character, Deed, Placed, Rolled, Trap, name_of, verb_of

WEAPON: Final = -1
"""In the place of a die: the one of the weapon used."""

TRACKS: Final = ("physical", "mental", "vocal")
DIVISORS: Final = {"quarter": 4, "half": 2}
OCCASIONS: Final = ("accuracy", "damage", "move", "push")


def amount_of(written: int | str | None) -> tuple[int, int]:
    """A written amount as die and constant: v6+4 is (6, 4), weapon is (WEAPON, 0)."""
    if written is None:
        return 0, 0
    if isinstance(written, int):
        return 0, written
    if written == "weapon":
        return WEAPON, 0
    die, _, more = written[1:].partition("+")
    return int(die), int(more or 0)


class StepSheet:
    """One step: its verb, the occasion it makes, its die and constant, how many tiles of the same move follow it."""

    __slots__ = ("after", "aimed", "amount", "asks", "before", "branches", "die", "follow", "refill", "verb")

    def __init__(self, step: str | Deed | Rolled, follow: int = 0) -> None:
        self.verb = step if isinstance(step, str) else verb_of(step)
        occasion = self.verb if self.verb in OCCASIONS else "effect"
        self.before, self.after = f"before {occasion}", f"after {occasion}"
        self.asks = self.verb in ("move", "execute")
        self.aimed = self.verb in ("accuracy", "roll") or self.verb in AT_TARGET
        self.follow = follow
        self.die = self.amount = 0
        self.branches: tuple[tuple[int, int, tuple[StepSheet, ...]], ...] = ()
        self.refill: tuple[tuple[str, int], ...] = ()
        if isinstance(step, str):
            self.die = 20
        elif self.verb == "slowed":
            self.amount = DIVISORS[str(step.slowed)]
        elif isinstance(step, Deed) and self.verb == "roll":
            self.die = int(str(step.roll)[1:])
            self.branches = tuple(
                (branch.low, branch.high, tuple(StepSheet(deed) for deed in branch.deeds)) for branch in step.branches
            )
        elif isinstance(step, Deed) and self.verb == "refill":
            self.refill = tuple(sorted((step.refill or {}).items()))
        elif self.verb not in ("move", "redirect", "cancel", "execute", "exsanguinate"):
            self.die, self.amount = amount_of(getattr(step, self.verb))


class ActionSheet:
    """An action: requirements, steps one tile at a time, whom it is aimed at."""

    __slots__ = (
        "active_only", "aim", "attack", "beside", "by_slots", "card", "celerity", "durability", "farthest", "forced", "id",
        "item", "kind", "leading", "melee", "more_than_slots", "named", "near", "once", "reach", "redirect", "reserved", "steps",
        "stress", "when", "whom",
    )  # fmt: skip

    def __init__(self, card: Action) -> None:
        self.id = card.id
        self.card = card
        self.kind = card.kind
        self.when = card.when
        self.near = card.when is not None and (card.when.within or card.when.actor_within) is not None
        self.forced = card.forced
        self.celerity = card.celerity
        self.durability = card.durability or 0
        self.item = card.item or ""
        self.named = tuple(sorted(card.named.items()))
        # VAIA-STR-2: each track with its fixed stress or its die.
        self.stress: tuple[tuple[str, int, int], ...] = tuple(
            (track, *((amount, 0) if isinstance(amount, int) else (0, int(amount[1:]))))
            for track in TRACKS
            if (amount := getattr(card, track)) is not None
        )
        self.once = card.once
        self.active_only = card.active_only
        self.reserved = card.reserved
        self.beside = card.beside_objective
        self.melee = card.melee
        self.attack = "accuracy" in card.steps
        # VAIA-MOVE-5: reach is adjacent, range 10 tiles unless printed.
        self.reach = 1 if card.melee else card.range or 10
        self.redirect = next((str(step.redirect) for step in card.steps if isinstance(step, Deed) and step.redirect), "")
        self.by_slots = False
        steps: list[StepSheet] = []
        self.leading = 0
        for step in card.steps:
            if isinstance(step, Deed) and step.move is not None:
                self.by_slots = step.move == "by_slots"
                tiles = 1 if step.move == "by_slots" else step.move
                if not any(each.verb == "accuracy" for each in steps):
                    self.leading += tiles
                steps += [StepSheet(step, tiles - 1 - tile) for tile in range(tiles)]
            else:
                steps.append(StepSheet(step))
        self.steps = tuple(steps)
        if not (self.attack and self.melee):
            self.leading = 0
        # With the moves that come first, where the target must be when it is declared.
        self.farthest = self.reach + self.leading
        self.whom = card.target or self._whom()
        # Actions that are aimed alike have the same targets.
        self.aim = (self.whom, self.farthest if self.whom != "none" else 0)
        self.more_than_slots = bool(
            self.item or self.named or self.beside or any(track == "vocal" for track, _, _ in self.stress)
        )

    def _whom(self) -> str:
        if self.redirect == "choice":
            return "new"
        if not self.attack and not any(step.aimed for step in self.steps):
            return "none"
        return "actor" if self.kind == "trigger" else "any"


class CharacterSheet:
    """A character: its figures (VAIA-CHAR-2, VAIA-CHAR-3) and the actions on its sheet."""

    __slots__ = (
        "accuracy", "actions", "awareness", "card", "evasion", "fighting_reach", "focal", "id", "items", "max_hp", "named",
        "plain", "raw", "side", "slots",
    )  # fmt: skip

    def __init__(self, figure: Placed, card: Character, actions: dict[Id, ActionSheet], extra: tuple[Id, ...]) -> None:
        self.id = name_of(figure)
        self.card = card
        self.side = figure.side
        self.accuracy = card.accuracy
        self.awareness = card.awareness
        figures = figures_of(card)
        self.max_hp = figures["hp"]
        self.evasion = figures["evasion"]
        self.slots = figures["slots"]
        self.raw = figures["raw"]
        self.focal = figures["focal"]
        everyone = tuple(sorted(id for id, action in actions.items() if action.card.everyone))
        known = dict.fromkeys((*everyone, *card.actions, *figure.learns, *extra))
        self.actions = tuple(actions[id] for id in known)
        self.plain = tuple(action for action in self.actions if action.kind == "plain")
        hurting = [each.reach for each in self.plain if each.attack and any(step.verb == "damage" for step in each.steps)]
        self.fighting_reach = max(hurting, default=1)
        self.items = tuple(dict.fromkeys((*card.items, *figure.carries)))
        self.named: dict[str, int] = {name: (card.named | figure.named)[name] for name in sorted(card.named | figure.named)}


def figures_of(card: Character) -> dict[str, int]:
    """VAIA-CHAR-2, VAIA-CHAR-3: the figures that follow from the attributes; Focal in tenths."""
    return {
        "hp": 10 * card.strength + 7 * card.vitality,
        "evasion": max(-3, card.agility + card.awareness),
        "slots": 5 + card.agility,
        "raw": card.strength // 3 + (-(-card.agility // 2) if card.agility >= 1 else 0),
        "focal": 10 + card.accuracy + card.awareness,
    }


def tiles_for(slots: int) -> int:
    """VAIA-MOVE-2: how many tiles a Move goes for so many slots."""
    return (0, 1, 3, 5, 8)[slots] if slots <= 4 else 8 + 4 * (slots - 4)


class TrapSheet:
    """A trap: its damage as die and constant, its conditions."""

    __slots__ = ("amount", "conditions", "die", "ends_action", "id")

    def __init__(self, card: Trap) -> None:
        self.id = card.id
        self.ends_action = card.ends_action
        self.die, self.amount = amount_of(card.damage)
        self.conditions: tuple[tuple[str, int], ...] = tuple(
            (verb, DIVISORS[str(amount)] if verb == "slowed" else amount)
            for verb in ("bleed", "hemorrhage", "slowed")
            if (amount := getattr(card, verb)) is not None
        )
