"""The files of an installation belong to its own user alone, however open new files are else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.processes.commands import Person
from tests.builders.processes.serving import launch, serving


@pytest.fixture(autouse=True)
def _open_to_all() -> Iterator[None]:
    """Gives commands an umask that lets other users read what they make, as most machines do."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def operator(tmp_path: Path) -> Person:
    """An operator who runs an installation in `data` of their home."""
    (tmp_path / "home").mkdir()
    return Person(tmp_path / "home")


def _open_paths(folder: Path) -> dict[str, str]:
    """Paths that others than its owner may do something with, and what."""
    found = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        try:
            mode = stat.S_IMODE(path.lstat().st_mode)
        except FileNotFoundError:
            continue
        if mode & 0o077:
            found[str(path)] = oct(mode)
    return found


def _operates(operator: Person, *arguments: str) -> None:
    ran = operator.types(*arguments, PODIUM_DATA_DIR="data", PODIUM_MIN_FREE_BYTES="0")
    assert ran.code == 0, ran.err


def test_a_new_database_is_its_owners_alone(operator: Person) -> None:
    _operates(operator, "migrate")
    assert (operator.home / "data" / "podium.sqlite3").exists()
    assert _open_paths(operator.home / "data") == {}


def test_neither_is_anything_that_a_running_service_makes(tmp_path: Path) -> None:
    with serving(tmp_path) as installation, installation.organizer() as organizer:
        launch(organizer, "shop", tmp_path)
        kept = {path.name for path in (tmp_path / "data").iterdir()}
        assert {"podium.sqlite3", "podium.sqlite3-wal", "podium.sqlite3-shm", "storage"} <= kept
        assert _open_paths(tmp_path / "data") == {}


def test_backups_and_what_is_restored_from_them_are_as_secret(operator: Person) -> None:
    _operates(operator, "migrate")
    _operates(operator, "backup", "--to", "kept")
    (operator.home / "data").rename(operator.home / "lost")
    _operates(operator, "restore", "--from", "kept")
    assert _open_paths(operator.home / "kept") == {}
    assert _open_paths(operator.home / "data") == {}


def test_an_installation_that_was_open_is_closed_at_the_next_start(
    operator: Person, tmp_path: Path
) -> None:
    _operates(operator, "migrate")
    data = (operator.home / "data").rename(tmp_path / "data")
    ours = [data / name for name in ("storage", "spool")]
    for path in ours:
        path.mkdir()
    for path in (data, *ours):
        path.chmod(0o755)
    for path in data.glob("podium.sqlite3*"):
        path.chmod(0o644)
    with serving(tmp_path):
        assert _open_paths(data) == {}


def test_a_folder_that_holds_other_things_is_left_to_its_owner(operator: Person) -> None:
    data = operator.home / "data"
    data.mkdir(mode=0o755)
    (data / "holiday.txt").write_text("not ours")
    _operates(operator, "migrate")
    assert set(_open_paths(data)) == {str(data), str(data / "holiday.txt")}
    failures = _failures(operator)
    assert any(f"chmod 700 {data}" in failure for failure in failures), failures


def test_folders_of_others_with_names_like_ours_are_left_to_their_owner(
    operator: Person,
) -> None:
    data = operator.home / "data"
    _operates(operator, "migrate")
    theirs = [data / "files" / "index.html", data / "cache" / "page.html"]
    ours = [data / "storage" / "submissions" / ("0" * 64), data / "spool" / "unfinished"]
    for path in (*theirs, *ours):
        path.parent.mkdir(parents=True)
        path.write_text("")
        for open_one in (path, *path.parents):
            if data in (open_one, *open_one.parents):
                open_one.chmod(0o755 if open_one.is_dir() else 0o644)
    for _ in range(2):
        _operates(operator, "migrate")
        for path in theirs:
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755
        for folder in (data / "storage", data / "spool"):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    failures = _failures(operator)
    assert any(f"chmod 700 {data / 'cache'}" in failure for failure in failures), failures
    # The service keeps nothing in a folder of this name.
    assert not any(str(data / "files") in failure for failure in failures), failures


def test_the_doctor_says_what_is_open_and_what_to_type(operator: Person) -> None:
    _operates(operator, "migrate")
    data = operator.home / "data"
    assert not any("chmod" in failure for failure in _failures(operator))
    data.chmod(0o755)
    (data / "podium.sqlite3").chmod(0o640)
    failures = _failures(operator)
    assert any(f"chmod 700 {data}" in failure for failure in failures), failures
    assert any(f"chmod 600 {data / 'podium.sqlite3'}" in failure for failure in failures), failures
    assert stat.S_IMODE(data.stat().st_mode) == 0o755


def test_commands_of_participants_leave_their_files_as_open_as_they_like_them(
    operator: Person,
) -> None:
    made = operator.types("otto", "synth", "--to", "files", "--sessions", "50")
    assert made.code == 0, made.err
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (operator.home / "files").iterdir()}
    assert 0o644 in modes


def _failures(operator: Person) -> list[str]:
    ran = operator.types("doctor", "--json", PODIUM_DATA_DIR="data", PODIUM_MIN_FREE_BYTES="0")
    failures: list[str] = ran.document["failures"]
    return failures
