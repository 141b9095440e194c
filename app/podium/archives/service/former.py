"""Converts rows of archives of earlier versions to today's tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from sqlalchemy import BigInteger, Boolean, Column, Text

from podium.archives.queries import Row
from podium.archives.service.rows import row_of
from podium.archives.service.tables import JUDGINGS, RUNS, Table
from podium.archives.service.unpacking import Archive
from podium.core.database.types import STORED_JSON, UtcDateTime
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import Judging

LAST_WITHOUT_RUNS = 2
"""The last version of the format in which judgings had the columns of runs."""

_OF_RUNS: tuple[Column[Any], ...] = (
    Column("priority", BigInteger),
    Column("started_at", UtcDateTime),
    Column("cancel_requested", Boolean),
    Column("child_deaths", BigInteger),
    Column("worker_deaths", BigInteger),
    Column("own_failures", BigInteger),
    Column("private_run", Text),
    Column("metric_notes", STORED_JSON),
)

_JUDGINGS = Table(Judging, former=_OF_RUNS)

_STATES = {
    State.QUEUED: WorkState.QUEUED,
    State.RUNNING: WorkState.RUNNING,
    State.SCORED: WorkState.DONE,
    State.REJECTED: WorkState.REFUSED,
    State.FAILED: WorkState.FAILED,
    State.CANCELLED: WorkState.CANCELLED,
}

_PRIVATE_STATES = {None: WorkState.DONE, "pending": WorkState.QUEUED, "failed": WorkState.FAILED}


def rows_in(archive: Archive, table: Table) -> Iterator[Row]:
    """Yields the rows of a table. Raises the errors of `row_of`."""
    if archive.manifest.version > LAST_WITHOUT_RUNS or table not in (JUDGINGS, RUNS):
        for line in archive.lines(table.name):
            yield row_of(table, line)
        return
    for line in archive.lines(JUDGINGS.name):
        judging = row_of(_JUDGINGS, line)
        former = {each.name: judging.pop(each.name, None) for each in _OF_RUNS}
        if table is JUDGINGS:
            yield judging
        else:
            yield from _runs_of(judging, former)


def _runs_of(judging: Row, former: Row) -> Iterator[Row]:
    """Yields the run of the verdict, unless the judging is a rejudging's and still queued, and the
    private run, if a custom metric had one."""
    if judging.get("rejudging_id") is not None and judging["state"] == State.QUEUED:
        return
    notes = former["metric_notes"] or {}
    counted = ("cancel_requested", "child_deaths", "worker_deaths", "own_failures")
    alike = {
        "judging_id": judging["id"],
        "priority": former["priority"],
        "created_at": judging["created_at"],
        "started_at": former["started_at"],
    }
    yield alike | {
        "id": judging["id"],
        "is_private": False,
        "state": _STATES[State(judging["state"])].value,
        "ended_at": judging.get("judged_at"),
        "note": notes.get("public"),
        **{name: former[name] for name in counted if former[name] is not None},
    }
    if "private" in notes or former["private_run"] is not None:
        yield alike | {
            "id": str(uuid5(NAMESPACE_OID, f"{judging['id']} private")),
            "is_private": True,
            "state": _PRIVATE_STATES[former["private_run"]].value,
            "note": notes.get("private"),
        }
