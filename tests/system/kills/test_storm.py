"""The storm: the only process is killed again and again while files arrive and are judged."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.builders.storm.checker import violations
from tests.builders.storm.files import File, storm_files
from tests.builders.storm.storm import Clients, Server, open_competition, rage

TEAMS = 4
SEED = 20261120

WAITING = sa.text("SELECT count(*) FROM judgings WHERE state IN ('queued', 'judging')")


@pytest.fixture
def server(tmp_path: Path, database_url: str) -> Iterator[Server]:
    server = Server(tmp_path, database_url)
    server.start()
    server.wait_until_ready()
    yield server
    if server.is_running():
        server.kill()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("database_url", "kills", "count"),
    [
        pytest.param("sqlite", 20, 60, id="sqlite"),
        pytest.param("postgresql", 5, 15, id="postgresql", marks=pytest.mark.postgres),
    ],
    indirect=["database_url"],
)
def test_every_acknowledged_file_is_judged_once_and_rightly_through_a_storm_of_kills(
    server: Server, tmp_path: Path, database_url: str, kills: int, count: int
) -> None:
    files = storm_files(count, SEED)
    clients = Clients(server, open_competition(server, TEAMS), files, kills=kills)
    clients.start()
    rage(server, clients, kills=kills, seed=SEED)
    assert clients.complaints == []
    assert clients.broken > 0, "no kill met any request"
    _wait_for_verdicts(database_url)
    server.stop()
    assert violations(database_url, tmp_path / "data", files, clients.acknowledged) == []


Tamper = Callable[[sa.Connection, Path], None]


def lose_a_row(connection: sa.Connection, _: Path) -> None:
    connection.execute(sa.text("UPDATE submissions SET id = 'gone' WHERE sequence = 1"))


def lose_the_bytes(_: sa.Connection, data: Path) -> None:
    for path in (data / "storage/submissions").rglob("*"):
        if path.is_file():
            path.unlink()


def change_a_score(connection: sa.Connection, _: Path) -> None:
    connection.execute(sa.text("UPDATE private_scores SET score = '1/7'"))


def judge_twice(connection: sa.Connection, _: Path) -> None:
    tables = sa.MetaData()
    tables.reflect(connection, only=["judgings", "rejudgings", "submissions"])
    judgings = tables.tables["judgings"]
    row = connection.execute(judgings.select()).mappings().first()
    assert row is not None
    connection.execute(judgings.insert().values({**row, "id": "twin", "ground_truth_version": 2}))


def charge_twice(connection: sa.Connection, _: Path) -> None:
    connection.execute(sa.text("UPDATE quota_slots SET submission_id = NULL"))


def forget_the_board(connection: sa.Connection, _: Path) -> None:
    connection.execute(sa.text("DELETE FROM standings"))


@dataclass(frozen=True)
class Judged:
    """An installation that served, judged one file, and was stopped."""

    folder: Path
    files: list[File]
    acknowledged: dict[str, str]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    folder = tmp_path_factory.mktemp("judged")
    (folder / "data").mkdir()
    url = f"sqlite:///{folder / 'data' / 'podium.sqlite3'}"
    server = Server(folder, url)
    server.start()
    server.wait_until_ready()
    files = [file for file in storm_files(10, SEED) if file.status == "scored"][:1]
    clients = Clients(server, open_competition(server, 1), files, kills=0)
    clients.start()
    while not clients.are_done():
        time.sleep(0.05)
    _wait_for_verdicts(url)
    server.stop()
    return Judged(folder / "data", files, clients.acknowledged)


@pytest.mark.parametrize(
    "tamper",
    [lose_a_row, lose_the_bytes, change_a_score, judge_twice, charge_twice, forget_the_board],
)
def test_the_checker_of_the_storm_finds_each_planted_fault(
    judged: Judged, tmp_path: Path, tamper: Tamper
) -> None:
    data = tmp_path / "data"
    shutil.copytree(judged.folder, data)
    url = f"sqlite:///{data / 'podium.sqlite3'}"
    assert violations(url, data, judged.files, judged.acknowledged) == []
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        tamper(connection, data)
    engine.dispose()
    assert violations(url, data, judged.files, judged.acknowledged) != []


def _wait_for_verdicts(database_url: str) -> None:
    # Judging so many files takes as long as the machine is busy: what counts is that it goes on.
    engine = sa.create_engine(database_url, poolclass=sa.NullPool)
    waiting, last_change = None, time.monotonic()
    while waiting != 0:
        with engine.connect() as connection:
            before, waiting = waiting, connection.scalar(WAITING)
        if waiting != before:
            last_change = time.monotonic()
        stands_still = time.monotonic() > last_change + 90
        assert not stands_still, f"{waiting} files wait, and none got a verdict for 90 s"
        time.sleep(0.2)
    engine.dispose()
