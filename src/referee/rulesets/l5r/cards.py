"""What may stand on the cards and in the scenarios. The cards themselves are in `cards/*.yaml`."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from ...engine import Card, Ref, Scenario

RINGS: Final = ("air", "earth", "fire", "water", "void")
MARTIAL_ARTS: Final = ("melee", "ranged", "unarmed")
SKILLS: Final = (*MARTIAL_ARTS, "fitness", "meditation", "tactics", "command", "medicine", "theology", "courtesy")
GROUPS: Final = {
    **dict.fromkeys(("melee", "ranged", "unarmed", "fitness", "meditation", "tactics"), "martial"),
    **dict.fromkeys(("command", "courtesy"), "social"),
    **dict.fromkeys(("medicine", "theology"), "scholar"),
}
"""L5R-DER-13: the group whose rank an NPC uses for a skill."""

Ring = Literal["air", "earth", "fire", "water", "void"]
Skill = Literal["melee", "ranged", "unarmed", "fitness", "meditation", "tactics", "command", "medicine", "theology", "courtesy"]
Type = Literal["attack", "movement", "scheme", "support"]
Quality = Literal[
    "ceremonial", "concealable", "cumbersome", "durable", "mundane", "razor_edged", "resplendent", "sacred", "snaring",
    "subtle", "unholy", "wargear",
]  # fmt: skip
Rule = Annotated[str, Meta(pattern=r"^(L5R-[A-Z]+-\d+)?$", description="the rule that the card is named in")]
Number = Annotated[int, Meta(ge=0, le=99)]
Band = Annotated[int, Meta(ge=0, le=6)]
Rank = Annotated[int, Meta(ge=0, le=5)]
TN = Annotated[int, Meta(ge=0, le=12)]


class Plain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a card."""


class Grip(Plain, frozen=True, kw_only=True):
    """One hand or two, and what the grip adds."""

    damage: Number = 0
    deadliness: Number = 0


