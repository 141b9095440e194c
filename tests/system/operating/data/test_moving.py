"""An installation on SQLite whose operator names PostgreSQL, and one that goes there."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from podium.client import Podium
from podium.core.database.snapshots import is_empty
from podium.storage import Area
from podium.storage.shelf import open_shelf
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, launch, serving, submission
from tests.builders.servers.postgres import take_client_programs
from tests.builders.servers.s3 import S3Server

SERVE = ("serve", "--port", "0", "--no-worker")


def _sent(here: Installation, token: str, orders: str) -> str:
    path = here.folder / f"{orders}.csv"
    path.write_text(submission(orders=orders))
    with Podium(here.url, token) as podium:
        return str(podium.submit("shop", path)["id"])


def _settled(folder: Path) -> str:
    """Runs a competition with one scored submission of Ada's; answers her token."""
    with serving(folder) as here, here.organizer() as organizer:
        launch(organizer, "shop", folder)
        token = str(organizer.create_user("ada")["token"])
        with Podium(here.url, token) as podium:
            podium.create_team("shop", "ada")
        assert organizer.wait(_sent(here, token, "4"), timeout=120)["status"] == "scored"
    return token


@pytest.mark.postgres
def test_an_empty_database_beside_another_one_is_no_new_installation(
    tmp_path: Path, empty_postgres_url: str
) -> None:
    operator, data = Person(tmp_path), tmp_path / "data"
    assert operator.types("migrate", PODIUM_DATA_DIR=str(data)).code == 0
    there = {"PODIUM_DATA_DIR": str(data), "PODIUM_DATABASE_URL": empty_postgres_url}
    for command in (SERVE, ("migrate",), ("worker",), ("backup", "--to", tmp_path / "b")):
        ran = operator.types(*command, **there)
        (line,) = ran.err.splitlines()
        assert (ran.code, ran.out) == (2, "")
        assert f"is empty, and {data / 'podium.sqlite3'} holds an installation." in line
        assert "`podium restore` the backup with it." in line
    told = operator.types("doctor", "--json", **there).document
    assert told["facts"]["other database"] == f"{data / 'podium.sqlite3'}, which is not used"
    assert any("holds an installation. To go on" in failure for failure in told["failures"])
    assert is_empty(empty_postgres_url)
    another = there | {"PODIUM_DATA_DIR": str(tmp_path / "another")}
    assert operator.types("migrate", **another).code == 0


@pytest.mark.postgres
def test_files_beside_an_empty_database_are_no_new_installation(
    tmp_path: Path, empty_postgres_url: str
) -> None:
    file = tmp_path / "data" / "storage" / "files" / "ab" / "cd" / "abcd"
    file.parent.mkdir(parents=True, mode=0o700)
    file.touch()
    there = {"PODIUM_DATA_DIR": str(tmp_path / "data"), "PODIUM_DATABASE_URL": empty_postgres_url}
    ran = Person(tmp_path).types(*SERVE, **there)
    assert ran.code == 2
    assert f"There are files in {tmp_path / 'data' / 'storage'}, and postgresql" in ran.err
    assert is_empty(empty_postgres_url)


def test_a_bucket_with_files_is_no_place_for_a_new_installation(
    tmp_path: Path, s3: S3Server
) -> None:
    bucket = s3.address("lost-database", tmp_path.name)
    operator = Person(tmp_path)
    there = {"PODIUM_STORAGE_URL": bucket, "PODIUM_MIN_FREE_BYTES": "0", **s3.environment}
    assert operator.types("migrate", **there).code == 0
    with pytest.MonkeyPatch.context() as patch:
        for name, value in s3.environment.items():
            patch.setenv(name, value)
        (tmp_path / "file").write_bytes(b"hits")
        name = f"{Area.HITS}/ab/cd/{'ab' * 32}"
        open_shelf(bucket, name="--to").put(name, tmp_path / "file")
    ran = operator.types("migrate", **there, PODIUM_DATA_DIR=str(tmp_path / "new"))
    assert ran.code == 2
    assert f"There are files in {bucket}, and no database" in ran.err
    assert "name another place as PODIUM_STORAGE_URL." in ran.err


@pytest.mark.postgres
def test_an_installation_moves_to_postgresql_and_back(
    tmp_path: Path, empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_client_programs(empty_postgres_url, monkeypatch)
    token, operator = _settled(tmp_path), Person(tmp_path)
    data = {"PODIUM_DATA_DIR": str(tmp_path / "data"), "PODIUM_MIN_FREE_BYTES": "0"}
    exact = _exact(f"sqlite:///{tmp_path / 'data' / 'podium.sqlite3'}")
    assert operator.types("backup", "--to", "one", **data).code == 0
    on_postgres = data | {"PODIUM_DATABASE_URL": empty_postgres_url}
    ran = operator.types("restore", "--from", "one", **on_postgres)
    assert ran.code == 0, ran.err
    assert ran.err.startswith("Converted ")
    assert "(0 new)" in ran.err
    assert _exact(empty_postgres_url) == exact
    with monkeypatch.context() as patch:
        patch.setenv("PODIUM_DATABASE_URL", empty_postgres_url)
        _goes_on(tmp_path, token, orders="3", submissions=2)
    exact = _exact(empty_postgres_url)
    assert operator.types("backup", "--to", "two", "--check", **on_postgres).code == 0
    back = tmp_path / "back"
    back.mkdir()
    ran = operator.types("restore", "--from", "two", **data | {"PODIUM_DATA_DIR": "back/data"})
    assert ran.code == 0, ran.err
    assert _exact(f"sqlite:///{back / 'data' / 'podium.sqlite3'}") == exact
    _goes_on(back, token, orders="2", submissions=3)


def _exact(url: str) -> list[tuple[object, ...]]:
    """The exact scores of all submissions, as they are stored, with their order and moment."""
    engine = sa.create_engine(url)
    query = """
        SELECT submissions.id, sequence, public_scores.score, private_scores.score
        FROM submissions JOIN public_scores ON public_scores.judging_id = submissions.judging_id
        JOIN private_scores ON private_scores.judging_id = submissions.judging_id
        ORDER BY sequence
    """
    with engine.connect() as connection:
        rows = [tuple(row) for row in connection.execute(sa.text(query))]
    engine.dispose()
    assert rows
    return rows


def _goes_on(folder: Path, token: str, *, orders: str, submissions: int) -> None:
    """Sends one submission more, with the token of before, and looks at the board."""
    with serving(folder) as here, here.organizer() as organizer:
        sent = _sent(here, token, orders)
        assert organizer.wait(sent, timeout=120)["status"] == "scored"
        (row,) = organizer.leaderboard("shop")
        assert (row["score"], row["submissions"]) == (0.3, submissions)
