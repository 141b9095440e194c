"""The map names every room, in the order of the contracts, with its size, and files that exist."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.house import rooms
from tests.house.project import read
from tests.places import ROOT

PACKAGE = ROOT / "app" / "podium"
MAP = (PACKAGE / "README.md").read_text()
ROWS = re.findall(r"^\| (`.+?`) \| ([\d,]+) \| ", MAP, re.MULTILINE)
"""Rows of rooms: their names, and their lines of code."""

SUBJECTS = "Subjects in order: each knows those below it"


def names(row: str) -> list[str]:
    """The rooms that a row names."""
    return re.findall(r"`(\w+)`", row)


def floors() -> Iterator[list[str]]:
    """Rooms as the contract orders them, the highest first, with those that stand side by side."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (subjects,) = (each for each in contracts["contracts"] if each["name"] == SUBJECTS)
    for layer in subjects["layers"]:
        yield layer.split(" | ")


def test_every_file_on_the_map_exists() -> None:
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", MAP))
    assert len(named) >= 10
    assert [name for name in sorted(named) if not (PACKAGE / name).exists()] == []


def test_every_room_has_one_row_on_the_map() -> None:
    mapped = [name for row, _ in ROWS for name in names(row)]
    assert sorted(mapped) == sorted(name for floor in floors() for name in floor)


def test_subjects_stand_on_the_map_in_the_order_of_the_contract() -> None:
    table = MAP.partition("| subject |")[2].partition("\n\n")[0]
    mapped = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    ordered = [name for floor in floors() for name in floor]
    lowest = ordered.index(mapped[0])
    assert mapped == ordered[lowest::-1][: len(mapped)]


def test_the_tests_of_each_room_are_where_the_map_says() -> None:
    sentence = MAP.partition("The tests of a room are")[2].partition("\n\n")[0]
    folders = {path.name for path in (ROOT / "tests").rglob("*") if path.is_dir()}
    elsewhere = {name for floor in floors() for name in floor} - folders
    assert elsewhere == set(names(sentence)) & elsewhere
    assert all((ROOT / place).is_dir() for place in re.findall(r"`(tests/[\w/]+)`", sentence))


@pytest.fixture(scope="module")
def sizes() -> dict[str, int]:
    """Lines of code by room."""
    return dict(rooms.rooms(read(folders=["app"]).sources))


@pytest.mark.parametrize(("row", "shown"), ROWS)
def test_the_size_of_a_room_is_about_right(row: str, shown: str, sizes: dict[str, int]) -> None:
    size = sum(sizes[name] for name in names(row))
    told = int(shown.replace(",", ""))
    assert abs(told - size) <= 100 + size / 10, f"the map says {told}, and it has {size} lines"