class Weapon(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon, or a profile of the body. `iaijutsu` marks what an Iaijutsu Cut may draw (L5R-TEC-9); an `improvised` one has
    the numbers of the nearest profile, from which the rules take 1 each (L5R-EQP-3).
    """

    skill: Literal["melee", "ranged", "unarmed"]
    range: tuple[Band, Band]
    damage: Number
    deadliness: Number
    one_hand: Grip | None = None
    two_hands: Grip | None = None
    qualities: tuple[Quality, ...] = ()
    iaijutsu: bool = False
    improvised: bool = False


class Armour(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Armour or clothing that is worn; `clothes` may be worn in an iaijutsu duel (L5R-DUEL-21)."""

    physical: Number
    supernatural: Number = 0
    qualities: tuple[Quality, ...] = ()
    clothes: bool = False


class Trait(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An advantage or disadvantage. `fits` lists skills, and the words martial, initiative and any; `ring` narrows it."""

    kind: Literal["distinction", "adversity", "passion", "anxiety"]
    fits: tuple[Skill | Literal["martial", "initiative", "any"], ...]
    ring: Ring | None = None
    scar: bool = False


class Resistance(Plain, frozen=True, kw_only=True):
    """A TN with its ring variants: "TN 3 (Earth 1, Fire 4)"."""

    tn: TN
    rings: dict[Ring, TN] = {}


class Attack(Plain, frozen=True, kw_only=True):
    """How an attack works: its TN, its reach, what a success does."""

    tn: TN | Literal["vigilance"] = 2
    rings: dict[Ring, TN] = {}
    skill: Skill | None = None
    range: tuple[Band, Band] | None = None
    iaijutsu: bool = False
    damage: Literal["none", "base", "deadliness", "ring"] = "base"
    bonus: bool = True
    critical: bool = False
    overwhelms: bool = False  # a Compromised target cannot defend
    opportunity_critical: bool = False
    condition: str = ""
    resist: Resistance | None = None
    unresisted: Literal["", "base_damage"] = ""
    critical_resist: Resistance | None = None
    failure_condition: str = ""


class Deed(Plain, frozen=True, kw_only=True):
    """What an action other than an attack with a weapon does: its check, if any, and its effect."""

    check: Skill | None = None
    tn: TN = 0
    rings: dict[Ring, TN] = {}
    target: Literal["self", "foe", "other", "ally", "foes"] = "self"
    range: tuple[Band, Band] = (0, 6)
    damage: Number = 0
    kind: Literal["physical", "supernatural"] = "physical"
    source: Literal["", "invocation", "kiho", "fire", "fall", "object"] = ""
    silhouette: Number = 0
    deadliness: Number = 0
    remove_fatigue: Literal["", "honour_rank"] | Number = 0
    strife: Number = 0
    move: Number = 0
    condition: str = ""
    hardship: bool = False
    speech: bool = False


class Opportunity(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the opportunity tables. `needs` must all hold of the check; `effect` is a word of the vocabulary."""

    rule: Rule
    also: tuple[Rule, ...] = ()
    ring: Ring | Literal["any"] = "any"
    when: Literal["any", "conflict", "init"] = "any"
    cost: Annotated[int, Meta(ge=1, le=2)]
    scaling: bool = False
    needs: tuple[str, ...] = ()
    target: Literal[
        "", "other", "others", "foe", "ally", "attacked", "own_disadvantage", "known_disadvantage", "known_advantage",
        "terrain", "place", "ring", "position", "condition", "weapon", "quality", "dropped", "skill",
    ] = ""  # fmt: skip
    effect: str
    amount: Number = 0
    own: bool = False
    technique: bool = False


class Technique(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A technique or a unique action: an action, an ability that works by itself, or opportunity rows that it opens."""

    rule: Rule
    rank: Rank = 0
    types: tuple[Type, ...] = ()
    ring: Ring | None = None
    void: Number = 0
    once: bool = False
    duel_only: bool = False
    skirmish_only: bool = False
    attack: Attack | None = None
    deed: Deed | None = None
    ability: Literal["", "crane", "lion", "crab", "dragon", "crescent_moon", "redirect"] = ""
    opportunities: tuple[Annotated[str, Ref("opportunities")], ...] = ()


class Cure(Plain, frozen=True, kw_only=True):
    """The check that ends a condition."""

    skill: Skill
    tn: TN
    ring: Ring | None = None
    types: tuple[Type, ...] = ("support",)
    range: tuple[Band, Band] = (0, 0)
    other: bool = False


class Condition(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A condition: what it adds to TNs, what turn ends it, what check does."""

    rule: Rule
    tn: Number = 0
    types: tuple[Type, ...] = ()
    ring: Ring | None = None
    ends_without: tuple[Type, ...] = ()
    cure: Cure | None = None


class Character(Card, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A character. The derived values of a PC are reckoned, those of an NPC printed (L5R-DER-1, L5R-DER-2)."""

    kind: Literal["pc", "adversary", "minion"]
    rings: dict[Ring, Annotated[int, Meta(ge=1, le=5)]]
    endurance: Number | None = None
    composure: Number | None = None
    focus: Number | None = None
    vigilance: Number | None = None
    skills: dict[Skill | Literal["martial", "social", "scholar"], Rank] = {}
    honour: Annotated[int, Meta(ge=0, le=100)]
    glory: Annotated[int, Meta(ge=0, le=100)] | None = None
    school_rank: Annotated[int, Meta(ge=1, le=6)] = 1
    gear: tuple[Annotated[str, Ref("weapons", also=("",))], ...] = ()
    armour: Annotated[str, Ref("armours", also=("",))] = ""
    techniques: tuple[Annotated[str, Ref("techniques")], ...] = ()
    traits: tuple[Annotated[str, Ref("traits")], ...] = ()
    void: Number | None = None
    silhouette: Number = 2
    otherworldly: bool = False


class Placed(Plain, frozen=True, kw_only=True):
    """A figure seated in a scenario; what is left out is as on its card. In a skirmish it may begin in hiding."""

    character: Annotated[str, Ref("characters")]
    id: Annotated[str, Meta(pattern=r"^([a-z][a-z0-9_]*)?$")] = ""
    side: str = ""
    seat: str = ""
    at: Annotated[int, Meta(ge=-20, le=20)] | None = None
    surprised: bool = False
    tainted: bool = False
    arrives: Number = 0
    hidden: bool = False
    void: Number | None = None
    gear: tuple[Annotated[str, Ref("weapons")], ...] | None = None
    techniques: tuple[Annotated[str, Ref("techniques")], ...] = ()
    traits: tuple[Annotated[str, Ref("traits")], ...] = ()


class Terrain(Plain, frozen=True, kw_only=True):
    """Terrain on a position; `possible` lists what an undiscovered one may be."""

    at: Annotated[int, Meta(ge=-20, le=20)]
    qualities: tuple[Literal["dangerous", "entangling", "obscuring", "defiled"], ...] = ()
    undiscovered: bool = False
    possible: tuple[Literal["dangerous", "entangling", "obscuring"], ...] = ("dangerous", "entangling", "obscuring")
    hallowed: Ring | None = None
    imbalanced: Ring | None = None


class Known(Plain, frozen=True, kw_only=True):
    """What the side of a figure knows of another: one of its traits, or who is Tainted."""

    figure: str
    of: str
    trait: Annotated[str, Ref("traits", also=("",))] = ""
    taint: bool = False


class L5RScenario(Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scenario: its kind, figures, terrain, objective, what may be hidden (L5R-CON-16)."""

    kind: Literal["iaijutsu", "duel", "skirmish"]
    figures: Annotated[tuple[Placed, ...], Meta(min_length=2, max_length=6)]
    objective: Literal["", "first_strike", "first_blood", "incapacitation", "defeat", "death"] = ""
    terrain: tuple[Terrain, ...] = ()
    shadowlands: bool = False
    maybe_tainted: tuple[str, ...] = ()
    knows: tuple[Known, ...] = ()
    possible_traits: dict[str, tuple[Annotated[str, Ref("traits")], ...]] = {}
    unique_actions: tuple[Annotated[str, Ref("techniques")], ...] = ()
    most_assistants: Number | None = None


CARDS: Final[dict[str, type[Card]]] = {
    "weapons": Weapon,
    "bodies": Weapon,
    "armours": Armour,
    "traits": Trait,
    "opportunities": Opportunity,
    "techniques": Technique,
    "basics": Technique,
    "conditions": Condition,
    "characters": Character,
}


def id_of(placed: Placed, place: int, figures: tuple[Placed, ...]) -> str:
    """The id of a figure: its own, else its character's, numbered if several are seated."""
    if placed.id:
        return placed.id
    same = [number for number, other in enumerate(figures) if other.character == placed.character and not other.id]
    return placed.character if len(same) == 1 else f"{placed.character}_{same.index(place) + 1}"


def sides_of(scenario: L5RScenario) -> dict[str, str]:
    """The side of each figure: a side of one is named for it, others as in the scenario, else first and second."""
    ids = [id_of(placed, place, scenario.figures) for place, placed in enumerate(scenario.figures)]
    named = [placed.side or ("first" if place == 0 else "second") for place, placed in enumerate(scenario.figures)]
    return {who: who if named.count(side) == 1 else side for who, side in zip(ids, named, strict=True)}


def derived(card: Any) -> dict[str, int]:
    """L5R-DER-1, L5R-DER-2: endurance, composure, focus and vigilance of a character."""
    rings = card.rings
    reckoned = {
        "endurance": 2 * (rings["earth"] + rings["fire"]),
        "composure": 2 * (rings["earth"] + rings["water"]),
        "focus": rings["fire"] + rings["air"],
        "vigilance": (rings["air"] + rings["water"] + 1) // 2,
    }
    if card.kind == "pc":
        return reckoned
    return {name: value if (printed := getattr(card, name)) is None else printed for name, value in reckoned.items()}
