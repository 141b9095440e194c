"""Engines and transactions for SQLite and PostgreSQL behind one small class.

Reading and writing are different session types, so that a use case shows in its signature whether
it may change anything. SQLite write sessions start with `BEGIN IMMEDIATE`: the driver's own
transaction handling begins only at the first write and silently loses concurrent updates.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.orm import Session

from podium.core.database.availability import AnsweringConnection

BUSY_MILLISECONDS = 30_000
"""Milliseconds that a SQLite connection waits for another writer before it fails."""


class ReadSession(Session):
    """A session that is never committed."""


class WriteSession(Session):
    """A session that is one write transaction."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.after_commit: list[Callable[[], None]] = []
        """Called once the transaction is committed, and not at all if it is rolled back."""

    def rollback(self) -> None:
        """Rolls the transaction back and drops the callbacks for its commit."""
        super().rollback()
        self.after_commit.clear()


class Database:
    """One database: `read()` and `write()` sessions, and the time by its own clock."""

    def __init__(self, url: str, *, pool_size: int = 20) -> None:
        self.url = url
        self.is_sqlite = make_url(url).get_backend_name() == "sqlite"
        self.write_engine = _engine(url, pool_size, begin="BEGIN IMMEDIATE")
        self.read_engine = (
            _engine(url, pool_size, begin="BEGIN") if self.is_sqlite else self.write_engine
        )
        self.turns = _Turns(are_needed=self.is_sqlite)
        """Also taken by code that writes without `write()`."""
        self._counting = threading.Lock()
        self.writes = 0
        """Counts the write transactions of this process that may have changed something, except for
        minor ones: while it stays the same, data that was read since can only have been changed by
        one of these, or by another process."""

    @contextmanager
    def read(self) -> Iterator[ReadSession]:
        """Opens a consistent view of the database; always rolled back."""
        with ReadSession(self.read_engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self, *, is_minor: bool = False) -> Iterator[WriteSession]:
        """Opens a write transaction: it commits when the block ends and rolls back when it raises.
        A minor one changes nothing that all users share, so that cached responses stay."""
        engine = self.write_engine
        is_to_be_kept = False
        try:
            with (
                self.turns.taken(),
                WriteSession(engine, expire_on_commit=False) as session,
                session.begin(),
            ):
                yield session
                is_to_be_kept = True
            for call in session.after_commit:
                call()
        finally:
            # Also after an error of the commit: one whose answer was lost may have happened. A
            # request that was refused before changes nothing, and must not invalidate a cached
            # response.
            if is_to_be_kept and not is_minor:
                with self._counting:
                    self.writes += 1

    def close(self) -> None:
        """Closes the pools; open sessions keep their connection until they end."""
        self.write_engine.dispose()
        self.read_engine.dispose()


class _Turns:
    """Serializes the writing threads of this process for SQLite, which allows one writer at a time.
    A waiting connection only polls, so among many the unlucky ones would wait several times as
    long. Writers of other processes still meet at the file's lock."""

    def __init__(self, *, are_needed: bool) -> None:
        self._lock = threading.Lock() if are_needed else None

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Waits for the turn; after SQLite's own timeout it goes on without one, and SQLite
        decides."""
        if self._lock is None:
            yield
            return
        is_ours = self._lock.acquire(timeout=BUSY_MILLISECONDS / 1000)
        try:
            yield
        finally:
            if is_ours:
                self._lock.release()


def lock_name(session: WriteSession, name: str) -> None:
    """Serializes transactions about the same name on PostgreSQL; those of SQLite are exclusive
    anyway."""
    if session.get_bind().dialect.name != "sqlite":
        session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


_NOW_OF_SQLITE = select(func.strftime("%Y-%m-%dT%H:%M:%f", "now"))
_NOW_OF_POSTGRESQL = select(func.clock_timestamp())


def database_now(session: Session) -> datetime:
    """Reads the time of the database's clock, in UTC: the only clock for quotas, dates and leases.

    It does not flush pending changes: PostgreSQL checks the references of a row that one
    transaction writes twice, and so waits for the rows that they lead to.
    """
    with session.no_autoflush:
        if session.get_bind().dialect.name == "sqlite":
            text = session.scalar(_NOW_OF_SQLITE)
            return datetime.fromisoformat(str(text)).replace(tzinfo=UTC)
        moment: datetime = session.scalar(_NOW_OF_POSTGRESQL)  # type: ignore[assignment]
        return moment.astimezone(UTC)


def _engine(url: str, pool_size: int, *, begin: str) -> Engine:
    # Parameters stay out of errors and so out of logs: they include scores and hashes of tokens.
    options: dict[str, Any] = {
        "pool_size": pool_size,
        "max_overflow": pool_size,
        "hide_parameters": True,
    }
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _sqlite_engine(url, options, begin)
    # Bounded waits for a connection and for an answer turn an unreachable database into a 503.
    engine = create_engine(
        url,
        pool_timeout=5,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5, "options": "-c timezone=utc"},
        **options,
    )

    @event.listens_for(engine, "do_connect")
    def _on_connect(
        _dialect: object, _record: object, words: Sequence[str], options: dict[str, Any]
    ) -> AnsweringConnection:
        return AnsweringConnection.connect(*words, **options)

    return engine


def _sqlite_engine(url: str, options: dict[str, Any], begin: str) -> Engine:
    seconds = BUSY_MILLISECONDS / 1000
    connect_args = {"timeout": seconds, "check_same_thread": False}
    engine = create_engine(url, connect_args=connect_args, **options)
    pragmas = (
        f"busy_timeout={BUSY_MILLISECONDS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
