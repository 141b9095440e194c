"""A PostgreSQL that is killed under load, and one that a network swallows: 503, and no loss."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from podium.core.database.migrate import migrate
from tests.builders.faults.budget import Budget
from tests.builders.faults.clients import Clients
from tests.builders.faults.stage import SUBMISSIONS, Stage, wait_for
from tests.builders.machine.silent_proxy import Wire
from tests.builders.servers.killable_postgres import PostgresServer

# A server each: they are shared with no other test.
pytestmark = [pytest.mark.postgres, pytest.mark.timeout(6 * 3600)]

CLIENTS = 3
SHORT, FULL = 3, 50
"""Kills of the server."""


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server with a migrated database of its own."""
    server = PostgresServer()
    try:
        migrate(server.url)
        yield server
    finally:
        server.close()


def opened(folder: Path, server: PostgresServer, url: str) -> Stage:
    stage = Stage(folder, url)
    stage.open(teams=CLIENTS)
    return stage


def test_a_database_that_is_killed_under_load_loses_nothing_that_was_acknowledged(
    server: PostgresServer, tmp_path: Path, budget: Budget
) -> None:
    stage = opened(tmp_path, server, server.url)
    kills = 0
    try:
        api, _ = stage.start("api"), stage.start("worker")
        with Clients(stage, api) as clients:
            for seed in budget.in_time(range(budget.times(SHORT, FULL))):
                clients.wait_for_another()
                time.sleep(random.Random(seed).uniform(0.0, 0.3))
                server.kill()
                server.start()
                kills += 1
                assert stage.lost() == []
        assert stage.violations() == []
    finally:
        stage.close()
    budget.report("kill -9 of PostgreSQL under load", stage, kills)


def test_a_database_that_is_away_is_one_line_of_the_log_and_its_return_another(
    server: PostgresServer, tmp_path: Path
) -> None:
    stage = Stage(tmp_path, server.url)
    log = tmp_path / "outage.log"
    try:
        stage.open()
        stage.start("worker", log=str(log))
        server.kill()
        wait_for(lambda: '"database.unavailable"' in log.read_text(), "a line about the outage")
        server.start()
        wait_for(lambda: '"database.available"' in log.read_text(), "a line about its end")
        told = log.read_text()
    finally:
        stage.close()
    assert told.count('"database.unavailable"') == 1
    assert "Traceback" not in told
    assert "engine.warned" not in told


def test_a_database_that_a_network_swallows_costs_a_503_and_no_more(
    server: PostgresServer, tmp_path: Path, budget: Budget
) -> None:
    wire = Wire(server.port)
    stage = opened(tmp_path, server, server.url_at(wire.port))
    try:
        api, _ = stage.start("api"), stage.start("worker")
        assert stage.send(api, stage.file()) == 202
        assert api.ask("GET", "/readyz")[0] == 200
        wire.cut()
        assert stage.send(api, stage.file()) == 503
        assert api.ask("GET", SUBMISSIONS, None, stage.tokens[0])[0] == 503
        assert api.ask("GET", "/readyz")[0] == 503
        assert api.ask("GET", "/healthz")[0] == 200
        wire.mend()
        wait_for(lambda: api.ask("GET", "/readyz")[0] == 200, "readiness by itself")
        assert stage.send(api, stage.file()) == 202
        assert stage.violations() == []
    finally:
        with suppress(AssertionError):
            wire.mend()
        stage.close()
        wire.close()
    budget.report("PostgreSQL behind a network that swallows everything", stage, 1)


def test_a_database_and_a_worker_that_are_killed_together_leave_a_file_that_is_judged_once(
    server: PostgresServer, tmp_path: Path, budget: Budget
) -> None:
    stage = opened(tmp_path, server, server.url)
    try:
        api, kills = stage.start("api"), 0
        for number in budget.in_time(range(budget.times(1, 10))):
            assert stage.send(api, stage.file(waits=True)) == 202
            worker = stage.start("worker")
            wait_for(worker.waiting_children, "a judge child")
            first, second = server.kill, worker.end
            for kill in (first, second) if number % 2 else (second, first):
                kill()
            server.start()
            kills += 1
            assert stage.lost() == []
        assert stage.violations() == []
    finally:
        stage.close()
    budget.report("kill -9 of PostgreSQL and of a worker at once", stage, kills)
