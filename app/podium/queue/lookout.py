"""Watches for waiting jobs over a connection of its own, and sleeps until there may be some.

A job wakes the worker of its own process directly. PostgreSQL announces those of other processes
(`LISTEN`); with SQLite, checking the file's version ten times a second costs next to nothing. A
wake-up may be lost, and behind some proxies of PostgreSQL all are: so workers also look without
one.
"""

from __future__ import annotations

import select
import socket
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psycopg
from sqlalchemy import Engine, column, literal, table
from sqlalchemy import select as select_from

from podium.core.database.engine import Database
from podium.core.database.outages import line_of, outage_of
from podium.core.database.prechecks import text_of
from podium.logs import get_logger

CHANNEL = "podium_jobs"
"""The channel of PostgreSQL's notifications, which is private to each database."""

GLANCE_SECONDS = 0.1
"""Seconds between two checks of the version of SQLite's file."""

SCHEMA = "dbos"
"""The schema of the engine's tables on PostgreSQL."""

_log = get_logger("queue")


class Lookout(ABC):
    """Watches some queues. Only one thread may use it, except for `wake`."""

    def __init__(self, engine: Engine, queues: Sequence[str]) -> None:
        self._engine = engine
        self._queues = queues
        self._statement = _statement(engine, queues)
        self._driver: Any = None
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)
        self._far.setblocking(False)

    def wake(self) -> None:
        """Ends the `wait` under way, or else the next one; safe to call from any thread."""
        # A full buffer wakes as well, and no thread sleeps on a closed socket.
        with suppress(OSError):
            self._far.send(b"\0")

    def waiting(self) -> set[str]:
        """Returns the queues in which jobs wait. Raises the driver's errors."""
        if self._driver is not None:
            try:
                return self._ask()
            except (sqlite3.Error, psycopg.Error):
                # The connection may have timed out; a new one shows whether the database is
                # unreachable.
                self._disconnect()
        self._connect()
        return self._ask()

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Returns when jobs may wait, or after so many seconds."""

    def close(self) -> None:
        """Closes the connection and the sockets."""
        self._disconnect()
        self._near.close()
        self._far.close()

    def _ask(self) -> set[str]:
        answers = self._driver.execute(self._statement).fetchone()
        return {queue for queue, waits in zip(self._queues, answers, strict=True) if waits}

    def _connect(self) -> None:
        pooled = self._engine.raw_connection()
        self._driver = pooled.driver_connection
        # Detached, because it stays open for the life of the process: the pool can open another.
        pooled.detach()

    def _disconnect(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _is_woken(self, seconds: float, *besides: Any) -> bool:
        """Sleeps until woken, or until one of `besides` is readable; returns False after so many
        seconds."""
        # `select.select` accepts no descriptor above 1,023.
        poll = select.poll()
        for each in (self._near, *besides):
            poll.register(each, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
        with suppress(BlockingIOError):
            self._near.recv(4096)
        return True


class SqliteLookout(Lookout):
    """Detects commits of other connections, of any process, by the version of the file."""

    _version: object = None

    def wait(self, seconds: float) -> None:
        """Checks the version of the file meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._is_woken(min(left, GLANCE_SECONDS)) or self._has_changed():
                return

    def _ask(self) -> set[str]:
        # Read before the query: whatever is committed in between shows at the next check.
        self._version = self._version_now()
        return super()._ask()

    def _has_changed(self) -> bool:
        with suppress(sqlite3.Error):
            return self._driver is not None and self._version_now() != self._version
        return True

    def _version_now(self) -> object:
        return self._driver.execute("PRAGMA data_version").fetchone()


class PostgresLookout(Lookout):
    """Receives the server's notifications about commits of any process."""

    def wait(self, seconds: float) -> None:
        """Waits for a notification of the server as well."""
        if self._driver is None:
            self._is_woken(seconds)
        elif not self._is_notified() and self._is_woken(seconds, self._driver):
            self._is_notified()

    def _connect(self) -> None:
        super()._connect()
        self._driver.autocommit = True
        try:
            self._driver.execute(f"LISTEN {CHANNEL}")
        except psycopg.Error as error:
            if outage_of(error) is not None:
                self._disconnect()
                raise
            _log.warning("queue.not-notified", detail=line_of(error))

    def _is_notified(self) -> bool:
        """Receives pending notifications without waiting; True if there were any, or if the
        connection is lost."""
        try:
            return bool(list(self._driver.notifies(timeout=0)))
        except psycopg.Error:
            self._disconnect()
            return True


def lookout(database: Database, queues: Sequence[str]) -> Lookout:
    """Returns a lookout for this kind of database."""
    kind = SqliteLookout if database.is_sqlite else PostgresLookout
    return kind(database.read_engine, queues)


def _statement(engine: Engine, queues: Sequence[str]) -> str:
    """Returns one SQL statement that answers for each queue whether a job waits. This is all that
    we know of the engine's tables; asking the engine would take several statements for each
    queue."""
    schema = None if engine.dialect.name == "sqlite" else SCHEMA
    jobs = table("workflow_status", column("queue_name"), column("status"), schema=schema)
    waits = (
        select_from(literal(1))
        .select_from(jobs)
        # The second condition repeats that of the engine's partial index, so that SQLite uses it.
        .where(jobs.c.status == "ENQUEUED", jobs.c.status.in_(["ENQUEUED", "PENDING"]))
    )
    return text_of(engine, *(waits.where(jobs.c.queue_name == queue).exists() for queue in queues))
