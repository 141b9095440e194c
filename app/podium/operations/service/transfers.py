"""Transfers a snapshot of one kind of database to the other kind: SQLite to PostgreSQL, and back.

Values are converted by the types of the models, which mean the same on both. The engine's own
tables are not transferred: waiting work is dispatched to it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import closing
from datetime import date, datetime
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Date,
    Float,
    Integer,
    LargeBinary,
    Table,
    bindparam,
    create_engine,
    func,
    insert,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError, StatementError

from podium.core.database.migrate import empty_tables, migrate
from podium.core.database.reading import batches
from podium.core.database.schema import newest_steps
from podium.core.database.snapshot_rows import rows_in
from podium.core.database.snapshots import load
from podium.core.database.types import ExactNumber, UtcDateTime
from podium.core.models import Base
from podium.errors import NotConfigured, Unavailable

BATCH = 1_000
"""Rows that are in memory at a time."""

Values = Mapping[str, Any]
"""A row by the keys of its columns."""

READERS: tuple[tuple[type[Any], Callable[[str], Any]], ...] = (
    (UtcDateTime, datetime.fromisoformat),
    (ExactNumber, Fraction),
    (JSON, json.loads),
    (Boolean, {"t": True, "f": False}.__getitem__),
    (Integer, int),
    (BigInteger, int),
    (Float, float),
    (Date, date.fromisoformat),
    (LargeBinary, lambda value: bytes.fromhex(value.removeprefix(r"\x"))),
)
"""The types whose values are not plain text in PostgreSQL's dumps, and their parsers."""


def load_rows(snapshot_file: Path, *, is_sqlite: bool, database_url: str) -> int | None:
    """Restores a snapshot of SQLite or PostgreSQL into an empty database. Returns the number of
    rows where the kind changed, None where it stayed.

    Raises `NotConfigured`, `StoredFileCorrupt`, and `Unavailable`, also for rows that the other
    kind cannot store; the database then is as empty as before.
    """
    if (make_url(database_url).get_backend_name() == "sqlite") == is_sqlite:
        load(snapshot_file, database_url=database_url)
        return None
    if is_sqlite:
        return _into_postgresql(snapshot_file, database_url)
    converted = snapshot_file.with_name("converted")
    count = _into_sqlite(snapshot_file, converted)
    load(converted, database_url=database_url)
    return count


def require_same_version(steps: Set[str]) -> None:
    """Raises `NotConfigured` for the migrations of a snapshot of PostgreSQL by an earlier version:
    its rows can only be upgraded there."""
    if steps != newest_steps():
        raise NotConfigured(
            "This backup of PostgreSQL is of an earlier version, and can become SQLite only after"
            " an upgrade. Restore it into an empty PostgreSQL database, and make a new backup of"
            " that."
        )


def _into_postgresql(snapshot_file: Path, database_url: str) -> int:
    # The snapshot is a copy, which may be of an earlier version.
    source_url = f"sqlite:///{snapshot_file}"
    migrate(source_url)
    engine = create_engine(source_url, execution_options={"yield_per": BATCH})
    with closing(engine.connect()) as source, empty_tables(database_url) as target:
        count = 0
        for table in Base.metadata.sorted_tables:
            keys = [column.key for column in table.columns]
            rows = source.execute(select(*table.columns))
            count += _fill(target, table, (dict(zip(keys, row, strict=True)) for row in rows))
            _require_count(target, table, source.scalar(select(func.count()).select_from(table)))
            _continue_sequence(source, target, table)
    engine.dispose()
    return count


def _into_sqlite(snapshot_file: Path, to: Path) -> int:
    tables = Base.metadata.tables
    names = {name: [column.name for column in table.columns] for name, table in tables.items()}
    counts: dict[str, int] = dict.fromkeys(tables, 0)
    with empty_tables(f"sqlite:///{to}") as target:
        found = rows_in(snapshot_file, names, is_sqlite=False)
        for name, rows in groupby(found, lambda one: one[0]):
            table = tables[name]
            counts[name] += _fill(target, table, (_read(table, row) for _, row in rows))
        for name, count in counts.items():
            _require_count(target, tables[name], count)
        if broken := target.exec_driver_sql("PRAGMA foreign_key_check").fetchone():
            raise Unavailable(f"A row of {broken[0]} names a row of {broken[2]} that is not there.")
    return sum(counts.values())


def _fill(target: Connection, table: Table, rows: Iterable[Values]) -> int:
    """Inserts rows, and returns their number. A row may refer to a later one of its own table, so
    these columns are set once all rows are inserted."""
    own = [
        column.key
        for column in table.columns
        if any(key.column.table is table for key in column.foreign_keys)
    ]
    (identifier, *_) = table.primary_key.columns
    later = list[Values]()
    count = 0
    try:
        for batch in batches(rows, BATCH):
            later += [
                {"named": row[identifier.key], "key": key, "value": row[key]}
                for row in batch
                for key in own
                if row[key] is not None
            ]
            target.execute(insert(table), [{**row, **dict.fromkeys(own)} for row in batch])
            count += len(batch)
        for key in own:
            set_one = update(table).where(identifier == bindparam("named"))
            some = [one for one in later if one["key"] == key]
            for batch in batches(some, BATCH):
                target.execute(set_one.values({key: bindparam("value")}), batch)
    except (DBAPIError, StatementError) as error:
        because = str(error.orig).partition("\n")[0].rstrip(".")
        raise Unavailable(f"A row of {table.name} cannot be stored there: {because}.") from error
    return count


def _read(table: Table, row: Mapping[str, str | None]) -> Values:
    """Parses a row of a PostgreSQL dump to the values of its models."""
    return {column.key: _value(column, row[column.name]) for column in table.columns}


def _value(column: Column[Any], text: str | None) -> object:
    if text is None:
        return None
    for kind, read in READERS:
        if isinstance(column.type, kind):
            return read(text)
    return text


def _require_count(target: Connection, table: Table, wanted: int | None) -> None:
    found = target.scalar(select(func.count()).select_from(table))
    if found != wanted:
        raise Unavailable(f"{found} of {wanted} rows of {table.name} were stored.")


def _continue_sequence(source: Connection, target: Connection, table: Table) -> None:
    """Continues the numbers after the last one of SQLite, also where its row was deleted."""
    column = table.autoincrement_column
    if column is None:
        return
    query = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
    if last := source.scalar(query, {"table": table.name}):
        target.execute(
            select(func.setval(func.pg_get_serial_sequence(table.name, column.name), last))
        )
