"""Prepared files of a seed keep their bytes from version to version, by whichever command."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from podium.otto.synthetic import synthesize_raw
from tests.builders.processes.commands import Person

SESSIONS = ("otto", "prepare"), ("prepare", "--recipe", "otto")
"""The two names of one command."""

EXPECTED = {
    "sessions": "85205c9194e3c6fb",
    "scopes": "8808158f409dd822",
    "clickstream": "96695f296bbfd8b8",
    "split": "d685479a6b1565e3",
    "leave-one-out": "6275012309ba20a2",
    "share": "083b2a4890beb96d",
    "time": "df7f57e1108d8d66",
    "k-fold": "abfdf3af36b12a23",
}


def bytes_of(folder: Path) -> str:
    """One hash of the names and bytes of all files in a folder."""
    whole = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        whole.update(f"{file.relative_to(folder)} {digest}\n".encode())
    return whole.hexdigest()[:16]


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("raw")
    return synthesize_raw(folder, sessions=40, train=160, items=300, seed=5)


@pytest.fixture(scope="module")
def ratings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance = random.Random(5)
    file = tmp_path_factory.mktemp("ratings") / "ratings.csv"
    rows = [
        f"{user},{item},{chance.randint(1, 5)},{1_600_000_000 + chance.randrange(10**6)}\n"
        for user in range(1, 41)
        for item in chance.sample(range(1, 50), chance.randint(3, 20))
    ]
    file.write_text("user,item,rating,timestamp\n" + "".join(rows))
    return file


@pytest.fixture(scope="module")
def clicks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance = random.Random(6)
    file = tmp_path_factory.mktemp("clicks") / "clicks.csv"
    rows = [
        f"u{chance.randint(1, 60)},i{chance.randint(1, 30)},{1_600_000_000 + n * 900},view\n"
        for n in range(1000)
    ]
    file.write_text("user,item,time,type\n" + "".join(rows))
    return file


def made(person: Person, *command: object) -> str:
    ran = person.types(*command, "--seed", "3", "--to", "made")
    assert ran.code == 0, ran.err
    return bytes_of(person.home / "made")


@pytest.mark.parametrize("command", SESSIONS)
def test_sessions_are_cut_as_before_by_both_names(
    person: Person, raw: Path, command: tuple[str, ...]
) -> None:
    assert made(person, *command, raw, "--days", "3") == EXPECTED["sessions"]


def test_sessions_with_other_scopes_give_the_same_bytes(person: Person, raw: Path) -> None:
    scopes = ("--objective", "carts=next", "--objective", "clicks=all")
    given = made(person, "otto", "prepare", raw, *scopes)
    assert given == EXPECTED["scopes"]


def test_a_clickstream_with_ids_of_text_gives_the_same_bytes(person: Person, clicks: Path) -> None:
    told = ("--columns", "user,item,time,type", "--time-unit", "s", "--ids", "text")
    assert made(person, "otto", "prepare", clicks, *told) == EXPECTED["clickstream"]


def test_a_split_at_home_gives_the_same_bytes(person: Person, raw: Path) -> None:
    assert made(person, "otto", "split", raw, "--days", "4") == EXPECTED["split"]


@pytest.mark.parametrize("protocol", ["leave-one-out", "share", "time", "k-fold"])
def test_every_protocol_of_interactions_gives_the_same_bytes(
    person: Person, ratings: Path, protocol: str
) -> None:
    given = made(person, "prepare", ratings, "--protocol", protocol, "--format", "csv")
    assert given == EXPECTED[protocol]
