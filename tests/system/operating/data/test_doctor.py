"""`podium doctor` on installations that are ill in one place each."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

import pytest

from podium import __version__
from podium.core.database.engine import Database, database_now
from podium.core.models import Worker
from tests.builders.processes.commands import Person, Ran
from tests.builders.servers.mail_server import receiving


@pytest.fixture
def ill(tmp_path: Path, sqlite_url: str) -> Person:
    """A user whose installation has a worker that sends heartbeats, and nothing else."""
    _add_worker(sqlite_url, __version__)
    (tmp_path / "podium.sqlite3").chmod(0o600)
    (tmp_path / "podium-data").mkdir(mode=0o700)
    return Person(tmp_path)


def _add_worker(url: str, version: str, *, host: str = "h") -> None:
    database = Database(url)
    with database.write() as session:
        now = database_now(session)
        session.add(
            Worker(
                id=f"{host}-{version}",
                host=host,
                process_id=1,
                version=version,
                started_at=now,
                heartbeat_at=now,
            )
        )
    database.close()


def _asked(person: Person, **environment: str) -> Ran:
    url = f"sqlite:///{person.home / 'podium.sqlite3'}"
    settings = {"PODIUM_DATABASE_URL": url, "PODIUM_MIN_FREE_BYTES": "0"}
    return person.types("doctor", "--json", **(settings | environment))


def test_a_healthy_one_has_no_failure_and_leaves_no_file(ill: Person) -> None:
    ran = _asked(ill)
    assert (ran.code, ran.document["failures"]) == (0, []), ran.err
    facts = ran.document["facts"]
    assert (facts["storage"], facts["traces"], facts["workers"]) == ("a folder", "off", "1")
    assert facts["waiting"] == "0 judgings, the oldest 0 s"
    assert not [path for path in ill.home.glob("podium-data/storage/**/*") if path.is_file()]


def test_workers_of_another_version_are_named(ill: Person) -> None:
    _add_worker(f"sqlite:///{ill.home / 'podium.sqlite3'}", "0.0.9")
    ran = _asked(ill)
    assert ran.code == 4
    assert ran.document["failures"] == ["There are workers of other versions: 0.0.9. Restart them."]


def test_a_storage_that_cannot_be_written_is_a_failure(ill: Person) -> None:
    (ill.home / "podium-data" / "storage").write_text("no folder")
    ran = _asked(ill)
    assert ran.code == 4
    assert any("storage does not keep files" in failure for failure in ran.document["failures"])


def test_a_bucket_that_does_not_answer_is_a_failure(ill: Person) -> None:
    ran = _asked(
        ill,
        PODIUM_STORAGE_URL="s3://b?endpoint=http://127.0.0.1:9",
        AWS_ACCESS_KEY_ID="a",
        AWS_SECRET_ACCESS_KEY="b",
    )
    assert ran.code == 4
    assert ran.document["facts"]["storage"] == "a bucket, which fails"


def test_a_database_of_another_version_is_a_failure(ill: Person) -> None:
    with sqlite3.connect(ill.home / "podium.sqlite3") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '2026112002'")
    ran = _asked(ill)
    assert ran.code == 4
    told = "The database is not at this version. Run `podium migrate` first."
    assert told in ran.document["failures"]


def test_a_database_that_does_not_answer_is_a_failure(ill: Person) -> None:
    ran = _asked(ill, PODIUM_DATABASE_URL="postgresql+psycopg://podium@127.0.0.1:9/podium")
    assert ran.code == 4
    assert ran.document["facts"]["database"] == "does not answer"


def test_a_disk_without_room_is_a_failure(ill: Person) -> None:
    ran = _asked(ill, PODIUM_MIN_FREE_BYTES=str(1 << 60))
    assert ran.code == 4
    told = "The disk has less free space than 1,048,576 TB (PODIUM_MIN_FREE_BYTES)"
    assert any(failure.startswith(told) for failure in ran.document["failures"])


def test_memory_for_judgings_is_wanted_where_a_worker_is_or_none_is(ill: Person) -> None:
    hungry = {"PODIUM_JUDGING_MEMORY_BYTES": str(1 << 60)}
    elsewhere = _asked(ill, **hungry)
    assert (elsewhere.code, elsewhere.document["failures"]) == (0, []), elsewhere.err
    url = f"sqlite:///{ill.home / 'podium.sqlite3'}"
    _add_worker(url, __version__, host=socket.gethostname())
    here = _asked(ill, **hungry)
    assert here.code == 4
    [failure] = here.document["failures"]
    assert "a large file may never be judged" in failure
    with sqlite3.connect(ill.home / "podium.sqlite3") as connection:
        connection.execute("DELETE FROM workers")
    nowhere = _asked(ill, **hungry)
    assert len(nowhere.document["failures"]) == 2


def test_a_mail_server_is_asked_and_gets_no_mail(ill: Person) -> None:
    with receiving() as server:
        settings = {
            "PODIUM_BASE_URL": "https://podium.example",
            "PODIUM_MAIL_URL": f"smtp://localhost:{server.port}",
            "PODIUM_MAIL_FROM": "podium@example.org",
        }
        ran = _asked(ill, **settings)
        assert (ran.code, ran.document["facts"]["mail"]) == (0, "the server answers"), ran.err
        assert (server.connections, server.received) == (1, [])
        server.refuses = {"": "554 5.7.1 not from here"}
        ran = _asked(ill, **settings)
    assert (ran.code, ran.document["facts"]["mail"]) == (4, "cannot be sent")
    assert ran.document["failures"] == [
        f"The mail server does not let us send: localhost:{server.port}: 554 5.7.1 not from here."
        " Correct PODIUM_MAIL_URL, or see that the server is there."
    ]
