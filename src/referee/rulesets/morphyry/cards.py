"""What may stand on Morphyry's cards and in its scenarios. The cards themselves are in `cards/*.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from ...engine import Card, Content, Grid, Problem, Ref, Scenario

Attribute = Literal["corpus", "electra", "spiritum"]
Damage = Literal["crush", "cut", "burn", "draining", "soul"]
Tag = Literal[
    "attack",
    "martial_attack",
    "weapon_attack",
    "spell_attack",
    "acrobatic_manoeuvre",
    "martial_manoeuvre",
    "standard_movement",
    "counter",
    "jump",
    "spell",
]
TAGS: Final = Tag.__args__  # type: ignore[attr-defined]
DERIVED: Final = ("speed", "stride", "summoning")
"""Derived attributes that are no name of an action on a card, or need not be."""

Pips = Annotated[int, Meta(ge=3, le=5, description="printed strength, 3 to 5")]
Rule = Annotated[str, Meta(pattern=r"^(MOR-[A-Z]+-\d+)?$", description="the rule that the card is named in")]
Modifiers = dict[str, int]


class Effect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an enacted action does: exactly one of these, with its figures.

    `damage`, `push` and `fall` strike the target of an attack. `give` lays modifiers on the target, or on the avatar itself if
    the action is no attack; `move` and `counter` are for the avatar itself.
    """

    damage: Annotated[int, Meta(ge=1, le=20)] | None = None
    type: Damage = "crush"
    move: Annotated[int, Meta(ge=1, le=9)] | None = None
    push: Annotated[int, Meta(ge=1, le=9)] | None = None
    fall: Literal["target"] | None = None
    give: Modifiers | None = None
    counter: tuple[Tag, ...] | None = None

    @property
    def kind(self) -> str:
        """Which of them it is."""
        return next((name for name in _KINDS if getattr(self, name) is not None), "")


_KINDS: Final = ("damage", "move", "push", "fall", "give", "counter")
AT_TARGETS: Final = ("damage", "push", "fall")


