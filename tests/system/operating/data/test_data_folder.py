"""A data folder that is not ours: one sentence that names it, whose it is, and what to do."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.builders.processes import powerless
from tests.builders.processes.commands import Person, Ran, ran

COMMANDS = (
    ("serve", "--port", "0"),
    ("worker",),
    ("migrate",),
    ("doctor",),
    ("backup", "--to", "copies"),
    ("restore", "--from", "copies"),
)

STRANGER = 4711


def _ran(home: Path, command: Sequence[str], data: Path) -> Ran:
    """A command of a user who may do no more than the modes of files say."""
    environment = Person(home).environment(PODIUM_DATA_DIR=str(data))
    return ran(*command, cwd=home, environment=environment, module=powerless.__name__)


def _given_away(path: Path, mode: int) -> None:
    """Makes the path another user's where we may, and else at least not ours to use."""
    path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(path, STRANGER, STRANGER)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_folder_of_another_user_is_named_with_its_owner_and_a_way_out(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    _given_away(data, 0o500)
    ended = _ran(tmp_path, command, data)
    data.chmod(0o700)
    assert ended.code == (4 if command == ("doctor",) else 2)
    [line] = ended.err.splitlines()
    owner = STRANGER if os.geteuid() == 0 else os.geteuid()
    assert line.startswith(f"{data} belongs to ")
    assert f"user {owner}" in line
    assert f"user {os.geteuid()}" in line
    assert f"chown -R {os.geteuid()}:{os.getegid()} {data}" in line or "chmod u+rwX" in line


@pytest.mark.parametrize("name", ["podium.sqlite3", "storage"])
def test_what_lies_in_the_folder_has_to_be_ours_as_well(tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    assert _ran(tmp_path, ["migrate"], data).code == 0
    if not (data / name).exists():
        (data / name).mkdir()
    _given_away(data / name, 0o500)
    ended = _ran(tmp_path, ["serve", "--port", "0"], data)
    (data / name).chmod(0o700)
    assert ended.code == 2
    [line] = ended.err.splitlines()
    assert line.startswith(f"{data / name} belongs to ")


def test_a_folder_that_cannot_be_made_and_one_that_is_a_file_are_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    _given_away(closed, 0o555)
    ended = _ran(tmp_path, ["migrate"], closed / "data")
    closed.chmod(0o700)
    assert ended.code == 2
    [line] = ended.err.splitlines()
    assert line.startswith(f"{closed} belongs to ")
    assert f"Make {closed / 'data'}" in line
    (tmp_path / "file").touch()
    ended = _ran(tmp_path, ["migrate"], tmp_path / "file")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "is not a folder" in ended.err


def test_doctor_leaves_nothing_not_even_a_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert _ran(tmp_path, ["migrate"], data).code == 0
    before = set(tmp_path.rglob("*"))
    assert not (data / "storage").exists()
    for _ in range(2):
        ended = _ran(tmp_path, ["doctor"], data)
        assert re.search(r"^storage +a folder$", ended.out, re.MULTILINE)
        assert set(tmp_path.rglob("*")) == before


def test_doctor_names_a_folder_of_stored_files_that_another_user_has_made(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert _ran(tmp_path, ["migrate"], data).code == 0
    made = data / "storage" / "uploads" / "d7" / "7d"
    made.mkdir(parents=True, mode=0o700)
    (data / "storage").chmod(0o700)
    _given_away(made, 0o000)
    ended = _ran(tmp_path, ["doctor"], data)
    made.chmod(0o700)
    [line] = [one for one in ended.err.splitlines() if "does not keep" in one]
    owner = STRANGER if os.geteuid() == 0 else os.geteuid()
    assert line.startswith(f"The storage does not keep files: {made} belongs to ")
    assert f"user {owner}" in line
    assert "a folder, which fails" in ended.out


@pytest.mark.parametrize(
    ("kind", "command"),
    [("backups", ("backup", "--to", "copies")), ("judgings", ("serve", "--port", "0"))],
)
def test_what_a_command_of_another_user_has_left_is_given_back(
    tmp_path: Path, kind: str, command: Sequence[str]
) -> None:
    data = tmp_path / "data"
    assert _ran(tmp_path, ["migrate"], data).code == 0
    left = data / "scratch" / kind / "of-a-dead-1.lock"
    left.parent.mkdir(parents=True)
    left.touch()
    _given_away(left, 0o000)
    ended = _ran(tmp_path, command, data)
    assert ended.code != 0
    assert f"{left} belongs to " in ended.err
    assert f"chown -R {os.geteuid()}:{os.getegid()} {data}" in ended.err or "chmod" in ended.err
    assert "Name another folder" not in ended.err
