"""What takes effect at the end of a phase: moves, things handed over and opened, wounds (SOL-PHASE-5, SOL-PHASE-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine import Game, Id
from .checks import model
from .records import Deed

if TYPE_CHECKING:
    from .setup import Table


def move_all(game: Game, moving: list[Deed]) -> None:
    """SOL-MOVE-3: movers that would end on one square drop back along their paths until all differ."""
    places = {deed.who: len(deed.path) for deed in moving}

    def ends(deed: Deed) -> str:
        at = places[deed.who]
        return deed.path[at - 1] if at else str(game.records[deed.who].at)

    clashed: dict[Id, str] = {}
    while True:
        on: dict[str, list[Deed]] = {}
        for deed in moving:
            on.setdefault(ends(deed), []).append(deed)
        clashes = [(cell, those) for cell, those in on.items() if len(those) > 1]
        if not clashes:
            break
        for cell, those in clashes:
            for deed in those:
                places[deed.who] = max(0, places[deed.who] - 1)
                clashed[deed.who] = cell
    final = {deed.who: ends(deed) for deed in moving}
    for deed in moving:
        rules = ("SOL-MOVE-3",) if deed.who in clashed else ("SOL-MOVE-1",)
        path = deed.path[: places[deed.who]]
        game.log(
            "moves", who=deed.who, start=model(game, deed.who).at, to=final[deed.who], path=path,
            clash=clashed.get(deed.who, ""), rules=rules,
        )  # fmt: skip
        game.edit(deed.who).at = final[deed.who]


def hand_over(game: Game, prizes: tuple[tuple[Id, Id], ...], won: tuple[tuple[Id, Id, Id, int], ...]) -> None:
    """Prizes go to the winners, doors open, weapons and things are taken up."""
    table: Table = game.table
    for prize, who in prizes:
        thing = game.edit(prize)
        kept = thing.holder == who
        thing.holder, thing.at = who, ""
        game.log("takes", who=who, thing=prize, kept=kept, rules=("SOL-CONT-3", "SOL-END-4"))
    for who, interaction, target, _ in won:
        if interaction == "ready_weapon":
            record = game.edit(who)
            record.ready = tuple(weapon for weapon in table.sheets[who].weapons if weapon in (*record.ready, target))
            game.log("readies", who=who, weapon=target, rules=("SOL-INT-8",))
        elif table.things[target].kind != "artifact" and not game.records[target].done:
            game.edit(target).done = True
            game.log("done", who=who, thing=target, sort=table.things[target].kind, rules=("SOL-INT-3",))
    for artifact in table.artifacts:
        reaching = [(score, who) for who, interaction, target, score in won if target == artifact and interaction == "pick_up"]
        if reaching:
            take_up(game, artifact, reaching)


def take_up(game: Game, artifact: Id, reaching: list[tuple[int, Id]]) -> None:
    """SOL-INT-9: the highest score gets it; equal between sides nobody, within one side the lower seat."""
    best = max(score for score, _ in reaching)
    ahead = [who for score, who in reaching if score == best]
    rules = ("SOL-INT-9", "SOL-END-4") if len(reaching) > 1 else ("SOL-END-4",)
    if len({game.table.side[who] for who in ahead}) > 1:
        game.log("nobody_takes", thing=artifact, tied=tuple(ahead), score=best, rules=rules)
        return
    thing = game.edit(artifact)
    thing.holder, thing.at = ahead[0], ""
    game.log("takes", who=ahead[0], thing=artifact, kept=False, rules=rules)


def wound_all(game: Game, wounds: tuple[tuple[Id, int, Id], ...]) -> None:
    """SOL-ATK-6, SOL-ATK-7: the damage of a phase adds up; Mind is lost; who is out leaves the board."""
    lost: dict[Id, int] = {}
    for who, damage, _ in wounds:
        lost[who] = lost.get(who, 0) + damage
    for who in game.table.order:
        if who in lost:
            record = game.edit(who)
            record.body -= lost[who]
            rules = ("SOL-ATK-6", "SOL-PREP-6") if record.prepared else ("SOL-ATK-6",)
            shaken = lost[who] >= 2 and record.mind > 1
            if shaken:
                record.mind -= 1
                rules = (*rules, "SOL-PHASE-10", "SOL-MIND-5")
            game.log("hurt", who=who, damage=lost[who], body=record.body, mind=record.mind, shaken=shaken, rules=rules)
    for who in game.table.order:
        record = model(game, who)
        if not record.out and record.body <= 0:
            game.log("out", who=who, at=record.at, rules=("SOL-ATK-7",))
            leave(game, who, "out")


def leave(game: Game, who: Id, how: str) -> None:
    """Takes a model off the board; what it holds lies on the square it stands on (SOL-ATK-7)."""
    record = game.edit(who)
    for artifact in game.table.artifacts:
        if game.records[artifact].holder == who:
            thing = game.edit(artifact)
            thing.holder, thing.at = "", record.at
            game.log("falls", who=who, thing=artifact, at=record.at, rules=("SOL-ATK-7",))
    record.out = how
    # Nothing reads these any more.
    record.at = ""
    record.ready = ()
    record.body = record.mind_spent = record.speed_spent = record.combat_spent = 0
    record.saved = record.prepared = record.cp_risks = 0
