"""Processes that are stopped where others can go on."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

import sqlalchemy as sa

from tests.builders.faults.stage import Process, Stage


def pause(stage: Stage, process: Process) -> None:
    """Stops a process outside of its transactions: SQLite has one writer, and one that is stopped
    holds up everybody else for as long as it is."""
    process.pause()
    while not _is_writable(stage.database_url):
        process.go_on()
        time.sleep(0.05)
        process.pause()


def _is_writable(database_url: str) -> bool:
    place = sa.make_url(database_url).database
    if not database_url.startswith("sqlite") or place is None:
        return True
    with closing(sqlite3.connect(place, timeout=0.5, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.execute("ROLLBACK")
        return True
