"""Rooms: tables held open. Acts are taken one at a time, stored, and only then seen; everybody at the table is told."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING, Any, Final

from ..engine.errors import IllegalAnswer, RefereeError
from ..players.seats import Player, bot
from . import acts
from .acts import HOST, AnyAct
from .seats import Keys
from .state import State
from .store import Conflict, Row, Store, Unavailable
from .texts import text

if TYPE_CHECKING:
    from .odds import Reckoner

SAVE_EVERY: Final = 50
"""Entries after which a table's state is kept."""
_TAKING_BACK: Final = 10  # entries that one which takes back counts for: it plays the encounter again from its beginning
_KEPT: Final = 256  # rooms that stay open with nobody in them
_TRIES: Final = 12
_AGAIN: Final = 2.0  # seconds after which bots try again what could not be stored
_SEED: Final = 2**31

_log = logging.getLogger("referee.table")


class Stale(RefereeError):
    """The question was answered or withdrawn meanwhile."""


class Subscriber:
    """Somebody who looks at a table: told that it changed, never what; so a slow one has no backlog."""

    __slots__ = ("changed", "seat")

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.changed = asyncio.Event()
        self.changed.set()


class Room:
    """A table in memory, after `seq` entries."""

    def __init__(self, rooms: Rooms, row: Row, seq: int, state: State) -> None:
        self.rooms = rooms
        self.row = row
        self.seq = seq
        self.state = state
        self.unsaved = 0  # entries since the last state that was kept, some counted more than once
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()
        self.shown: dict[Any, Any] = {}  # what was made for readers of this state; emptied when it changes
        self.kept: dict[Any, Any] = {}  # what may be used again after it changed
        self._bots: dict[str, tuple[str, Player]] = {}
        self._bots_at_work = False

    @property
    def id(self) -> str:
        """The id of the table."""
        return self.row.id

    def proof(self, seat: str) -> str:
        """What the link of a seat holds now."""
        return self.rooms.keys.link(self.id, seat, self.state.links.get(seat, 0))

    def sits(self, seat: str, proof: str) -> bool:
        """Whether that proof is good for the seat."""
        return bool(self.state.role(seat)) and self.rooms.keys.sits(proof, self.id, seat, self.state.links.get(seat, 0))

    def ticket(self, seat: str) -> str:
        """Names the question before a seat; empty if it is not asked."""
        return self.rooms.keys.ticket(self.id, seat, self.state.question_of(seat))

    def next_act(self, seat: str) -> str:
        """Names what a seat does next besides answering."""
        return self.rooms.keys.ticket(self.id, seat, f"a{self.state.done.get(seat, 0)}")

    def present(self, seat: str) -> int:
        """How many pages of a seat are open here."""
        return sum(each.seat == seat for each in self.subscribers)

    def idle(self) -> bool:
        """Whether nobody is here and nothing is under way."""
        return not (self.subscribers or self._bots_at_work or self.lock.locked())

    async def refresh(self) -> bool:
        """Takes in what was stored meanwhile; whether there was anything."""
        before = self.seq
        for entry in await self.rooms.store.after(self.id, self.seq):
            if entry.seq != self.seq + 1:
                raise RefereeError(f"table {self.id}: an entry is missing before {entry.seq}")
            act = acts.decode(entry.body)
            self.state = self.state.apply(entry.seat, act)
            self.seq = entry.seq
            self.unsaved += _weight(act)
        return self.seq != before

    async def do(self, seat: str, ticket: str, act: AnyAct) -> str:
        """Does something for a seat: "accepted", or "again" if that very act was accepted before.

        Stale if the ticket names a question or act that is past; IllegalAnswer if it may not be done. Both change nothing.
        """
        body = acts.encode(act)
        key = ticket[:64]
        async with self.lock:
            for _ in range(_TRIES):
                named = self.state.question_of(seat) if isinstance(act, acts.Answer | acts.Throw) else None
                if named is None:
                    named = f"a{self.state.done.get(seat, 0)}"
                if not self.rooms.keys.fits(ticket, self.id, seat, named):
                    stored = await self.rooms.store.done(self.id, seat, key)
                    if stored is not None and stored == body:
                        await self.catch_up()
                        return "again"
                    if stored is not None or not await self.catch_up():
                        raise Stale(text("stale"))
                    continue
                if await self._append(seat, key, act, body):
                    self.bots_go_on()
                    return "accepted"
            raise Stale(text("moving"))

    async def _append(self, seat: str, key: str, act: AnyAct, body: bytes) -> bool:
        new = self.state.apply(seat, act)
        try:
            await self.rooms.store.append(self.id, self.seq, seat, key, body, self.rooms.origin)
        except Conflict:
            await self.catch_up()
            return False
        self.state, self.seq = new, self.seq + 1
        self.touch()
        self.unsaved += _weight(act)
        if self.unsaved >= SAVE_EVERY:
            self.unsaved = 0
            try:
                await self.rooms.store.keep(self.id, self.seq, self.state.save())
            except Unavailable as wrong:  # the act itself is stored; a later save will do
                _log.warning("table %s was not saved at %d: %s", self.id, self.seq, wrong)
        return True

    async def catch_up(self) -> bool:
        """Takes in what was stored meanwhile, and tells everybody if there was anything."""
        grown = await self.refresh()
        if grown:
            self.touch()
        return grown

    def touch(self) -> None:
        """Tells everybody that the table has changed, whoever is asked first."""
        self.shown.clear()
        asked = self.state.encounter.asked()
        for each in sorted(self.subscribers, key=lambda each: each.seat not in asked):
            each.changed.set()

    def retell(self, seat: str) -> None:
        """Tells the pages of a seat that there is more to show of the same state."""
        for key in [key for key in self.shown if key[0] in ("parts", "frame") and key[1] == seat]:
            del self.shown[key]
        for each in self.subscribers:
            if each.seat == seat:
                each.changed.set()

    # Bots

    def bots_go_on(self) -> None:
        """Lets the bots of this table answer, if one is asked."""
        if not self._bots_at_work and self.state.bot_to_move() is not None:
            self._bots_at_work = True
            self.rooms.spawn(self._play_bots())

    async def _play_bots(self) -> None:
        try:
            while await self._bots_stop_at_a_fault():
                await asyncio.sleep(_AGAIN)
        finally:
            self._bots_at_work = False

    async def _bots_stop_at_a_fault(self) -> bool:
        """Lets bots answer until none is asked; whether they have stopped because nothing could be stored."""
        try:
            while (seat := self.state.bot_to_move()) is not None:
                if self.subscribers and len(self.state.encounter.offers(seat)) > 1:
                    await asyncio.sleep(self.rooms.bot_pause)
                async with self.lock:
                    seat = self.state.bot_to_move()
                    if seat is None:
                        return False
                    encounter = self.state.encounter.fork(log=False)
                    offer = await asyncio.to_thread(self._bot(seat), encounter, seat)
                    if offer is None:
                        return False
                    act = acts.Answer(offer.value)
                    await self._append(seat, self.ticket(seat)[:64], act, acts.encode(act))
        except Unavailable as wrong:
            _log.warning("table %s: its bots wait: %s", self.id, wrong)
            return True
        except RefereeError:
            _log.exception("table %s: a bot cannot go on", self.id)
        return False

    def _bot(self, seat: str) -> Player:
        kind = self.state.bots[seat]
        if self._bots.get(seat, ("",))[0] != kind:
            self._bots[seat] = kind, bot(kind, secrets.randbelow(_SEED), seat)
        return self._bots[seat][1]


