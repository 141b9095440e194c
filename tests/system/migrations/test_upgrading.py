"""Databases of earlier versions, with a row in every table, become databases of this one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.script import ScriptDirectory

from podium.core.database.engine import Database
from podium.core.database.migrate import _alembic, _engine, migrate
from podium.core.database.schema import steps_folder
from podium.core.models import Job, Run
from podium.jobs.kinds import key_of
from podium.jobs.starting import reconciler
from podium.materials.jobs import GROUND_TRUTH, UploadToRead
from podium.queue.durable import DurableQueue

FOLDER = ScriptDirectory(str(steps_folder()))

EARLIER = [step.revision for step in FOLDER.walk_revisions() if not step.is_head]

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

MOVED = {"offers": "dispatches"}
"""Columns of judgings that runs have under another name."""

ANEW = ("look", "metric_notes", "private_run")
"""Columns that become others: how a name looks, and what runs are made of."""

Rows = dict[str, dict[str, Any]]


@contextmanager
def _earlier(url: str, revision: str) -> Iterator[sa.Connection]:
    """Makes the empty database one of an earlier version."""
    with _engine(url) as engine, engine.begin() as connection:
        command.upgrade(_alembic(connection), revision)
        yield connection


def test_every_step_but_the_last_is_an_earlier_version() -> None:
    steps = {path.name for path in Path(FOLDER.versions).glob("[0-9]*.py")}
    assert len(steps) > 1
    assert len(EARLIER) == len(steps) - 1


@pytest.mark.parametrize("revision", EARLIER)
def test_a_row_of_every_table_of_an_earlier_version_is_as_it_was_afterwards(
    empty_database_url: str, revision: str
) -> None:
    with _earlier(empty_database_url, revision) as connection:
        before = _fill(connection)
    assert len(before) >= 20
    migrate(empty_database_url)
    with _engine(empty_database_url) as engine, engine.begin() as connection:
        assert _read(connection, before) == before
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


def _fill(connection: sa.Connection) -> Rows:
    """Inserts one row into every table, and answers them as they are read."""
    tables = sa.MetaData()
    tables.reflect(connection)
    rows: Rows = {}
    for table in tables.sorted_tables:
        if table.name == "alembic_version":
            continue
        given = {column.name: _value(column, rows) for column in table.columns}
        connection.execute(sa.insert(table).values(given))
        row = dict(connection.execute(sa.select(table)).one()._mapping)
        for column in ANEW:
            row.pop(column, None)
        rows[table.name] = row
    return rows


def _read(connection: sa.Connection, before: Rows) -> Rows:
    """The same tables and columns, as they are now, wherever they are."""
    tables = sa.MetaData()
    tables.reflect(connection)
    runs = tables.tables["runs"]
    read: Rows = {}
    for name, row in before.items():
        there = tables.tables[name].c
        columns = [
            there[column] if column in there else runs.c[MOVED.get(column, column)].label(column)
            for column in row
        ]
        query = sa.select(*columns)
        if not row.keys() <= set(there.keys()):
            # The step that made runs gave the one for the verdict the judging's id.
            query = query.join(runs, runs.c.id == there.id)
        read[name] = dict(connection.execute(query).one()._mapping)
    return read


def _value(column: sa.Column[Any], rows: Rows) -> Any:
    """Something that the column takes; of another table's row where it refers to one."""
    for key in column.foreign_keys:
        if key.column.table.name in rows:
            return rows[key.column.table.name][key.column.name]
        # It refers to its own table, or to one that refers back.
        return None
    kind = column.type.python_type
    known: dict[type, Any] = {
        bool: True,
        int: 1,
        float: 0.5,
        datetime: AT if getattr(column.type, "timezone", False) else AT.replace(tzinfo=None),
        date: date(2026, 1, 2),
        # Documents.
        object: {"kept": [1, "2"]},
        dict: {"kept": [1, "2"]},
        bytes: b"kept",
        str: f"{column.table.name}.{column.name}"[: getattr(column.type, "length", None)],
    }
    return known[kind]


def test_a_ground_truth_that_was_being_read_is_read_anew_by_a_worker(
    empty_database_url: str,
) -> None:
    with _earlier(empty_database_url, "2026112206") as connection:
        rows = _fill(connection)
        connection.execute(sa.text("UPDATE ground_truth_versions SET status = 'checking'"))
    migrate(empty_database_url)
    upload = rows["ground_truth_versions"]
    database = Database(empty_database_url)
    with database.read() as session:
        job = session.query(Job).one()
        seen = reconciler(database, DurableQueue(database), lease_seconds=1.0).find(
            session, after="", limit=10
        )
    database.close()
    assert job.kind == GROUND_TRUTH.name
    arguments = GROUND_TRUTH.decoded_arguments(job.arguments)
    assert arguments == UploadToRead(upload["id"])
    assert job.key == key_of(job.kind, upload["competition_id"], job.arguments)
    assert [each.id for each in seen] == [job.id]


