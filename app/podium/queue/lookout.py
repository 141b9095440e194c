"""Looks for waiting jobs on one connection of its own, and sleeps until there may be some.

A job wakes the worker of its own process by itself. Those of other processes are announced by
PostgreSQL (`LISTEN`); with SQLite, a look at the file's version ten times a second costs next to
nothing. A wake-up may be lost, and behind some proxies of PostgreSQL all are: so workers also look
without one.
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
"""The channel of PostgreSQL's notifications; one of its databases hears none of another's."""

GLANCE_SECONDS = 0.1
"""Seconds between two looks at the version of SQLite's file."""

SCHEMA = "dbos"
"""The schema of the engine's tables on PostgreSQL."""

_log = get_logger("queue")


class Lookout(ABC):
    """Used by one thread, but for `wake`."""

    def __init__(self, engine: Engine, queues: Sequence[str]) -> None:
        self._engine = engine
        self._queues = queues
        self._question = _question(engine, queues)
        self._driver: Any = None
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)
        self._far.setblocking(False)

    def wake(self) -> None:
        """Ends the `wait` under way, or else the next one; any thread may call it."""
        # A full buffer is a wake-up as well, and behind a closed one no thread sleeps.
        with suppress(OSError):
            self._far.send(b"\0")

    def waiting(self) -> set[str]:
        """The queues in which jobs wait. Raises what the driver raises."""
        if self._driver is not None:
            try:
                return self._ask()
            except (sqlite3.Error, psycopg.Error):
                # The connection may have grown old; a new one tells whether the database is away.
                self._disconnect()
        self._connect()
        return self._ask()

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Returns once jobs may wait, and after so long anyway."""

    def close(self) -> None:
        """Closes the connection; there is nothing more to wait for."""
        self._disconnect()
        self._near.close()
        self._far.close()

    def _ask(self) -> set[str]:
        answers = self._driver.execute(self._question).fetchone()
        return {queue for queue, waits in zip(self._queues, answers, strict=True) if waits}

    def _connect(self) -> None:
        pooled = self._engine.raw_connection()
        self._driver = pooled.driver_connection
        # It stays open for as long as the process lives: the pool has room for another.
        pooled.detach()

    def _disconnect(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _is_woken(self, seconds: float, *besides: Any) -> bool:
        """Sleeps until woken, or until one of the others can be read; False after so long."""
        # Not `select`, which takes no descriptor above 1,023.
        poll = select.poll()
        for each in (self._near, *besides):
            poll.register(each, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
        with suppress(BlockingIOError):
            self._near.recv(4096)
        return True


class SqliteLookout(Lookout):
    """Sees by the version of the file that another connection has committed, of any process."""

    _version: object = None

    def wait(self, seconds: float) -> None:
        """Glances at the version meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._is_woken(min(left, GLANCE_SECONDS)) or self._has_changed():
                return

    def _ask(self) -> set[str]:
        # Before the question: what is committed in between is seen at the next glance.
        self._version = self._version_now()
        return super()._ask()

    def _has_changed(self) -> bool:
        with suppress(sqlite3.Error):
            return self._driver is not None and self._version_now() != self._version
        return True

    def _version_now(self) -> object:
        return self._driver.execute("PRAGMA data_version").fetchone()


class PostgresLookout(Lookout):
    """Is notified by the server of what any process has committed."""

    def wait(self, seconds: float) -> None:
        """Waits for the server as well."""
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
        """Takes what was sent, also between two statements; also true of a lost connection."""
        try:
            return bool(list(self._driver.notifies(timeout=0)))
        except psycopg.Error:
            self._disconnect()
            return True


def lookout(database: Database, queues: Sequence[str]) -> Lookout:
    """The one for this kind of database."""
    kind = SqliteLookout if database.is_sqlite else PostgresLookout
    return kind(database.read_engine, queues)


def _question(engine: Engine, queues: Sequence[str]) -> str:
    """One statement that answers for each queue whether a job waits. Of the engine's tables it
    knows this much; asking the engine would cost several statements for each queue."""
    schema = None if engine.dialect.name == "sqlite" else SCHEMA
    jobs = table("workflow_status", column("queue_name"), column("status"), schema=schema)
    waits = (
        select_from(literal(1))
        .select_from(jobs)
        # The second condition is that of the engine's index, as SQLite wants to see it.
        .where(jobs.c.status == "ENQUEUED", jobs.c.status.in_(["ENQUEUED", "PENDING"]))
    )
    return text_of(engine, *(waits.where(jobs.c.queue_name == queue).exists() for queue in queues))
