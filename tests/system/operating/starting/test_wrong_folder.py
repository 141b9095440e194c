"""Commands of an installation in a folder where none is: they say so, and make nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.processes.commands import Person

COMMANDS = (
    ("doctor",),
    ("backup", "--to", "copies"),
    ("worker",),
    ("export", "shop", "--to", "shop.zip"),
    ("import", "archive.zip"),
    ("archive", "shop", "--to", "site"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_folder_without_an_installation_stays_as_it_is(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "archive.zip").touch()
    ran = Person(tmp_path).types(*command)
    assert ran.code == (4 if command == ("doctor",) else 2)
    [line] = ran.err.splitlines()
    data = tmp_path / "podium-data"
    assert line.startswith(f"There is no database in {data}: podium.sqlite3 is missing.")
    assert "PODIUM_DATA_DIR" in line
    assert "migrate" not in line
    assert [path.name for path in tmp_path.iterdir()] == ["archive.zip"]


@pytest.mark.parametrize("command", COMMANDS[3:], ids=lambda command: command[0])
def test_a_command_for_archives_says_where_it_works_and_what_to_do_elsewhere(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "archive.zip").touch()
    ran = Person(tmp_path).types(*command, PODIUM_URL="https://podium.example")
    assert "on the server's machine, with its data folder" in ran.err
    assert "page *Archive*" in ran.err


def test_the_doctor_prints_which_folder_and_database_it_looked_for(tmp_path: Path) -> None:
    ran = Person(tmp_path).types("doctor", "--json", PODIUM_DATA_DIR="there")
    facts = ran.document["facts"]
    assert facts["data folder"] == str(tmp_path / "there")
    assert facts["database address"] == f"sqlite:///{tmp_path / 'there' / 'podium.sqlite3'}"
    assert "Correct PODIUM_DATA_DIR" in ran.document["failures"][0]


def test_the_files_of_a_database_elsewhere_are_looked_for_too(tmp_path: Path) -> None:
    person = Person(tmp_path)
    rows = {"PODIUM_DATABASE_URL": f"sqlite:///{tmp_path / 'rows.sqlite3'}"}
    assert person.types("migrate", **rows).code == 0
    for command in (("backup", "--to", "copies"), ("export", "shop", "--to", "shop.zip")):
        ran = person.types(*command, **rows)
        assert (ran.code, ran.err.partition(". ")[0]) == (
            2,
            f"There is no data folder {tmp_path / 'podium-data'}",
        )
    assert not (tmp_path / "podium-data").exists()


def test_a_new_database_is_told_with_its_path(tmp_path: Path) -> None:
    person = Person(tmp_path)
    made = person.types("migrate")
    file = tmp_path / "podium-data" / "podium.sqlite3"
    assert made.err == f"Made a new database: {file}\n"
    assert person.types("migrate").err == ""


@pytest.mark.parametrize("kind", ["missing", "file", "empty"])
def test_where_no_backup_is_a_restore_says_so_and_makes_nothing(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "backups"
    if kind == "file":
        place.touch()
    elif kind == "empty":
        place.mkdir()
    before = list(tmp_path.iterdir())
    ran = Person(tmp_path).types("restore", "--from", str(place))
    assert (ran.code, ran.out) == (2, "")
    [line] = ran.err.splitlines()
    assert line.startswith(f"There is no backup in {place}")
    assert "Errno" not in line
    assert list(tmp_path.iterdir()) == before


def test_no_folder_is_made_above_the_one_that_is_to_hold_a_backup(tmp_path: Path) -> None:
    person = Person(tmp_path)
    assert person.types("migrate").code == 0
    ran = person.types("backup", "--to", "not/mounted")
    assert (ran.code, ran.err) == (
        2,
        f"There is no folder {tmp_path / 'not'}, and --to names not/mounted. Make the folder, mount"
        " its disk, or correct --to.\n",
    )
    assert not (tmp_path / "not").exists()


def test_a_backup_to_a_file_says_that_it_is_no_folder(tmp_path: Path) -> None:
    person = Person(tmp_path)
    assert person.types("migrate").code == 0
    (tmp_path / "file").touch()
    ran = person.types("backup", "--to", "file")
    assert (ran.code, ran.err) == (2, "--to: file is not a folder. Name another one.\n")
