"""The needs of backups beside what they copy: places, room, the scratch folder, and messages."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.machine.disks import fill, small_disk
from tests.builders.processes.commands import Person
from tests.builders.processes.forks import Forked
from tests.builders.servers.locked_postgres import with_programs_of
from tests.places import ROOT

SMALL_TMP = 'mount -t tmpfs -o size=256k tmpfs /tmp && exec "$@"'
"""As in a container, whose `/tmp` is small and in memory; less than any database."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that is not below `/tmp`."""
    folder = Path(tempfile.mkdtemp(prefix="podium-", dir="/var/tmp"))
    yield folder
    shutil.rmtree(folder)


def _ran(home: Path, *command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a container's place: with a small `/tmp`."""
    ran = subprocess.run(
        [
            *("unshare", "--mount", "sh", "-c", SMALL_TMP, "sh"),
            *(sys.executable, "-m", "podium.cli", *map(str, command)),
        ],
        cwd=home,
        env=Person(home).environment(PYTHONPATH=str(ROOT), **environment),
        capture_output=True,
        text=True,
        timeout=120,
    )
    if "unshare:" in ran.stderr or "mount:" in ran.stderr:
        pytest.skip(f"no mounts of our own here: {ran.stderr.strip()}")
    return ran


def _there(path: Path) -> list[Path]:
    return list(path.iterdir()) if path.exists() else []


@pytest.mark.skipif(str(ROOT).startswith("/tmp/"), reason="the code lies below /tmp")
def test_a_database_larger_than_the_temporary_folder_is_saved_and_comes_back(home: Path) -> None:
    assert _ran(home, "migrate").returncode == 0
    saved = _ran(home, "backup", "--to", home / "copies")
    assert (saved.returncode, saved.stderr.splitlines()[1:]) == (0, [])
    restored = _ran(home, "restore", "--from", home / "copies", PODIUM_DATA_DIR="again")
    assert restored.returncode == 0, restored.stderr
    assert (home / "again" / "podium.sqlite3").stat().st_size > 256 << 10
    for data in ("podium-data", "again"):
        assert _there(home / data / "scratch" / "backups") == []


@pytest.mark.skipif(str(ROOT).startswith("/tmp/"), reason="the code lies below /tmp")
def test_a_place_that_is_named_is_used_and_one_sentence_says_that_it_is_full(home: Path) -> None:
    assert _ran(home, "migrate").returncode == 0
    full = _ran(home, "backup", "--to", home / "copies", TMPDIR="/tmp")
    assert full.returncode == 4
    [line] = full.stderr.splitlines()
    assert line.startswith("There is no space left.")
    assert "/tmp" in line
    assert _ran(home, "backup", "--to", home / "copies").returncode == 0
    full = _ran(home, "restore", "--from", home / "copies", TMPDIR="/tmp", PODIUM_DATA_DIR="again")
    assert full.returncode == 4
    [line] = full.stderr.splitlines()
    assert line.startswith("There is no space left.")
    assert "/tmp" in line


def test_an_installation_whose_disk_is_full_is_saved_to_another_disk(tmp_path: Path) -> None:
    person = Person(tmp_path)
    with small_disk(tmp_path / "small", 12) as disk:
        data = {"PODIUM_DATA_DIR": str(disk / "data"), "PODIUM_MIN_FREE_BYTES": "0"}
        assert person.types("migrate", **data).code == 0
        fill(disk)
        ran = person.types("backup", "--to", "copies", "--check", **data)
    assert ran.code == 0, ran.err


def test_a_folder_of_other_files_is_no_place_for_a_backup(tmp_path: Path) -> None:
    person = Person(tmp_path)
    assert person.types("migrate").code == 0
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "thesis.txt").write_text("mine")
    (tmp_path / "podium-data" / "storage").mkdir(mode=0o700)
    ran = person.types("backup", "--to", "documents")
    assert ran.code == 2
    assert _there(tmp_path / "documents") == [tmp_path / "documents" / "thesis.txt"]
    assert "documents holds other files (thesis.txt) and no backup." in ran.err
    (tmp_path / "mounted" / "lost+found").mkdir(parents=True)
    assert person.types("backup", "--to", "mounted").code == 0
    (tmp_path / "mounted" / "README").write_text("The backups.")
    assert person.types("backup", "--to", "mounted").code == 0


