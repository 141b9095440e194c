"""Migrates a database to the newest schema: our tables by Alembic, the engine's by the engine.

Safe to run from many processes at once: one migrates, the others wait and find nothing left to do.
All our steps are one transaction, so a process killed half-way leaves the schema as it was.
"""

from __future__ import annotations

import fcntl
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from dbos import DBOS
from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select

from podium.core.database.engine import BUSY_MILLISECONDS, Database
from podium.core.database.schema import (
    ForeignTablesError,
    newest_steps,
    schema_at,
    steps_folder,
    steps_of,
)

ADVISORY_LOCK = 0x706F6469756D
"""The key of PostgreSQL's advisory lock for migrations: `podium` in ASCII."""


def migrate(database_url: str) -> None:
    """Creates or upgrades everything in the database; changes nothing when it is up to date.

    Raises `ForeignTablesError` for the database of another program, and leaves it as it is.
    """
    schema = schema_at(database_url)
    if schema.is_foreign:
        raise ForeignTablesError(schema.tables)
    logging.getLogger("dbos").setLevel(logging.WARNING)
    with _turn(database_url), _engine(database_url) as engine:
        with engine.begin() as connection:
            command.upgrade(_alembic(connection), "head")
        DBOS.migrate(database_url)
    # The first connection of a Database sets properties of the file itself, such as WAL.
    database = Database(database_url)
    with database.read():
        database.close()


@contextmanager
def empty_tables(database_url: str) -> Iterator[Connection]:
    """Creates all our tables in an empty database, in one transaction with what the block puts into
    them: when it raises, the database stays empty. `migrate` creates the engine's afterwards."""
    with (
        _turn(database_url),
        _engine(database_url) as engine,
        engine.begin() as connection,
    ):
        command.upgrade(_alembic(connection), "head")
        yield connection


def downgrade(database_url: str, *, revision: str = "base") -> None:
    """Downgrades to a revision; `base` removes all our tables."""
    with (
        _turn(database_url),
        _engine(database_url) as engine,
        engine.begin() as connection,
    ):
        command.downgrade(_alembic(connection), revision)


def is_up_to_date(database: Database) -> bool:
    """True if the database has exactly the schema that this version of Podium needs."""
    with database.read_engine.connect() as connection:
        return steps_of(connection) == newest_steps()


def _alembic(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(steps_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextmanager
def _engine(database_url: str) -> Iterator[Engine]:
    engine = create_engine(database_url)
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def _on_connect(connection: object, _record: object) -> None:
            # Batch steps copy tables, which foreign keys would forbid; they cannot be switched
            # off inside a transaction. Without the driver's own transactions, DDL is undone too.
            connection.isolation_level = None  # type: ignore[attr-defined]
            connection.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")  # type: ignore[attr-defined]
            connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[attr-defined]

        @event.listens_for(engine, "begin")
        def _on_begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _turn(database_url: str) -> Iterator[None]:
    """Waits until no other process migrates this database; ends by itself with the process."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        engine = create_engine(database_url, isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                # Polls, because a query that waits holds a snapshot, and the engine's own steps
                # (CREATE INDEX CONCURRENTLY) wait for every snapshot.
                while not connection.scalar(select(func.pg_try_advisory_lock(ADVISORY_LOCK))):
                    time.sleep(0.1)
                yield
        finally:
            engine.dispose()
        return
    if not url.database or url.database == ":memory:":
        yield
        return
    path = Path(f"{url.database}.migrate-lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
