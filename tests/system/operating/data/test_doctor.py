"""`podium doctor` on installations that are ill in one place each."""

from __future__ import annotations

import fcntl
import re
import socket
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from podium import __version__
from podium.core.database.engine import Database, database_now
from podium.core.models import AuditEntry, Worker
from tests.builders.processes.commands import Person, Ran
from tests.builders.servers import identity_provider
from tests.builders.servers.mail_server import receiving

AT_A_PROVIDER = {"PODIUM_OIDC_CLIENT_ID": "podium", "PODIUM_OIDC_CLIENT_SECRET": "a secret"}


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
    assert (facts["storage"], facts["traces"]) == ("a folder", "off")
    assert re.fullmatch(r"1, last heartbeat \d+ s ago", facts["workers"])
    assert (facts["mail"], facts["identity provider"]) == ("off", "off")
    assert facts["waiting"] == "0 judgings, the oldest 0 s"
    assert not [path for path in ill.home.glob("podium-data/storage/**/*") if path.is_file()]


def test_a_worker_that_was_silent_for_some_time_is_told_as_such(ill: Person) -> None:
    _are_silent(ill, seconds=20)
    ran = _asked(ill)
    told = r"1, last heartbeat (\d+) s ago; 1 silent, though one is due every 5 s"
    found = re.fullmatch(told, ran.document["facts"]["workers"])
    assert found is not None
    assert 20 <= int(found[1]) < 30


def test_a_worker_that_is_silent_for_too_long_is_no_worker(ill: Person) -> None:
    _are_silent(ill, seconds=100)
    ran = _asked(ill)
    assert re.fullmatch(r"0; 1 lost, last heartbeat 1\d\d s ago", ran.document["facts"]["workers"])
    [failure] = ran.document["failures"]
    assert failure.startswith("No worker is running")


def test_a_worker_that_was_killed_on_this_machine_is_no_worker_from_then_on(ill: Person) -> None:
    # As a killed process leaves it: the kernel let go of its lock.
    left = ill.home / "podium-data" / "scratch" / "judgings" / f"h-{__version__}.lock"
    left.parent.mkdir(parents=True, mode=0o700)
    (ill.home / "podium-data" / "scratch").chmod(0o700)
    left.touch()
    ran = _asked(ill)
    assert re.fullmatch(r"0; 1 killed, last heartbeat \d+ s ago", ran.document["facts"]["workers"])
    [failure] = ran.document["failures"]
    assert failure.startswith("No worker is running")
    with left.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert _asked(ill).code == 0


def _are_silent(person: Person, *, seconds: int) -> None:
    """Makes the last heartbeats of all workers older."""
    database = Database(f"sqlite:///{person.home / 'podium.sqlite3'}")
    with database.write() as session:
        heard = database_now(session) - timedelta(seconds=seconds)
        session.execute(sa.update(Worker).values(heartbeat_at=heard))
    database.close()


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
    told = "less than 1,048,576 TB (PODIUM_MIN_FREE_BYTES): uploads are refused."
    [failure] = [one for one in ran.document["failures"] if told in one]
    assert failure.startswith(f"The disk of {ill.home / 'podium-data'} has ")


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


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:port"])
def test_an_address_that_is_none_is_told_in_a_line(ill: Person, address: str) -> None:
    ran = ill.types("doctor", "--health", PODIUM_URL=address)
    assert ran.code == 4
    [line] = ran.err.splitlines()
    assert "PODIUM_URL" in line


def test_an_identity_provider_is_asked_for_what_it_publishes(ill: Person) -> None:
    with identity_provider.running() as provider:
        ran = _asked(ill, PODIUM_OIDC_ISSUER=provider.issuer, **AT_A_PROVIDER)
    assert (ran.code, ran.document["facts"]["identity provider"]) == (0, "it answers"), ran.err


def test_the_redirect_uri_to_register_at_a_provider_is_told(ill: Person) -> None:
    at_a_provider = {"PODIUM_OIDC_ISSUER": "http://127.0.0.1:1", **AT_A_PROVIDER}
    known = _asked(ill, PODIUM_BASE_URL="https://podium.example", **at_a_provider)
    unknown = _asked(ill, **at_a_provider)
    assert [ran.document["facts"]["redirect URI"] for ran in (known, unknown)] == [
        "https://podium.example/sign-in/elsewhere/back",
        "https://HOST/sign-in/elsewhere/back",
    ]
    assert "redirect URI" not in _asked(ill).document["facts"]


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ({"issuer": "https://id.example"}, "calls itself 'https://id.example', and PODIUM_OIDC_"),
        ({"token_endpoint": None}, "names no address, or not one with HTTPS, as token_endpoint."),
        ({"jwks_uri": "http://127.0.0.1:1/keys"}, "http://127.0.0.1:1/keys: Connection refused."),
    ],
)
def test_a_provider_that_publishes_what_cannot_be_used_is_a_failure(
    ill: Person, says: dict[str, Any], told: str
) -> None:
    with identity_provider.running() as provider:
        provider.says = says
        ran = _asked(ill, PODIUM_OIDC_ISSUER=provider.issuer, **AT_A_PROVIDER)
    assert (ran.code, ran.document["facts"]["identity provider"]) == (4, "no sign-in there")
    [failure] = ran.document["failures"]
    assert told in failure


def test_a_provider_that_is_away_and_half_of_one_are_failures(ill: Person) -> None:
    away = _asked(ill, PODIUM_OIDC_ISSUER="http://127.0.0.1:1", **AT_A_PROVIDER)
    assert (away.code, away.document["failures"]) == (
        4,
        [
            "The identity provider does not answer as it should:"
            " http://127.0.0.1:1/.well-known/openid-configuration: Connection refused."
            " See that it is there, or correct PODIUM_OIDC_ISSUER."
        ],
    )
    half = _asked(ill, PODIUM_OIDC_ISSUER="http://127.0.0.1:1")
    assert (half.code, half.document["failures"]) == (
        4,
        ["PODIUM_OIDC_ISSUER needs PODIUM_OIDC_CLIENT_ID and PODIUM_OIDC_CLIENT_SECRET."],
    )


@pytest.mark.parametrize(
    ("base_url", "trusted", "told"),
    [
        (
            "https://podium.example",
            "",
            "none is named, though PODIUM_BASE_URL is https://. Set PODIUM_TRUSTED_PROXIES to the"
            " address of the proxy",
        ),
        ("https://podium.example", "127.0.0.1", "127.0.0.1"),
        ("http://podium.example", "", "none"),
    ],
)
def test_https_without_a_named_proxy_is_told(
    ill: Person, base_url: str, trusted: str, told: str
) -> None:
    ran = _asked(ill, PODIUM_BASE_URL=base_url, PODIUM_TRUSTED_PROXIES=trusted)
    assert (ran.code, ran.document["facts"]["proxies"]) == (0, told)


def test_the_last_backup_is_told_with_its_age_and_place(ill: Person) -> None:
    assert _asked(ill).document["facts"]["last backup"] == "never backed up"
    url = f"sqlite:///{ill.home / 'podium.sqlite3'}"
    place = ill.home / "backups"
    made = ill.types("backup", "--to", str(place), PODIUM_DATABASE_URL=url)
    assert made.code == 0, made.err
    told = _asked(ill).document["facts"]["last backup"]
    assert told == f"0 min ago to {place}"
    database = Database(url)
    with database.write() as session:
        for entry in session.scalars(sa.select(AuditEntry)):
            entry.at -= timedelta(hours=25)
    database.close()
    assert _asked(ill).document["facts"]["last backup"] == f"25 hours ago to {place}"
