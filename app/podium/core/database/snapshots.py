"""The whole database as one file, written while others write to it, and restored from such a file.

SQLite copies itself (its online backup, in one step that blocks no writer). On PostgreSQL `pg_dump`
and `pg_restore` do it; the former must be of the server's version or newer, the latter of the
former's.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import create_engine, inspect, make_url, text

from podium.core.database.engine import Database, ReadSession
from podium.core.database.outages import is_full
from podium.errors import NotConfigured, Unavailable

MAX_ERROR_OUTPUT = 400
"""Maximum number of characters of a program's error output that are passed on."""


@contextmanager
def snapshot(database: Database, *, to: Path) -> Iterator[ReadSession]:
    """Writes the database to the new file `to`; within the block, the session sees exactly the rows
    that are in it. Raises `NotConfigured` where a program is not installed, `Unavailable`, and
    `OSError` on a full disk."""
    if database.is_sqlite:
        _copy_sqlite(make_url(database.url).database or "", to)
        engine = create_engine(f"sqlite:///{to}")
        try:
            with ReadSession(engine) as session:
                yield session
        finally:
            engine.dispose()
        return
    repeatable = database.read_engine.execution_options(isolation_level="REPEATABLE READ")
    with ReadSession(repeatable) as session:
        shared = str(session.scalar(text("select pg_export_snapshot()")))
        options = ["--format=custom", f"--snapshot={shared}", f"--file={to}"]
        _run("pg_dump", database.url, options)
        yield session


def is_empty(database_url: str) -> bool:
    """True if the database has no tables that a snapshot would collide with."""
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite":
        return not Path(url.database or "").exists()
    engine = create_engine(database_url)
    try:
        return not inspect(engine).get_table_names()
    finally:
        engine.dispose()


def load(snapshot_file: Path, *, database_url: str) -> None:
    """Restores a snapshot into an empty database. Raises `NotConfigured`, `Unavailable`."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        options = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
        _run("pg_restore", database_url, [*options, str(snapshot_file)])
        return
    target = Path(url.database or "")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(snapshot_file, partial)
        with partial.open("rb") as stream:
            os.fsync(stream.fileno())
        partial.rename(target)
    finally:
        partial.unlink(missing_ok=True)


def _copy_sqlite(path: str, to: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(to)) as target:
            source.backup(target)
            # One file, without the two that are beside a database in use.
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        if is_full(error):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(to)) from error
        raise Unavailable(f"The database cannot be copied: {error}.") from error


def program(name: str) -> str:
    """Finds the path of one of PostgreSQL's programs. Raises `NotConfigured`."""
    found = shutil.which(name)
    if found is None:
        raise NotConfigured(f"{name} is not installed. It comes with PostgreSQL's client programs.")
    return found


def refuse_too_old(path: str, complaint: str) -> None:
    """Raises `NotConfigured` where the error output shows that the snapshot is of a newer
    program."""
    if "unsupported version" in complaint:
        raise NotConfigured(
            f"{Path(path).name} {_version_of(path)} cannot read this backup, which a newer pg_dump"
            " has made: install PostgreSQL's client programs of that version."
        )


def _run(name: str, database_url: str, options: list[str]) -> None:
    found = program(name)
    version = _version_of(found)
    if name == "pg_dump" and version < (server := _version_of_server(database_url)):
        raise NotConfigured(
            f"pg_dump {version} cannot dump a server of version {server}: install"
            f" postgresql-client-{server}."
        )
    url = make_url(database_url).set(drivername="postgresql")
    # Every user of the machine may read a program's arguments, but not its environment.
    environment = dict(os.environ)
    if url.password:
        environment["PGPASSWORD"] = str(url.password)
    # The `set` of URLs ignores None.
    named = url._replace(password=None).render_as_string(hide_password=False)
    ran = subprocess.run(
        [found, f"--dbname={named}", *options], env=environment, capture_output=True, text=True
    )
    refuse_too_old(found, ran.stderr)
    if ran.returncode != 0:
        raise Unavailable(f"{name} failed: {ran.stderr.strip()[-MAX_ERROR_OUTPUT:]}")


def _version_of(path: str) -> int:
    """Reads the major version of one of PostgreSQL's programs; 0 where it prints none."""
    output = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"\) (\d+)", output)
    return int(found[1]) if found else 0


def _version_of_server(database_url: str) -> int:
    engine = create_engine(database_url)
    try:
        with engine.connect() as connection:
            return int(connection.scalar(text("show server_version_num")) or 0) // 10_000
    finally:
        engine.dispose()
