"""The schema of a database, compared with the one that this version of Podium needs: empty, older,
newer, or the tables of another program. Reading it changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect, make_url

from podium import packed_folder

VERSIONS = "alembic_version"
"""Alembic's table of the current migration. Our first migration creates it together with the
rest."""

CONNECT_SECONDS = 5


class ForeignTablesError(Exception):
    """Raised for a database that belongs to another program, with its `tables`."""

    def __init__(self, tables: Sequence[str]) -> None:
        super().__init__(f"tables of another program: {', '.join(tables)}")
        self.tables = tuple(tables)


@dataclass(frozen=True)
class Schema:
    """The names of a database's tables, and its current migrations: none where it is empty."""

    tables: tuple[str, ...]
    steps: frozenset[str]

    @property
    def is_current(self) -> bool:
        """True if it is exactly the schema that this version of Podium needs."""
        return self.steps == newest_steps()

    @property
    def is_foreign(self) -> bool:
        """True if there are tables, but not the one in which this product records its
        migrations."""
        return bool(self.tables) and VERSIONS not in self.tables

    @property
    def unknown_steps(self) -> tuple[str, ...]:
        """Migrations that this version does not have: a newer one has applied them."""
        return tuple(sorted(self.steps - known_steps()))


def schema_at(database_url: str) -> Schema:
    """Reads the schema of a database by its URL. SQLite's file is not created, and is not
    changed."""
    url = make_url(database_url)
    options = {"connect_timeout": CONNECT_SECONDS}
    if url.get_backend_name() == "sqlite":
        options = {}
        if not Path((url.database or "").removeprefix("file:").partition("?")[0]).is_file():
            return Schema((), frozenset())
    engine = create_engine(database_url, connect_args=options)
    try:
        with engine.connect() as connection:
            tables = tuple(sorted(inspect(connection).get_table_names()))
            return Schema(tables, steps_of(connection) if VERSIONS in tables else frozenset())
    finally:
        engine.dispose()


def steps_of(connection: Connection) -> frozenset[str]:
    """Reads the current migrations of a database; none before the first."""
    return frozenset(MigrationContext.configure(connection).get_current_heads())


def newest_steps() -> frozenset[str]:
    """Finds the newest migrations of this version of Podium."""
    return frozenset(_scripts().get_heads())


def steps_folder() -> Path:
    """Finds the folder of the migrations."""
    return packed_folder("migrations")


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(steps_folder()))


@cache
def known_steps() -> frozenset[str]:
    """Collects the ids of all migrations of this version."""
    return frozenset(step.revision for step in _scripts().walk_revisions())