class Call(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One derived call of an action: its name, the attribute that pays, the printed points, the multiplier."""

    name: str
    of: Attribute
    call: Annotated[int, Meta(ge=0, le=12)] = 1
    x: Annotated[int, Meta(ge=1, le=9)] = 1


class Action(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One action of a technique. `also` are further calls that must be met at once with the first."""

    name: str
    of: Attribute
    call: Annotated[int, Meta(ge=0, le=12)] = 1
    x: Annotated[int, Meta(ge=1, le=9)] = 1
    also: tuple[Call, ...] = ()
    ticks: Annotated[int, Meta(ge=1, le=12)] = 1
    inertia: Annotated[int, Meta(ge=0, le=9)] = 0
    tags: tuple[Tag, ...] = ()
    needs: tuple[Annotated[str, Ref("artifacts", also=("weapon", "outside"))], ...] = ()
    state: dict[str, Annotated[int, Meta(ge=1, le=9)]] = {}
    reach: Annotated[int, Meta(ge=1, le=9)] = 1
    effect: Effect | None = None


class Technique(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A technique card: its actions in order, and what follows when one of them fails."""

    kind: Literal["combat", "spell", "miscellaneous"] = "combat"
    actions: Annotated[tuple[Action, ...], Meta(min_length=1)]
    fail: tuple[Literal["fall", "drop", "break"], ...] = ()


class Artifact(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An artifact. `ready` is its ready number, `break_above` what a weapon's breakage roll must exceed."""

    weapon: bool = False
    break_above: Annotated[int, Meta(ge=0, le=100)] | None = None
    break_die: Annotated[int, Meta(ge=2, le=100)] = 10
    ready: Annotated[int, Meta(ge=0, le=9)] = 1
    mod: Modifiers = {}
    while_state: dict[str, Modifiers] = {}
    armour: dict[Damage, Annotated[int, Meta(ge=1, le=20)]] = {}
    rule: Rule = ""


class Avatar(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An avatar's attribute cards, its hand, and the artifacts that it has in use and ready."""

    corpus: Pips = 3
    electra: Pips = 3
    spiritum: Pips = 3
    ability: Literal["", "healing"] = ""
    hand: tuple[Annotated[str, Ref("techniques")], ...]
    artifacts: tuple[Annotated[str, Ref("artifacts")], ...] = ()


class Square(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scenario square: its mark, what it modifies, which tags and techniques it rules out."""

    mark: Literal["inside", "outside"]
    mod: Modifiers = {}
    forbid: tuple[Annotated[str, Ref("techniques", also=TAGS)], ...] = ()
    rule: Rule = ""


class Placed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An avatar seated in a scenario; what is left out is as on its card and in the scenario's starts. It may begin in hiding."""

    avatar: Annotated[str, Ref("avatars")]
    side: str = ""
    at: str = ""
    hand: tuple[Annotated[str, Ref("techniques")], ...] | None = None
    artifacts: tuple[Annotated[str, Ref("artifacts")], ...] | None = None
    carried: tuple[Annotated[str, Ref("artifacts")], ...] = ()
    hidden: bool = False


class Objective(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Holding a kind of square at the end of so many of one's own turns wins."""

    hold: Annotated[str, Ref("squares")]
    times: Annotated[int, Meta(ge=1, le=99)] = 1


class MorphyryScenario(Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Morphyry scenario. `starts` lists the starting squares in seat order, for two sides, then for more."""

    board: tuple[tuple[Annotated[str, Ref("squares")], ...], ...]
    figures: Annotated[tuple[Placed, ...], Meta(min_length=2, max_length=4)]
    starts: tuple[tuple[str, ...], ...] = ()
    lying: dict[str, tuple[Annotated[str, Ref("artifacts")], ...]] = {}
    pool: tuple[Annotated[str, Ref("techniques")], ...] = ()
    objective: Objective | None = None


CARDS: Final[dict[str, type[Card]]] = {"techniques": Technique, "artifacts": Artifact, "avatars": Avatar, "squares": Square}


def calls_of(action: Action) -> tuple[Call, ...]:
    """All calls of an action, the first one as printed on the action itself."""
    return (Call(name=action.name, of=action.of, call=action.call, x=action.x), *action.also)


def start_of(scenario: MorphyryScenario, place: int) -> str:
    """The square on which a figure starts: its own, else the scenario's for so many sides."""
    figure = scenario.figures[place]
    if figure.at:
        return figure.at
    fitting = next((starts for starts in scenario.starts if len(starts) >= len(scenario.figures)), ())
    return fitting[place] if fitting else ""


def side_of(scenario: MorphyryScenario, place: int) -> str:
    """The side of a figure: as named, else named for the avatar."""
    return scenario.figures[place].side or scenario.figures[place].avatar


def falls(technique: Technique) -> bool:
    """MOR-FAIL-6: a technique with a jump always has Fall among its consequences."""
    return any("jump" in action.tags for action in technique.actions)


def card_problems(cards: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """What the types cannot say of cards: pips in all, effects, names that modifiers act on."""
    techniques: Mapping[str, Technique] = cards.get("techniques", {})
    for technique in techniques.values():
        path = ("techniques", technique.id)
        if technique.id in TAGS:
            yield Problem((*path, "id"), f"{technique.id!r} is a tag", "give the technique another id (MOR-ADV-10)")
        if falls(technique) and "fall" not in technique.fail:
            yield Problem(path, f"{technique.id} has a jump", "Fall is added to its consequences (MOR-FAIL-6)", note=True)
        for number, action in enumerate(technique.actions):
            yield from _action_problems((*path, "actions", number), action)
    names = {call.name for each in techniques.values() for action in each.actions for call in calls_of(action)}
    known = sorted({*TAGS, *DERIVED, *names})
    for kind in ("artifacts", "squares"):
        for card in cards.get(kind, {}).values():
            lines: dict[tuple[str, ...], Modifiers] = {("mod",): card.mod}
            for state, line in getattr(card, "while_state", {}).items():
                lines["while_state", state] = line
            for path_in, line in lines.items():
                yield from _unknown_names((kind, card.id, *path_in), line, known)
    for artifact in cards.get("artifacts", {}).values():
        if artifact.weapon and artifact.break_above is None:
            yield Problem(("artifacts", artifact.id), f"the weapon {artifact.id} has no break figure", "add `break_above: 8`")
    for avatar in cards.get("avatars", {}).values():
        pips = avatar.corpus + avatar.electra + avatar.spiritum
        if pips > 12:
            yield Problem(("avatars", avatar.id), f"{avatar.id} has {pips} pips", "12 in all at the most (MOR-CARD-1)")
        if len(set(avatar.hand)) < len(avatar.hand):
            yield Problem(("avatars", avatar.id, "hand"), "a card stands twice in this hand", "each card once")
        weapons = [each for each in avatar.artifacts if each in cards["artifacts"] and cards["artifacts"][each].weapon]
        if len(weapons) > 1:
            yield Problem(("avatars", avatar.id, "artifacts"), f"{avatar.id} holds {len(weapons)} weapons", "one (MOR-WEAP-7)")


def _action_problems(path: tuple[str | int, ...], action: Action) -> Iterator[Problem]:
    effect = action.effect
    if effect is None:
        return
    kinds = [name for name in _KINDS if getattr(effect, name) is not None]
    if len(kinds) != 1:
        yield Problem((*path, "effect"), f"an effect names {len(kinds)} of {', '.join(_KINDS)}", "name exactly one")
    if any(kind in AT_TARGETS for kind in kinds) and "attack" not in action.tags:
        yield Problem((*path, "effect"), f"{kinds[0]} needs a target, but this is no attack", "add the tag `attack` (MOR-ATK-1)")
    if "counter" in kinds and "counter" not in action.tags:
        yield Problem((*path, "effect"), "a Counter comes from a counter action", "add the tag `counter` (MOR-ATK-4)")
    if effect.give is not None:
        yield from _unknown_names((*path, "effect", "give"), effect.give, sorted({*TAGS, *DERIVED, action.name}))


def _unknown_names(path: tuple[str | int, ...], line: Modifiers, known: list[str]) -> Iterator[Problem]:
    for name in line:
        if name not in known:
            near = get_close_matches(name, known, 1)
            yield Problem(
                (*path, name),
                f"{name!r} is no tag and no derived attribute of any card",
                f"did you mean {near[0]!r}?" if near else f"one of {', '.join(known)}",
            )


def scenario_problems(content: Content) -> Iterator[Problem]:
    """What the types cannot say of a scenario: squares that exist and are free, figures of different names."""
    scenario: MorphyryScenario = content.scenario
    widths = {len(row) for row in scenario.board}
    if not scenario.board or len(widths) != 1 or widths == {0}:
        yield Problem(("board",), "the rows of the board are not equally long", "one square id for each column of each row")
        return
    grid = Grid(len(scenario.board[0]), len(scenario.board))
    taken: dict[str, str] = {}
    for place, figure in enumerate(scenario.figures):
        at = start_of(scenario, place)
        where = ("figures", place, "at") if figure.at else ("figures", place)
        if not at:
            yield Problem(where, f"{figure.avatar} has no starting square", "add `at: b2`, or `starts` for so many sides")
        elif at not in grid:
            yield Problem(where, f"there is no square {at!r}", f"squares are named from a1 to {grid.cells[-1]}")
        elif at in taken:
            yield Problem(where, f"{figure.avatar} starts on {at}, where {taken[at]} stands", "one avatar a square (MOR-MAP-2)")
        taken.setdefault(at, figure.avatar)
        if any(figure.avatar == other.avatar for other in scenario.figures[:place]):
            yield Problem(("figures", place, "avatar"), f"{figure.avatar} is seated twice", "seat each avatar once")
        artifacts = content.cards["avatars"][figure.avatar].artifacts if figure.artifacts is None else figure.artifacts
        carried = (*artifacts, *figure.carried)
        if len(set(carried)) < len(carried):
            yield Problem(("figures", place), "an artifact stands twice with this figure", "each artifact once")
        known = content.cards["artifacts"]
        weapons = [each for each in carried if each in known and known[each].weapon]
        if len(weapons) > 1:
            yield Problem(("figures", place), f"{figure.avatar} has {len(weapons)} weapons", "one (MOR-WEAP-7)")
        if figure.hand is not None and len(set(figure.hand)) < len(figure.hand):
            yield Problem(("figures", place, "hand"), "a card stands twice in this hand", "each card once")
    if all(figure.hidden for figure in scenario.figures):
        yield Problem(("figures",), "everybody hides", "leave `hidden: true` out of one at the least (MOR-HIDE-6)")
    sides = [side_of(scenario, place) for place in range(len(scenario.figures))]
    for place, side in enumerate(sides):
        if side in sides[:place]:
            yield Problem(("figures", place), f"the side {side} has two avatars", "one avatar a side (MOR-TURN-1)")
    for place, figure in enumerate(scenario.figures):
        hand = content.cards["avatars"][figure.avatar].hand if figure.hand is None else figure.hand
        strange = [card for card in hand if scenario.pool and card not in scenario.pool]
        if strange:
            yield Problem(("figures", place), f"{figure.avatar} holds {strange[0]}", "only cards of the pool (MOR-HIDE-4)")
    for cell in scenario.lying:
        if cell not in grid:
            yield Problem(("lying", cell), f"there is no square {cell!r}", f"squares are named from a1 to {grid.cells[-1]}")
    for shorter, longer in pairwise(scenario.starts):
        if len(longer) <= len(shorter):
            yield Problem(("starts",), "the starts do not grow", "first those for two sides, then those for more")
    if scenario.objective and not any(scenario.objective.hold in row for row in scenario.board):
        yield Problem(("objective", "hold"), f"no {scenario.objective.hold} on this board", "name a square that is on it")
