"""Reads the rows of a snapshot without a server and without restoring it; its file is not
changed."""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from podium.core.database.schema import VERSIONS
from podium.core.database.snapshots import program, refuse_too_old
from podium.errors import StoredFileCorrupt

Row = Mapping[str, str | None]

COPY = re.compile(r"COPY (?:\S+\.)?(\w+) \((.*)\) FROM stdin;")
"""Matches the statement before the rows of a table, with its columns, in pg_restore's output."""

ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
"""The characters after a backslash in that output; all others stand for themselves."""


def rows_in(
    snapshot_file: Path, tables: Mapping[str, Sequence[str]], *, is_sqlite: bool
) -> Iterator[tuple[str, Row]]:
    """Reads rows of some tables with some of their columns; those of another version may lack some.

    Raises `StoredFileCorrupt` for a snapshot that cannot be read, and `NotConfigured` without
    pg_restore.
    """
    if is_sqlite:
        yield from _rows_of_sqlite(snapshot_file, tables)
    else:
        yield from _rows_of_postgresql(snapshot_file, tables)


def steps_in(snapshot_file: Path, *, is_sqlite: bool) -> frozenset[str]:
    """Reads the migrations of a snapshot's schema; unknown ones belong to a newer version."""
    column = "version_num"
    found = rows_in(snapshot_file, {VERSIONS: [column]}, is_sqlite=is_sqlite)
    return frozenset(str(row[column]) for _, row in found)


def require_integrity(snapshot_file: Path, *, is_sqlite: bool) -> None:
    """Raises `StoredFileCorrupt` where SQLite's integrity check fails. Damage to PostgreSQL's
    snapshots is detected when they are read."""
    if not is_sqlite:
        return
    try:
        with closing(_opened(snapshot_file)) as connection:
            [result] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        raise StoredFileCorrupt(f"SQLite: {error}") from error
    if result != "ok":
        raise StoredFileCorrupt(f"SQLite: {' '.join(str(result).split())}")


def _rows_of_sqlite(file: Path, tables: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Row]]:
    try:
        with closing(_opened(file)) as connection:
            for table, wanted in tables.items():
                there = {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}
                columns = ", ".join(name for name in wanted if name in there)
                if columns:
                    for row in connection.execute(f"SELECT {columns} FROM {table}"):  # noqa: S608 - our own names
                        yield table, dict(row)
    except sqlite3.Error as error:
        raise StoredFileCorrupt(f"SQLite: {error}") from error


def _opened(file: Path) -> sqlite3.Connection:
    # Immutable: SQLite creates no other files beside it.
    connection = sqlite3.connect(f"file:{quote(str(file))}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def _rows_of_postgresql(
    file: Path, tables: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Row]]:
    names = [f"--table={table}" for table in tables]
    path = program("pg_restore")
    command = [path, "--data-only", "--file=-", *names, str(file)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as reading:
        assert reading.stdout is not None
        assert reading.stderr is not None
        yield from _copied(reading.stdout, tables)
        complaint = reading.stderr.read().strip()
    if reading.returncode != 0:
        refuse_too_old(path, complaint)
        raise StoredFileCorrupt(next(iter(complaint.splitlines()), "pg_restore failed"))


def _copied(lines: Iterator[str], tables: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Row]]:
    table, columns = "", list[str]()
    for line in lines:
        text = line.rstrip("\n")
        if not table:
            if begun := COPY.fullmatch(text):
                table, columns = begun[1], begun[2].replace('"', "").split(", ")
        elif text == r"\.":
            table = ""
        else:
            values = zip(columns, text.split("\t"), strict=True)
            wanted = tables[table]
            row = {name: None if value == r"\N" else _unescaped(value) for name, value in values}
            yield table, {name: row[name] for name in wanted if name in row}


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), value)
