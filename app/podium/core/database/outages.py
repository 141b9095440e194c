"""Logs outages of a database that is unavailable, locked, or full: one line at once and one a
minute while it lasts, and one when it is back. Every poll, round and heartbeat fails meanwhile,
several times a second."""

from __future__ import annotations

import sqlite3
import threading
import time

import psycopg
from sqlalchemy.exc import DBAPIError

from podium.logs import get_logger

EVERY_SECONDS = 60.0
"""Seconds between two log entries about one outage."""

OF_THE_SERVER = ("08", "53", "57", "58")
"""Classes of PostgreSQL's error codes: connection, resources, operator intervention, system
error."""

QUERY_CANCELLED = "57014"

DISK_FULL = "53100"

OF_SQLITE = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    }
)
"""SQLite's result codes, without their extensions, for an unavailable file or full disk, or for a
lock that another program does not release."""

NO_SAVEPOINT = "no such savepoint"

_log = get_logger("database")


def outage_of(error: BaseException) -> str | None:
    """Returns the reason in a line if the error means that the server, or SQLite's file, is
    unavailable, shuts down, or lacks a resource; None for every other error, which is to be
    investigated."""
    cause = _cause_of(error)
    if isinstance(cause, sqlite3.OperationalError):
        return line_of(error) if _code_of(cause) in OF_SQLITE else None
    # A wrong statement is none of these, and a serialization failure is not an outage.
    if not isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return None
    state = cause.sqlstate
    if state is not None and (state[:2] not in OF_THE_SERVER or state == QUERY_CANCELLED):
        return None
    return line_of(error)


def line_of(error: BaseException) -> str:
    """Extracts the first line of the message of the database or its driver."""
    cause = _cause_of(error)
    return next(iter(str(cause).strip().splitlines()), type(cause).__name__)


def is_full(error: BaseException) -> bool:
    """True if the error means that the database's disk is full."""
    cause = _cause_of(error)
    if isinstance(cause, sqlite3.Error):
        return _code_of(cause) == sqlite3.SQLITE_FULL
    return isinstance(cause, psycopg.Error) and cause.sqlstate == DISK_FULL


def _cause_of(error: BaseException) -> BaseException:
    """Finds the driver's error. On a full disk SQLite ends the whole transaction, so that the
    rollback to a savepoint fails as well: the cause is then the error before."""
    cause = (error.orig or error) if isinstance(error, DBAPIError) else error
    before = error.__context__
    if isinstance(cause, sqlite3.Error) and NO_SAVEPOINT in str(cause) and before is not None:
        return _cause_of(before)
    return cause


def _code_of(error: sqlite3.Error) -> int:
    # Errors of the module itself have none.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


class Outages:
    """Tracks outages of the database so that each is logged now and then; one for a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began: float | None = None
        self._logged_at = 0.0

    def tell(self, error: BaseException) -> bool:
        """Logs an outage, unless one was logged a moment ago; returns False for other errors."""
        detail = outage_of(error)
        if detail is None:
            return False
        with self._lock:
            now = time.monotonic()
            if self._began is None:
                self._began = now
            elif now - self._logged_at < EVERY_SECONDS:
                return True
            self._logged_at, lasting = now, now - self._began
        _log.warning("database.unavailable", detail=detail, seconds=round(lasting))
        return True

    def end(self) -> None:
        """Logs the end of an outage, if there was one, after an answer of the database."""
        with self._lock:
            began, self._began = self._began, None
        if began is not None:
            _log.info("database.available", seconds=round(time.monotonic() - began))


OUTAGES = Outages()
"""The tracker of this process."""
