"""The kinds of database that a test runs on, and what their engines share."""

from __future__ import annotations

import pytest
from sqlalchemy import Dialect, Engine, NullPool, create_engine, inspect
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
"""Parameters of a fixture that gives a database; `make test` omits PostgreSQL."""

_COMPILED: LRUCache[object, object] = LRUCache(4000)


def url_of(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database of this test's own, of the kind that the parameter names."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(name))


def tables_in(url: str) -> set[str]:
    """The names of the tables of a database."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        names = set(inspect(connection).get_table_names())
    engine.dispose()
    return names


def compile_once() -> None:
    """From now on, engines of one kind share the statements that SQLAlchemy has compiled. A process
    of an installation has one or two engines; here each test has its own, and would compile every
    statement anew, for a tenth of its time. Servers of one run have one version."""
    # A dialect is part of the key under which a compiled statement is kept.
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__eq__ = _is_of_the_same_kind  # type: ignore[method-assign, assignment]
        dialect.__hash__ = _hash_of_the_kind  # type: ignore[method-assign, assignment]
    Engine._compiled_cache = property(  # type: ignore[assignment]
        lambda engine: _COMPILED, lambda engine, own: None
    )


def _is_of_the_same_kind(dialect: Dialect, other: object) -> bool:
    return type(dialect) is type(other)


def _hash_of_the_kind(dialect: Dialect) -> int:
    return hash(type(dialect))
