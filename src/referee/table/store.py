"""The store: tables and their acts, append-only, each appended where it was expected to go or not at all.

SQLite runs in one thread of its own, a whole transaction at a time; PostgreSQL through asyncpg. Every operation is one
function of a connection.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    text,
)  # fmt: skip
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ..engine.errors import RefereeError

T = TypeVar("T")

meta = MetaData()
_tables = Table(
    "table_", meta,
    Column("id", String(32), primary_key=True), Column("ruleset", String(200), nullable=False),
    Column("scenario", String(200), nullable=False), Column("name", String(200), nullable=False),
    Column("kind", String(16), nullable=False), Column("opened_at", DateTime(timezone=True), server_default=func.now()),
)  # fmt: skip
_entries = Table(
    "entry", meta,
    Column("table_id", String(32), primary_key=True), Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("seat", String(64), nullable=False), Column("key", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False), Column("at", DateTime(timezone=True), server_default=func.now()),
    UniqueConstraint("table_id", "seat", "key"),
)  # fmt: skip
_saves = Table(
    "save", meta,
    Column("table_id", String(32), primary_key=True), Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
)  # fmt: skip

CHANNEL: Final = "referee"
_ADD: Final = "INSERT INTO entry (table_id, seq, seat, key, body) VALUES "
_HERE: Final = _ADD + "(?, ?, ?, ?, ?)"
_THERE: Final = f"WITH added AS ({_ADD} ($1, $2, $3, $4, $5) RETURNING seq) SELECT pg_notify($6, $7) FROM added"
_PATIENCE: Final = 10  # seconds; then PostgreSQL is held to be gone
_FULL: Final = ("SQLITE_FULL", "SQLITE_READONLY", "53100", "25006")  # and PostgreSQL's: disk full, read-only
_STARTING: Final = 7261  # names the lock under which servers that start at once make the tables


class Conflict(Exception):
    """Somebody else appended first, or this act was appended already."""


class Unavailable(RefereeError):
    """The database cannot be reached."""


class Full(Unavailable):
    """The database can be read, and takes nothing more."""


class Row(NamedTuple):
    """A table as it was opened."""

    id: str
    ruleset: str
    scenario: str
    name: str
    kind: str


class Entry(NamedTuple):
    """An act as it is stored, with who did it."""

    seq: int
    seat: str
    body: bytes


class Store:
    """All tables of a database. Every method raises Unavailable if the database is gone or full."""

    def __init__(self, url: str) -> None:
        self.sqlite = url.startswith("sqlite")
        self._pooled: AsyncEngine | None = None
        if self.sqlite:
            self._thread = ThreadPoolExecutor(1, "store")
            self._engine = create_engine(url, pool_size=1, max_overflow=0, connect_args={"check_same_thread": False})
            event.listen(self._engine, "connect", _prepare)
            event.listen(self._engine, "begin", _begin)
            self._reading = self._engine.execution_options(reading=True)
        else:
            self._pooled = create_async_engine(
                asyncpg_url(url), pool_size=8, max_overflow=4, pool_timeout=_PATIENCE,
                connect_args={"timeout": _PATIENCE, "command_timeout": _PATIENCE},
            )  # fmt: skip
            self._single = self._pooled.execution_options(isolation_level="AUTOCOMMIT")

    async def _read(self, call: Callable[[Connection], T]) -> T:
        """One statement that changes nothing."""
        return await self._do(call, single=True)

    async def _do(self, call: Callable[[Connection], T], *, single: bool = False) -> T:
        """A transaction; `single` says that it is one statement, which is one by itself."""
        try:
            if self._pooled is None:
                return await asyncio.get_running_loop().run_in_executor(self._thread, self._whole, call, single)
            try:
                return await self._there(call, single)
            except DBAPIError as wrong:
                if not wrong.connection_invalidated:
                    raise
                # A database that was started again leaves dead connections in the pool; now they are gone from it. What was
                # done all the same before the connection died meets a key that is taken.
                return await self._there(call, single)
        except IntegrityError:
            raise
        except (DBAPIError, SQLAlchemyError, OSError) as wrong:
            raise _fault(wrong) from wrong

    async def _there(self, call: Callable[[Connection], T], single: bool) -> T:
        assert self._pooled is not None
        async with self._single.connect() if single else self._pooled.begin() as connection:
            return await connection.run_sync(call)

    def _whole(self, call: Callable[[Connection], T], reading: bool) -> T:
        with (self._reading if reading else self._engine).begin() as connection:
            return call(connection)

    async def open(self) -> None:
        """Makes what is missing in the database."""

        def make(connection: Connection) -> None:
            if not self.sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _STARTING})
            meta.create_all(connection)

        await self._do(make)

    async def close(self) -> None:
        """Lets go of the database."""
        if self._pooled is not None:
            await self._pooled.dispose()
        else:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
            self._thread.shutdown()

    async def create(self, row: Row, save: bytes) -> None:
        """A new table, with its state before the first act."""

        def make(connection: Connection) -> None:
            connection.execute(insert(_tables).values(row._asdict()))
            connection.execute(insert(_saves).values(table_id=row.id, seq=0, body=save))

        try:
            await self._do(make)
        except IntegrityError:  # the same was done just before its connection died: nobody else draws that id
            return

    async def table(self, table: str) -> Row | None:
        """A table as it was opened; None if there is none of that id."""
        columns = _tables.c
        query = select(columns.id, columns.ruleset, columns.scenario, columns.name, columns.kind).where(columns.id == table)
        found = await self._read(lambda connection: connection.execute(query).first())
        return None if found is None else Row(*found)

    async def saved(self, table: str) -> tuple[int, bytes]:
        """The newest state that was kept, and after which entry."""
        query = select(_saves.c.seq, _saves.c.body).where(_saves.c.table_id == table).order_by(_saves.c.seq.desc()).limit(1)
        found = await self._read(lambda connection: connection.execute(query).one())
        return int(found[0]), bytes(found[1])

    async def keep(self, table: str, seq: int, save: bytes) -> None:
        """Keeps a state, so that the table opens fast, in place of older ones but the first.

        Another server may have kept the same.
        """

        def replace(connection: Connection) -> None:
            connection.execute(insert(_saves).values(table_id=table, seq=seq, body=save))
            older = (_saves.c.table_id == table) & (_saves.c.seq > 0) & (_saves.c.seq < seq)
            connection.execute(delete(_saves).where(older))

        try:
            await self._do(replace)
        except IntegrityError:
            return

    async def after(self, table: str, seq: int) -> list[Entry]:
        """The entries after that number, in order."""
        columns = _entries.c
        query = (
            select(columns.seq, columns.seat, columns.body)
            .where(columns.table_id == table, columns.seq > seq)
            .order_by(columns.seq)
        )
        rows = await self._read(lambda connection: connection.execute(query).all())
        return [Entry(int(row[0]), str(row[1]), bytes(row[2])) for row in rows]

    async def done(self, table: str, seat: str, key: str) -> bytes | None:
        """What a seat has appended under a key; None if nothing."""
        columns = _entries.c
        query = select(columns.body).where(columns.table_id == table, columns.seat == seat, columns.key == key)
        found = await self._read(lambda connection: connection.execute(query).scalar())
        return None if found is None else bytes(found)

    async def append(self, table: str, expected: int, seat: str, key: str, body: bytes, origin: str) -> None:
        """Appends after the entry `expected`. Conflict if that is no longer the last, or the key was used.

        On PostgreSQL the other servers hear of it by the same statement.
        """

        entry = (table, expected + 1, seat, key, body)
        try:
            if self._pooled is None:
                await asyncio.get_running_loop().run_in_executor(self._thread, self._add, entry)
            else:
                told = (*entry, CHANNEL, f"{table}:{expected + 1}:{origin}")
                await self._do(lambda connection: connection.exec_driver_sql(_THERE, told), single=True)
        except (IntegrityError, sqlite3.IntegrityError) as wrong:
            raise Conflict from wrong
        except sqlite3.Error as wrong:
            raise _fault(wrong) from wrong

    def _add(self, entry: tuple[str, int, str, str, bytes]) -> None:
        # Past SQLAlchemy, which takes twice as long as SQLite for one row: every answer is one.
        with closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute(_HERE, entry)


def _fault(wrong: Exception) -> Unavailable:
    cause = getattr(wrong, "orig", None) or wrong
    code = str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))
    kind = type(cause).__name__
    if code.startswith(_FULL):
        return Full(f"the database takes nothing more ({kind}, {code})")
    return Unavailable(f"the database does not answer ({kind}{', ' + code if code else ''})")


def asyncpg_url(url: str) -> str:
    """A URL of PostgreSQL as SQLAlchemy wants it for asyncpg."""
    scheme, colon, rest = url.partition("://")
    return f"postgresql+asyncpg{colon}{rest}" if scheme in ("postgres", "postgresql") else url


def _prepare(connection: Any, _: Any) -> None:
    # A transaction that begins as a reader and then writes would fail at once, whatever the timeout.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # What only reads needs no lock, and can be read on a disk that takes nothing more.
    connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reading") else "BEGIN IMMEDIATE")
