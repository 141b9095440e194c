"""Rows of every table that go from SQLite to PostgreSQL, and back, and stay what they were."""

from __future__ import annotations

from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from podium.core.database.engine import Database
from podium.core.database.migrate import migrate
from podium.core.database.snapshot_rows import steps_in
from podium.core.database.snapshots import is_empty, snapshot
from podium.core.database.types import ExactNumber, UtcDateTime
from podium.core.models import Base
from podium.errors import NotConfigured, Unavailable
from podium.operations.service.transfers import load_rows, require_same_version
from tests.builders.servers.postgres import take_client_programs

pytestmark = pytest.mark.postgres

ODD = "tab\t, line\r\nend, \\N, \\, \v\f\b 'ä' 🎉 \u2028 \x85"
"""Text with all that a dump of PostgreSQL escapes, and what others take for a line's end."""

OTHERS: dict[type[Any], list[Any]] = {
    UtcDateTime: [datetime(2026, 11, 25, 1, 2, 3, 45, UTC), datetime(1999, 1, 1, tzinfo=UTC)],
    ExactNumber: [Fraction(1, 3), Fraction(-(10**40) - 1, 7 * 10**39)],
    sa.JSON: [{ODD: [0.1 + 0.2, 2**70, None, True, {}], "b": 1, "a": 5e-324}, []],
    sa.Boolean: [True, False],
    sa.Float: [0.1 + 0.2, 5e-324],
    sa.Date: [date(2026, 11, 25), date(1999, 1, 1)],
    sa.LargeBinary: [bytes(range(256)), b""],
    sa.BigInteger: [2**62 + 1, -(2**62)],
    sa.Integer: [7, 2_000_000_000],
}


def _value(column: sa.Column[Any], number: int) -> object:
    """A value for the row of this number, 0 or 1; the first row names the second of its table."""
    for key in column.foreign_keys:
        is_own = key.column.table is column.table
        if is_own and number == 1:
            return None
        return _value(key.column, 1 if is_own else number)
    if column.nullable and number == 1:
        return None
    for kind, values in OTHERS.items():
        if isinstance(column.type, kind):
            return values[number]
    told = f"{number} {column.table.name}"
    length = getattr(column.type, "length", None)
    return told[:length] if length else f"{told} {ODD}"


def _fill(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for table in Base.metadata.sorted_tables:
            for number in (1, 0):
                row = {column.key: _value(column, number) for column in table.columns}
                connection.execute(sa.insert(table), row)
    engine.dispose()


def _content(url: str) -> dict[str, list[tuple[Any, ...]]]:
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: sorted(
                (tuple(row) for row in connection.execute(sa.select(*table.columns))), key=repr
            )
            for table in Base.metadata.sorted_tables
        }
    engine.dispose()
    return found


def _saved(url: str, to: Path) -> Path:
    database = Database(url)
    with snapshot(database, to=to):
        pass
    database.close()
    return to


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """A migrated SQLite database with two rows in every table."""
    url = f"sqlite:///{tmp_path / 'full.sqlite3'}"
    migrate(url)
    _fill(url)
    return url


@pytest.fixture
def postgres(empty_postgres_url: str, sqlite: str, tmp_path: Path) -> str:
    """The same on PostgreSQL."""
    rows = _saved(sqlite, tmp_path / "of-sqlite")
    assert load_rows(rows, is_sqlite=True, database_url=empty_postgres_url) == 2 * len(
        Base.metadata.tables
    )
    return empty_postgres_url


@pytest.fixture
def postgres_programs(postgres_server_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL's own programs."""
    take_client_programs(postgres_server_url, monkeypatch)


def test_every_row_of_sqlite_is_the_same_on_postgresql(sqlite: str, postgres: str) -> None:
    before = _content(sqlite)
    assert all(len(rows) == 2 for rows in before.values())
    assert _content(postgres) == before
    migrate(postgres)
    assert _content(postgres) == before


def test_numbers_go_on_after_the_last_one_even_if_its_row_is_gone(
    sqlite: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    engine = sa.create_engine(sqlite)
    with engine.begin() as connection:
        connection.execute(
            sa.text("UPDATE sqlite_sequence SET seq = 41 WHERE name = 'submissions'")
        )
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(sa.delete(table))
    engine.dispose()
    rows = _saved(sqlite, tmp_path / "of-sqlite")
    assert load_rows(rows, is_sqlite=True, database_url=empty_postgres_url) == 0
    engine = sa.create_engine(empty_postgres_url)
    with engine.connect() as connection:
        query = "SELECT nextval(pg_get_serial_sequence('submissions', 'sequence'))"
        assert connection.scalar(sa.text(query)) == 42
    engine.dispose()


@pytest.mark.usefixtures("postgres_programs")
def test_every_row_of_postgresql_is_the_same_on_sqlite(
    sqlite: str, postgres: str, tmp_path: Path
) -> None:
    migrate(postgres)
    rows = _saved(postgres, tmp_path / "of-postgresql")
    require_same_version(steps_in(rows, is_sqlite=False))
    back = f"sqlite:///{tmp_path / 'back.sqlite3'}"
    assert load_rows(rows, is_sqlite=False, database_url=back) == 2 * len(Base.metadata.tables)
    migrate(back)
    assert _content(back) == _content(sqlite)


@pytest.mark.usefixtures("postgres_programs")
def test_postgresql_of_an_earlier_version_becomes_no_sqlite(postgres: str, tmp_path: Path) -> None:
    engine = sa.create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '2026112001'"))
    engine.dispose()
    rows = _saved(postgres, tmp_path / "of-postgresql")
    with pytest.raises(NotConfigured, match="Restore it into an empty PostgreSQL database, and"):
        require_same_version(steps_in(rows, is_sqlite=False))


def test_a_row_that_postgresql_cannot_store_is_told_and_leaves_it_empty(
    sqlite: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    engine = sa.create_engine(sqlite)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE workers SET host = 'a' || char(0)"))
    engine.dispose()
    rows = _saved(sqlite, tmp_path / "of-sqlite")
    with pytest.raises(Unavailable, match="A row of workers cannot be stored there: PostgreSQL"):
        load_rows(rows, is_sqlite=True, database_url=empty_postgres_url)
    assert is_empty(empty_postgres_url)
