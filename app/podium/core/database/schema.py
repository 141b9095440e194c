"""The schema that a database has, compared with the one that this version of Podium needs: nothing
yet, an older or a newer one, or the tables of another program. Looking changes nothing."""

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
"""The table of the step that a database is at. Our first step makes it together with the rest."""

CONNECT_SECONDS = 5


class ForeignTablesError(Exception):
    """The database belongs to another program, whose `tables` it holds."""

    def __init__(self, tables: Sequence[str]) -> None:
        super().__init__(f"tables of another program: {', '.join(tables)}")
        self.tables = tuple(tables)


@dataclass(frozen=True)
class Schema:
    """The names of a database's tables, and the steps that it is at: none where it is empty."""

    tables: tuple[str, ...]
    steps: frozenset[str]

    @property
    def is_current(self) -> bool:
        """True if it is exactly what this version of Podium needs."""
        return self.steps == newest_steps()

    @property
    def is_foreign(self) -> bool:
        """True if there are tables, and no sign that any is ours."""
        return bool(self.tables) and VERSIONS not in self.tables

    @property
    def unknown_steps(self) -> tuple[str, ...]:
        """Steps that this version does not have: a newer one has made them."""
        return tuple(sorted(self.steps - known_steps()))


def schema_at(database_url: str) -> Schema:
    """The schema of a database by its URL. SQLite's file is not made, and stays as it is."""
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
    """The steps that a database is at; none where it has seen no step of ours."""
    return frozenset(MigrationContext.configure(connection).get_current_heads())


def newest_steps() -> frozenset[str]:
    """The steps that this version of Podium brings a database to."""
    return frozenset(_scripts().get_heads())


def steps_folder() -> Path:
    """The folder of the steps."""
    return packed_folder("migrations")


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(steps_folder()))


@cache
def known_steps() -> frozenset[str]:
    """All steps that this version of Podium has."""
    return frozenset(step.revision for step in _scripts().walk_revisions())
