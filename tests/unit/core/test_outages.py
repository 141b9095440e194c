"""Outages of the database server in the log: one line a minute; nothing else is taken for one."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from podium.core.database.outages import EVERY_SECONDS, Outages, is_full, line_of, outage_of

REFUSED = psycopg.OperationalError("connection failed: Connection refused\n\tIs it running?")


def wrapped(cause: Exception) -> OperationalError:
    """An error as SQLAlchemy raises it."""
    return OperationalError("SELECT 1", {}, cause)


@pytest.mark.parametrize("error", [REFUSED, wrapped(REFUSED)])
def test_an_outage_is_told_in_one_line(error: Exception) -> None:
    with capture_logs() as told:
        assert Outages().tell(error)
    assert told == [
        {
            "event": "database.unavailable",
            "log_level": "warning",
            "source": "database",
            "detail": "connection failed: Connection refused",
            "seconds": 0,
        }
    ]


def test_an_outage_that_lasts_is_told_once_a_minute_and_its_end_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outages = Outages()
    with capture_logs() as told:
        for now in (0.0, 1.0, EVERY_SECONDS - 1, EVERY_SECONDS, EVERY_SECONDS + 1):
            monkeypatch.setattr(time, "monotonic", lambda now=now: now)
            assert outages.tell(REFUSED)
        outages.end()
        outages.end()
    assert [(each["event"], each["seconds"]) for each in told] == [
        ("database.unavailable", 0),
        ("database.unavailable", 60),
        ("database.available", 61),
    ]


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a bug"),
        wrapped(psycopg.errors.UndefinedTable("a bug")),
        wrapped(psycopg.errors.DeadlockDetected("two at a time")),
        wrapped(psycopg.errors.QueryCanceled("too slow")),
        wrapped(sqlite3.OperationalError("no such table")),
    ],
)
def test_everything_else_is_left_to_be_told_whole(error: Exception) -> None:
    with capture_logs() as told:
        assert not Outages().tell(error)
    assert told == []


@pytest.mark.parametrize("kind", [psycopg.errors.DiskFull, psycopg.errors.CannotConnectNow])
def test_a_server_that_lacks_something_or_starts_is_an_outage(
    kind: type[psycopg.Error],
) -> None:
    assert outage_of(wrapped(kind("not now"))) == "not now"


def test_a_full_disk_of_sqlite_is_an_outage(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "small.sqlite3")) as connection:
        connection.execute("PRAGMA max_page_count = 2")
        connection.execute("CREATE TABLE t (x)")
        with pytest.raises(sqlite3.OperationalError) as found:
            connection.execute("INSERT INTO t VALUES (randomblob(100000))")
    assert outage_of(wrapped(found.value)) == "database or disk is full"
    assert is_full(wrapped(found.value))


def test_a_database_that_another_program_has_locked_is_an_outage(tmp_path: Path) -> None:
    file = tmp_path / "locked.sqlite3"
    with closing(sqlite3.connect(file)) as other, closing(sqlite3.connect(file, timeout=0)) as ours:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError) as found:
            ours.execute("BEGIN IMMEDIATE")
    assert outage_of(wrapped(found.value)) == "database is locked"


def test_only_a_full_disk_is_full() -> None:
    assert is_full(wrapped(psycopg.errors.DiskFull("could not extend file")))
    for error in (REFUSED, sqlite3.OperationalError("database is locked"), ValueError("full")):
        assert not is_full(wrapped(error))


def test_the_line_of_an_error_is_its_first_line_without_the_statement() -> None:
    assert line_of(wrapped(REFUSED)) == "connection failed: Connection refused"
    assert line_of(ValueError()) == "ValueError"