def test_a_restore_onto_a_disk_that_is_too_small_says_what_it_needs(tmp_path: Path) -> None:
    person = Person(tmp_path)
    assert person.types("migrate").code == 0
    assert person.types("backup", "--to", "copies").code == 0
    there = {"PODIUM_DATA_DIR": str(tmp_path / "new"), "PODIUM_MIN_FREE_BYTES": str(1 << 60)}
    ran = person.types("restore", "--from", "copies", **there)
    [line] = ran.err.splitlines()
    assert (ran.code, _there(tmp_path / "new")) == (4, [])
    [rows] = (tmp_path / "copies").glob("*/database")
    told = f"This backup needs {rows.stat().st_size / 1024:.1f} KB beside the 1,048,576 TB that"
    assert line.startswith(told.replace(".0 KB", " KB"))
    assert f"(PODIUM_MIN_FREE_BYTES), and the disk of {tmp_path / 'new'} has " in line


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_what_a_killed_backup_left_goes_with_the_next_one(
    tmp_path: Path, number: signal.Signals
) -> None:
    person = Person(tmp_path)
    assert person.types("migrate").code == 0
    shared = tmp_path / "podium-data" / "scratch" / "backups"
    _end_in_the_midst(person, shared, number)
    if number is signal.SIGTERM:
        assert _there(shared) == []
    else:
        assert _there(shared) != []
    assert person.types("backup", "--to", "copies").code == 0
    assert _there(shared) == []


def _end_in_the_midst(person: Person, shared: Path, number: signal.Signals) -> None:
    """Begins backups until one can be ended while it has a folder."""
    for _ in range(20):
        with Path(os.devnull).open("wb") as nothing:
            process = Forked(
                ["backup", "--to", "copies"],
                environment=person.environment(),
                cwd=person.home,
                stdout=nothing,
                stderr=nothing,
            )
        while process.poll() is None and not any(path.is_dir() for path in _there(shared)):
            time.sleep(0.001)
        process.send_signal(number)
        if process.wait(timeout=60) != 0:
            assert process.returncode == (-9 if number is signal.SIGKILL else 143)
            return
    pytest.fail("every backup had ended before it could be ended")


def test_a_database_that_is_away_or_of_another_version_is_told_in_a_line(tmp_path: Path) -> None:
    person = Person(tmp_path)
    away = "postgresql+psycopg://nobody@127.0.0.1:1/podium"
    (tmp_path / "podium-data").mkdir()
    for command in (("backup", "--to", "copies"), ("restore", "--from", "copies")):
        ran = person.types(*command, PODIUM_DATABASE_URL=away)
        assert ran.code == 4
        [line] = ran.err.splitlines()
        assert line.startswith(f"The database {away} cannot be used: ")


@pytest.mark.postgres
def test_programs_that_are_too_old_are_named_with_what_to_install(
    tmp_path: Path, postgres_url: str, empty_postgres_url: str
) -> None:
    person = Person(tmp_path)
    (tmp_path / "podium-data").mkdir()
    _is_installed(tmp_path / "old", "pg_dump", complaint="")
    unreadable = "pg_restore: error: unsupported version (1.16) in file header"
    _is_installed(tmp_path / "old", "pg_restore", complaint=unreadable)
    old = f"{tmp_path / 'old'}{os.pathsep}{os.environ['PATH']}"
    ran = person.types("backup", "--to", "copies", PODIUM_DATABASE_URL=postgres_url, PATH=old)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert ran.err.startswith("pg_dump 9 cannot dump a server of version ")
    assert "install postgresql-client-" in ran.err
    right = with_programs_of(postgres_url)
    ran = person.types("backup", "--to", "copies", PODIUM_DATABASE_URL=postgres_url, PATH=right)
    assert ran.code == 0, ran.err
    ran = person.types(
        "restore", "--from", "copies", PODIUM_DATABASE_URL=empty_postgres_url, PATH=old
    )
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert ran.err.startswith("pg_restore 9 cannot read this backup")


def _is_installed(folder: Path, program: str, *, complaint: str) -> None:
    """A program of an old version, that does nothing but complain."""
    folder.mkdir(exist_ok=True)
    (folder / program).write_text(
        f"#!/bin/sh\n[ \"$1\" = --version ] && echo '{program} (PostgreSQL) 9.6.24' && exit\n"
        f"echo '{complaint}' >&2; exit 1\n"
    )
    (folder / program).chmod(0o755)