NOTES = {"processor": "p", "public": {"outcome": "measured", "processor": "p"}}
BOTH = NOTES | {"private": {"outcome": "measured"}}

JUDGINGS: dict[str, tuple[dict[str, Any], dict[bool, Any]]] = {
    "waits": ({"state": "queued", "offers": 1}, {False: ("queued", None, 1)}),
    "is judged": ({"state": "judging", "worker_id": "w"}, {False: ("running", "w", 1)}),
    "is scored": ({"state": "scored"}, {False: ("done", None, 1)}),
    "is rejected": ({"state": "rejected"}, {False: ("refused", None, 1)}),
    "has failed": ({"state": "failed"}, {False: ("failed", None, 1)}),
    "was cancelled": ({"state": "cancelled"}, {False: ("cancelled", None, 1)}),
    "by a metric, on both splits": (
        {"state": "scored", "metric_notes": BOTH},
        {False: ("done", None, 1), True: ("done", None, 0)},
    ),
    "its private run is due": (
        {"state": "scored", "metric_notes": NOTES, "private_run": "pending", "offers": 2},
        {False: ("done", None, 2), True: ("queued", None, 0)},
    ),
    "its private run is under way": (
        {"state": "scored", "metric_notes": NOTES, "private_run": "pending", "worker_id": "w"},
        {False: ("done", None, 1), True: ("queued", None, 0)},
    ),
    "its private run has failed": (
        {"state": "scored", "metric_notes": BOTH, "private_run": "failed"},
        {False: ("done", None, 1), True: ("failed", None, 0)},
    ),
    "of a rejudging, waits its turn": ({"rejudging": 1, "state": "queued", "offers": 0}, {}),
    "of a rejudging, waits": ({"rejudging": 2, "state": "queued"}, {False: ("queued", None, 1)}),
}
"""Columns of judgings; state, worker and dispatches of their runs, by whether these are private."""


def test_what_judgings_held_is_what_their_runs_hold(empty_database_url: str) -> None:
    with _earlier(empty_database_url, "2026112801") as connection:
        rows = _fill(connection)
        tables = sa.MetaData()
        tables.reflect(connection)
        judgings = tables.tables["judgings"]
        for number, (name, (given, _)) in enumerate(JUDGINGS.items()):
            rejudging = rows["rejudgings"]["id"] if "rejudging" in given else None
            other = {
                **{"id": name, "ground_truth_version": number + 2, "rejudging_id": rejudging},
                **{"repeat": number + 2, "state": "", "worker_id": None, "offers": 1},
                **{"private_run": None, "metric_notes": sa.null()},
            }
            changes = {key: value for key, value in given.items() if key != "rejudging"}
            connection.execute(sa.insert(judgings).values(rows["judgings"] | other | changes))
    migrate(empty_database_url)
    found: dict[str, dict[bool, Any]] = {name: {} for name in JUDGINGS}
    database = Database(empty_database_url)
    with database.read() as session:
        for run in session.query(Run).filter(Run.judging_id.in_(found)):
            found[run.judging_id][run.is_private] = (run.state, run.worker_id, run.dispatches)
            assert (run.id == run.judging_id) == (not run.is_private)
            notes = JUDGINGS[run.judging_id][0].get("metric_notes", {})
            assert run.note == notes.get("private" if run.is_private else "public")
    database.close()
    assert found == {name: expected for name, (_, expected) in JUDGINGS.items()}


def test_verdicts_of_running_competitions_get_the_bits_that_they_have_told(
    empty_database_url: str,
) -> None:
    with _earlier(empty_database_url, "2026112701") as connection:
        rows = _fill(connection)
        _judged(connection, rows, board="exact", decimals=3, objective_scores="always")
        connection.execute(sa.text("UPDATE competitions SET revealed_at = NULL, frozen_at = NULL"))
    migrate(empty_database_url)
    with _engine(empty_database_url) as engine, engine.begin() as connection:
        told = sa.text("SELECT told_bits, told_detail_bits FROM judgings")
        number = math.log2(1001)
        assert tuple(connection.execute(told).one()) == pytest.approx((number, 3 * number))


def test_verdicts_of_revealed_competitions_get_no_bits(empty_database_url: str) -> None:
    with _earlier(empty_database_url, "2026112701") as connection:
        _judged(connection, _fill(connection), board="ladder")
    migrate(empty_database_url)
    with _engine(empty_database_url) as engine, engine.begin() as connection:
        assert connection.execute(sa.text("SELECT told_bits FROM judgings")).scalar_one() is None


def _judged(connection: sa.Connection, rows: Rows, **settings: Any) -> None:
    """Makes the only submission a scored one that was shown, with these settings."""
    tables = sa.MetaData()
    tables.reflect(connection, only=["submissions", "judgings", "competitions"])
    connection.execute(
        tables.tables["submissions"]
        .update()
        .values(judging_id=rows["judgings"]["id"], identical_to=None, is_held_back=False)
    )
    connection.execute(tables.tables["judgings"].update().values(state="scored"))
    connection.execute(tables.tables["competitions"].update().values(settings=settings))