def _weight(act: AnyAct) -> int:
    return _TAKING_BACK if isinstance(act, acts.Undo | acts.Consent) else 1


class Rooms:
    """All open rooms of this server."""

    def __init__(self, store: Store, keys: Keys, *, bot_pause: float = 0.5, odds: Reckoner | None = None) -> None:
        self.store = store
        self.keys = keys
        self.bot_pause = bot_pause
        self.odds = odds
        self.origin = secrets.token_hex(4)  # names this server to the others on the same database
        self.open: dict[str, Room] = {}
        self._opening = asyncio.Lock()
        self._hinted: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Any) -> None:
        """Runs something beside all else, and holds on to it until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Stops what runs beside; an act that is being stored is finished first."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.odds is not None:
            await self.odds.stop()

    async def create(self, name: str, state: State, kind: str = "play") -> Room:
        """Opens a new table."""
        content = state.encounter.content
        row = Row(secrets.token_hex(8), content.ruleset.id, content.scenario.id, name, kind)
        await self.store.create(row, state.save())
        room = Room(self, row, 0, state)
        self._enter(room)
        return room

    def _enter(self, room: Room) -> None:
        """Holds a room open; those that nobody has asked for since longest, and nobody is in, are let go of."""
        self.open[room.id] = room
        if len(self.open) > _KEPT:
            empty = next((each for each in self.open.values() if each is not room and each.idle()), None)
            if empty is not None:
                del self.open[empty.id]

    async def get(self, table: str) -> Room | None:
        """The room of a table; None if there is no such table. BadSave if it cannot be played with what is installed."""
        room = self.open.get(table)
        if room is None:
            async with self._opening:
                room = self.open.get(table)
                if room is None:
                    row = await self.store.table(table)
                    if row is None:
                        return None
                    seq, save = await self.store.saved(table)
                    room = Room(self, row, seq, State.load(save))
                    await room.refresh()
                    self._enter(room)
        else:
            self.open[table] = self.open.pop(table)
        room.bots_go_on()
        return room

    def hint(self, table: str, seq: int) -> None:
        """Another server says that a table has grown to `seq`."""
        room = self.open.get(table)
        if room is not None and room.seq < seq and table not in self._hinted:
            self._hinted.add(table)
            self.spawn(self._follow(room))

    def hint_all(self) -> None:
        """Hints may have been missed: every room looks for itself."""
        for table in list(self.open):
            self.hint(table, 1 << 31)

    async def _follow(self, room: Room) -> None:
        self._hinted.discard(room.id)
        try:
            async with room.lock:
                await room.catch_up()
        except Unavailable as wrong:
            _log.warning("table %s cannot follow: %s", room.id, wrong)


async def arrive(room: Room, seat: str) -> None:
    """Notes that somebody has come to a seat by its link."""
    if seat != HOST and seat not in room.state.arrived:
        try:
            await room.do(seat, room.next_act(seat), acts.Arrive())
        except (Stale, IllegalAnswer):
            return
