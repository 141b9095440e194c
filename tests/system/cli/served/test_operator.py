"""Commands of an operator."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from podium.client import Podium
from podium.errors import NotAuthenticated
from tests.builders.processes.commands import Person
from tests.builders.processes.forks import Forked
from tests.builders.processes.serving import launch, serving, submission


def test_a_database_is_made_once_and_then_up_to_date(person: Person) -> None:
    for _ in range(2):
        ran = person.types("migrate", PODIUM_DATA_DIR="data")
        assert (ran.code, ran.out) == (0, "The database is up to date.\n"), ran.err
    assert (person.home / "data" / "podium.sqlite3").exists()


def test_the_doctor_finds_a_working_installation_well(tmp_path: Path, person: Person) -> None:
    with serving(tmp_path) as installation:
        environment = {
            "PODIUM_DATA_DIR": str(tmp_path / "data"),
            "PODIUM_MIN_FREE_BYTES": "0",
        }
        ran = person.types("doctor", "--json", **environment)
        assert (ran.code, ran.document["failures"]) == (0, []), ran.err
        facts = ran.document["facts"]
        assert facts["database"] == "SQLite"
        assert re.fullmatch(r"1, last heartbeat [0-9]+ s ago", facts["workers"])
        assert any(name.startswith("isolation ") for name in facts)
        healthy = person.types("doctor", "--health", PODIUM_URL=installation.url)
        assert healthy.code == 0
    gone = person.types("doctor", "--health", PODIUM_URL=installation.url)
    assert gone.code == 4


def test_the_doctor_says_that_no_worker_judges(tmp_path: Path, person: Person) -> None:
    environment = {"PODIUM_DATA_DIR": "data", "PODIUM_MIN_FREE_BYTES": "0"}
    assert person.types("doctor", **environment).code == 4
    assert person.types("migrate", **environment).code == 0
    ran = person.types("doctor", **environment)
    assert ran.code == 4
    assert ran.err == (
        "No worker is running: nothing is judged, and organizers' files are not read."
        " Run `podium serve` or `podium worker`.\n"
    )


def printed_by_a_server(person: Person, **environment: str) -> list[str]:
    """The lines that a server prints from its start to its end."""
    reading, writing = os.pipe()
    with (person.home / "server.log").open("w") as log:
        server = Forked(
            ["serve", "--port", "0", "--no-worker"],
            environment=person.environment(**environment),
            cwd=person.home,
            stdout=writing,
            stderr=log,
        )
    os.close(writing)
    with os.fdopen(reading) as output:
        lines: list[str] = []
        while not lines or not lines[-1].startswith("Podium answers"):
            lines.append(output.readline())
            assert lines[-1], "it ended before it answered"
        server.terminate()
        assert server.wait(timeout=60) == 0
        return lines + output.readlines()


def test_a_server_prints_the_address_to_give_out_where_it_is_set(person: Person) -> None:
    printed = printed_by_a_server(person, PODIUM_BASE_URL="http://192.168.1.20:8000/")
    assert printed[-1] == "The address to give out is http://192.168.1.20:8000\n"


def test_the_administrators_token_is_printed_once(person: Person) -> None:
    first, second = printed_by_a_server(person), printed_by_a_server(person)
    assert re.fullmatch(r"Administrator token \(shown only this once\): \S{43}\n", first[0])
    assert len(second) == 1


def test_another_token_ends_the_one_before_and_the_start_says_so(tmp_path: Path) -> None:
    earlier = "the-token-of-an-earlier-start"
    with (
        serving(tmp_path, "--no-worker", PODIUM_ADMIN_TOKEN=earlier) as installation,
        Podium(installation.url, earlier) as administrator,
    ):
        assert administrator.me()["name"] == "administrator"
    with serving(tmp_path, "--no-worker") as installation, installation.organizer() as organizer:
        assert organizer.me()["name"] == "administrator"
        with Podium(installation.url, earlier) as former, pytest.raises(NotAuthenticated):
            former.me()
    log = (tmp_path / "server.log").read_text()
    assert log.count("administrator-token.replaced") == 1
    assert "the administrator's former token does not work" in log


def test_a_worker_of_its_own_judges_for_a_server_without_one(tmp_path: Path) -> None:
    with serving(tmp_path) as installation, installation.organizer() as organizer:
        launch(organizer, "shop", tmp_path)
    with serving(tmp_path, "--no-worker") as installation, installation.organizer() as organizer:
        (tmp_path / "mine.csv").write_text(submission(orders="4"))
        with Podium(installation.url, organizer.create_user("ada")["token"]) as ada:
            ada.create_team("shop", "Ada")
            sent = ada.submit("shop", tmp_path / "mine.csv")
            assert ada.submission(sent["id"])["status"] == "queued"
            with (tmp_path / "worker.log").open("w") as log:
                worker = Forked(
                    ["worker"],
                    environment={
                        "PATH": "/usr/bin:/bin",
                        "PODIUM_DATA_DIR": str(tmp_path / "data"),
                    },
                    cwd=tmp_path,
                    stdout=log,
                    stderr=log,
                )
            assert ada.wait(sent["id"], timeout=60)["public_score"] == 0.3
            worker.terminate()
            assert worker.wait(timeout=60) == 0


def test_the_server_stops_soon_although_a_client_still_listens(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(submission())
    with serving(tmp_path) as installation, installation.organizer() as organizer:
        launch(organizer, "shop", tmp_path)
    with (
        serving(tmp_path, "--no-worker") as installation,
        installation.organizer() as organizer,
    ):
        token = organizer.create_user("ada")["token"]
        with Podium(installation.url, token) as ada:
            ada.create_team("shop", "Ada")
            sent = ada.submit("shop", tmp_path / "mine.csv")
        listening = urllib.request.Request(
            f"{installation.url}/api/v1/submissions/{sent['id']}/events",
            headers={"Authorization": f"Bearer {token}"},
        )
        with urllib.request.urlopen(listening) as events:
            assert events.readline().startswith(b"id: ")
            # A stream of events has no end of its own: without one put to it, nothing ends here.
            installation.stop()


def test_a_worker_refuses_a_database_of_another_version(person: Person) -> None:
    assert person.types("migrate", PODIUM_DATA_DIR="data").code == 0
    with closing(sqlite3.connect(person.home / "data" / "podium.sqlite3")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '2026112002'")
        connection.commit()
    ran = person.types("worker", PODIUM_DATA_DIR="data")
    assert ran.code == 2
    assert "podium migrate" in ran.err


def test_a_taken_port_is_told(person: Person) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = person.types("serve", "--port", port, "--no-worker")
    assert ran.code == 2
    assert f"Cannot listen on 127.0.0.1:{port}" in ran.err


def test_the_server_says_nothing_of_what_it_runs_on(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--no-worker") as installation,
        urllib.request.urlopen(f"{installation.url}/healthz") as answer,
    ):
        assert answer.headers["server"] is None
