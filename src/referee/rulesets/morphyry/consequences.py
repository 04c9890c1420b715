"""What goes wrong: failures, falls, weapons dropped and broken, damage, death, and leaving the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dice import D10, Die
from ...engine import HIDDEN, Cut, Frame, Game, Id, Roll, cites, come_out, hides, in_hiding, steps
from .checks import avatar, living, modifier, modifiers, techniques, weapon_in_hand

if TYPE_CHECKING:
    from .records import AvatarRecord
    from .sheets import Table

ATTRIBUTE_OF = {"crush": "corpus", "cut": "corpus", "burn": "corpus", "draining": "electra", "soul": "spiritum"}


def invoke(game: Game, who: Id, points: int) -> AvatarRecord:
    """Turns points of Electra into Speed; the first ones of a turn take the Speed modifier (MOR-ADV-6)."""
    record: AvatarRecord = game.edit(who)
    if points:
        before = 0
        if record.invoked:
            before = max(0, record.invoked + record.speed_modifier)
        else:
            record.speed_modifier = modifier(game, who, game.table.speed)
            if record.speed_modifier and game.events is not None:
                rules = tuple(dict.fromkeys(line[2] for line in modifiers(game, who, game.table.speed)))
                game.log("speed_modifier", who=who, amount=record.speed_modifier, rules=("MOR-ADV-6", *rules))
        record.invoked += points
        record.speed += max(0, record.invoked + record.speed_modifier) - before
        record.electra_pool -= points
    return record


def leave_play(game: Game, slot: Id) -> None:
    """Clears the place of a technique that has left play; its states end with it (MOR-STATE-6)."""
    technique = game.edit(slot)
    technique.card = ""
    technique.action = technique.ticks = technique.drive = 0
    technique.states = ()


def owe(game: Game, who: Id, *debts: str) -> None:
    """Adds owed Basic Actions behind those owed already."""
    record = game.edit(who)
    record.debts = (*record.debts, *debts)


def abandon(game: Game, slot: Id) -> None:
    """Puts a technique in play to the side (MOR-FAIL-3)."""
    technique = game.records[slot]
    record = game.edit(technique.owner)
    record.aside = (*record.aside, technique.card)
    game.log("abandons", who=technique.owner, card=technique.card, rules=("MOR-FAIL-3",))
    leave_play(game, slot)


def hurt(game: Game, who: Id, amount: int, kind: str, *, armour: bool = True) -> int:
    """Damage: armour of its type, then the rating, the pool, and as many spirit points (MOR-DMG-1 to 3)."""
    table: Table = game.table
    record = game.edit(who)
    absorbed = 0
    if armour:
        for held in record.artifacts:
            if held.works:
                absorbed += sum(value for against, value in table.artifacts[held.id].armour.items() if against == kind)
    left = max(0, amount - absorbed)
    absorbed = amount - left
    attribute = ATTRIBUTE_OF[kind]
    rating = max(0, getattr(record, attribute) - left)
    setattr(record, attribute, rating)
    pool = f"{attribute}_pool"
    if getattr(record, pool) > rating:
        setattr(record, pool, rating)
    record.spirit = max(0, record.spirit - left)
    # Only healing asks for it (MOR-CARD-3).
    if left and table.avatars[who].ability:
        record.hurt = True
    rules = ("MOR-DMG-1", "MOR-DMG-2", "MOR-DMG-3") if absorbed else ("MOR-DMG-1", "MOR-DMG-3")
    game.log(
        "hurt", who=who, amount=left, absorbed=absorbed, type=kind, attribute=attribute, rating=rating, spirit=record.spirit,
        rules=rules,
    )  # fmt: skip
    return left


@steps("abandon_technique", "fall", "note_fall", "drop", "note_drop", "break_weapon", "owe_ready")
class Failure(Frame):
    """A failed action: abandon; Fall; drop and break rolls; debt (MOR-FAIL-7)."""

    who: Id
    slot: Id
    because: tuple[str, ...]
    consequences: tuple[str, ...] = ()
    weapon: Id = ""
    fell: bool = False
    dropped: bool = False
    rolled: tuple[str, ...] = ()

    @cites("MOR-FAIL-2", "MOR-FAIL-5")
    def abandon_technique(failure, game: Game) -> None:
        technique = game.records[failure.slot]
        sheet = game.table.techniques[technique.card]
        failure.consequences = sheet.consequences
        failure.weapon = weapon_in_hand(game, failure.who) or ""
        rules = (*failure.because, "MOR-FAIL-6") if sheet.consequences else failure.because
        game.log("fails", who=failure.who, card=technique.card, action=sheet.actions[technique.action].name, rules=rules)
        abandon(game, failure.slot)

    def fall(failure, game: Game) -> Frame | None:
        if "fall" in failure.consequences:
            return Fall(failure.who, "MOR-FAIL-8")
        failure.go("drop")
        return None

    def note_fall(failure, game: Game, fall: Fall) -> None:
        failure.fell = True
        failure.rolled = fall.rolled
        failure.dropped = fall.dropped

    @cites("MOR-WEAP-2")
    def drop(failure, game: Game) -> Frame | None:
        if failure.weapon and "drop" in failure.consequences and "drop" not in failure.rolled:
            return Dropping(failure.who, failure.weapon, "MOR-WEAP-2")
        failure.go("break_weapon")
        return None

    def note_drop(failure, game: Game, dropping: Dropping) -> None:
        failure.dropped = dropping.dropped

    @cites("MOR-WEAP-2", "MOR-WEAP-6")
    def break_weapon(failure, game: Game) -> Frame | None:
        if not failure.weapon or "break" not in failure.consequences or "break" in failure.rolled:
            return None
        both = "drop" in failure.consequences
        if both and not failure.dropped and game.policy["drop_break"] == "break_if_dropped":
            return None
        return Breaking(failure.who, failure.weapon, "MOR-WEAP-6" if both else "MOR-WEAP-2")

    def owe_ready(failure, game: Game) -> None:
        if failure.fell and game.policy["prone_debt"] == "replace":
            game.log("debt_replaced", who=failure.who, rules=("MOR-FAIL-10",))
            return
        owe(game, failure.who, "alternate_ready")
        rules = ("MOR-FAIL-4", "MOR-FAIL-7", *(("MOR-FAIL-10",) if failure.fell else ()))
        game.log("owes", who=failure.who, debt="alternate_ready", rules=rules)


@steps("take_damage", "become_prone", "drop", "note_drop")
class Fall(Frame):
    """A fall, by a failure or for another reason: damage, prone, the weapon rolls (MOR-FAIL-8, MOR-FAIL-11)."""

    who: Id
    rule: str
    weapon: Id = ""
    dropped: bool = False
    rolled: tuple[str, ...] = ()

    @cites("MOR-FAIL-8")
    def take_damage(fall, game: Game) -> None:
        fall.weapon = weapon_in_hand(game, fall.who) or ""
        game.log("falls", who=fall.who, rules=(fall.rule,))
        if game.policy["fall_damage"]:
            hurt(game, fall.who, game.policy["fall_damage"], "crush")

    @cites("MOR-FAIL-8")
    def become_prone(fall, game: Game) -> None:
        record = game.edit(fall.who)
        if record.out or record.prone:
            if record.prone:
                game.log("prone_already", who=fall.who, rules=("MOR-FAIL-11",))
            fall.done()
            return
        record.prone = True
        if record.counter:
            record.counter = ()
            game.log("counter_ends", who=fall.who, rules=("MOR-FAIL-11",))
        for technique in techniques(game, fall.who):
            abandon(game, technique.id)
        owe(game, fall.who, "fall", "ready")
        game.log("prone", who=fall.who, rules=("MOR-FAIL-9",))

    @cites("MOR-WEAP-1")
    def drop(fall, game: Game) -> Frame | None:
        if not fall.weapon:
            fall.done()
            return None
        fall.rolled = ("drop",)
        return Dropping(fall.who, fall.weapon, "MOR-WEAP-1")

    @cites("MOR-WEAP-1")
    def note_drop(fall, game: Game, dropping: Dropping) -> Frame | None:
        fall.dropped = dropping.dropped
        if not fall.dropped:
            return None
        fall.rolled = ("drop", "break")
        return Breaking(fall.who, fall.weapon, "MOR-WEAP-1")


@steps("roll", "drop")
class Dropping(Frame):
    """The roll whether a weapon is dropped."""

    who: Id
    weapon: Id
    rule: str
    dropped: bool = False

    def roll(dropping, game: Game) -> Roll | None:
        if avatar(game, dropping.who).out:
            dropping.done()
            return None
        return Roll("drop", D10, dropping.who, (dropping.weapon,))

    @cites("MOR-WEAP-3")
    def drop(dropping, game: Game, roll: int) -> None:
        attribute = game.policy["drop_against"]
        record = avatar(game, dropping.who)
        rating = getattr(record, attribute)
        dropping.dropped = roll > rating
        rules = ("MOR-WEAP-5",) if roll == rating else ("MOR-WEAP-7",) if dropping.dropped else ()
        if dropping.dropped:
            lay_down(game, dropping.who, (dropping.weapon,))
        game.log(
            "drop_roll", who=dropping.who, weapon=dropping.weapon, roll=roll, attribute=attribute, rating=rating,
            dropped=dropping.dropped, at=record.at, rules=(dropping.rule, *rules),
        )  # fmt: skip


@steps("roll", "break_it")
class Breaking(Frame):
    """The roll whether a weapon breaks, wherever it lies."""

    who: Id
    weapon: Id
    rule: str

    def roll(breaking, game: Game) -> Roll | None:
        if avatar(game, breaking.who).out:
            breaking.done()
            return None
        return Roll("break", Die(game.table.artifacts[breaking.weapon].break_die), breaking.who, (breaking.weapon,))

    @cites("MOR-WEAP-4")
    def break_it(breaking, game: Game, roll: int) -> None:
        figure = game.table.artifacts[breaking.weapon].break_above
        broken = roll > figure
        rules = ("MOR-WEAP-5",) if roll == figure else ("MOR-WEAP-7",) if broken else ()
        if broken:
            record = game.edit(breaking.who)
            if any(held.id == breaking.weapon for held in record.artifacts):
                record.artifacts = tuple(held for held in record.artifacts if held.id != breaking.weapon)
            else:
                ground = game.edit("ground")
                lying = list(ground.lying)
                lying.remove((record.at, breaking.weapon))
                ground.lying = tuple(lying)
        game.log(
            "break_roll", who=breaking.who, weapon=breaking.weapon, roll=roll, figure=figure, broken=broken,
            rules=(breaking.rule, *rules),
        )  # fmt: skip


def lay_down(game: Game, who: Id, artifacts: tuple[Id, ...]) -> None:
    """Puts artifacts of an avatar on its square."""
    record = game.edit(who)
    record.artifacts = tuple(held for held in record.artifacts if held.id not in artifacts)
    ground = game.edit("ground")
    ground.lying = tuple(sorted((*ground.lying, *((record.at, each) for each in artifacts))))


# Leaving


def leave(game: Game, who: Id, how: str) -> None:
    """Takes an avatar off the board with its cards; its artifacts stay on the square."""
    record = game.edit(who)
    lay_down(game, who, tuple(held.id for held in record.artifacts))
    record.out = how
    record.hand = record.aside = record.debts = record.counter = record.effects = ()
    record.debt_ticks = 0
    record.prone = False
    for slot in game.table.slots[who]:
        leave_play(game, slot)
    depth = game.find(game.frame_classes["Combat"])
    if game.agenda[depth].tied:  # type: ignore[attr-defined]
        # The first turn is still being rolled for: the others roll on without it.
        combat: Any = game.edit_frame(depth)
        combat.tied = tuple(each for each in combat.tied if each != who) or tuple(living(game))
        combat.rolls = tuple(each for each in combat.rolls if each[0] != who)


def cut_turn(game: Game, gone: tuple[Id, ...]) -> Cut | None:
    """Ends the turn that is going on, if it is the turn of an avatar that has left the board."""
    depth = game.find(game.frame_classes["Turn"])
    if depth >= 0 and game.agenda[depth].who in gone:  # type: ignore[attr-defined]
        return Cut(depth, "end_turn")
    return None


def announce_end(game: Game, who: Id | None, reason: str) -> None:
    """Ends the combat: an avatar's side has won, or nobody."""
    winner = None if who is None else game.table.side[who]
    rules = {"objective": "MOR-END-2", "round_limit": "MOR-END-4"}.get(reason, "MOR-END-1")
    game.log("ends", winner=winner, reason=reason, rules=(rules,))
    game.finish(winner, reason)


def _test_end(game: Game) -> None:
    left = living(game)
    if len(left) <= 1 and game.unseen:
        for who in in_hiding(game, game.table.order):
            come_out(game, who, "alone", ("MOR-HIDE-8",))
        left = living(game)
    if len(left) <= 1:
        announce_end(game, left[0] if left else None, "last_standing")


def deaths(game: Game, edited: tuple[Id, ...]) -> Frame | None:
    """State-based: avatars of whom a rating or the spirit points are gone die (MOR-DMG-4)."""
    slots = game.table.slots
    for who in edited:
        if who in slots:
            record = game.records[who]
            if (record.spirit < 1 or record.corpus < 1 or record.electra < 1 or record.spiritum < 1) and not record.out:
                return Death(tuple(sorted({each for each in edited if each in slots and _is_dying(game, each)})))
    return None


def _is_dying(game: Game, who: Id) -> bool:
    record = avatar(game, who)
    return not record.out and min(record.spirit, record.corpus, record.electra, record.spiritum) < 1


@steps("die", "end_turn")
class Death(Frame):
    """Avatars die, all those that are lost at once before the end is tested."""

    dying: tuple[Id, ...]

    @cites("MOR-DMG-4")
    def die(death, game: Game) -> None:
        for who in death.dying:
            game.log("dies", who=who)
            leave(game, who, "dead")
        _test_end(game)

    def end_turn(death, game: Game) -> Cut | None:
        return cut_turn(game, death.dying)


@steps("leave", "end_turn")
class Concession(Frame):
    """A side gives up."""

    who: Id

    @cites("MOR-END-5")
    def leave(concession, game: Game) -> None:
        if hides(game, concession.who):
            come_out(game, concession.who, "leaves", ("MOR-HIDE-8",))
        game.log("concedes", who=concession.who)
        leave(game, concession.who, "left")
        _test_end(game)

    def end_turn(concession, game: Game) -> Cut | None:
        return cut_turn(game, (concession.who,))


def concede(game: Game, seat: str) -> Concession:
    """The frame by which a seat's avatar leaves."""
    return Concession(game.seats[seat].figures[0])


def conceded(game: Game, seat: str) -> bool:
    """Whether the seat's avatar has left the board already."""
    return avatar(game, game.seats[seat].figures[0]).out not in ("", HIDDEN)
