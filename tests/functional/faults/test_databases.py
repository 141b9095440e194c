"""A PostgreSQL that is killed under load, and one that a network swallows: 503, and no loss."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from app.db.migrate import migrate
from tests.functional.faults.budget import Budget
from tests.functional.faults.postgres import PostgresServer
from tests.functional.faults.proxy import Wire
from tests.functional.faults.stage import SUBMISSIONS, Process, Stage, wait_for

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


def sending(stage: Stage, api: Process, token: str, is_over: threading.Event) -> None:
    """A client that sends file after file, whatever becomes of each."""
    while not is_over.is_set():
        was_taken = stage.send(api, stage.file(), token) == 202
        # Every file has to be judged in the end.
        is_over.wait(2.0 if was_taken else 0.5)


def test_a_database_that_is_killed_under_load_loses_nothing_that_was_acknowledged(
    server: PostgresServer, tmp_path: Path, budget: Budget
) -> None:
    stage = opened(tmp_path, server, server.url)
    api, _ = stage.start("api"), stage.start("worker")
    is_over = threading.Event()
    clients = [
        threading.Thread(target=sending, args=(stage, api, token, is_over))
        for token in stage.tokens
    ]
    for client in clients:
        client.start()
    kills = budget.times(SHORT, FULL)
    try:
        for seed in range(kills):
            acknowledged = len(stage.history.acknowledged)
            wait_for(lambda seen=acknowledged: len(stage.history.acknowledged) > seen, "a 202")
            time.sleep(random.Random(seed).uniform(0.0, 0.3))
            server.kill()
            server.start()
            assert stage.lost() == []
    finally:
        is_over.set()
        for client in clients:
            client.join()
    try:
        assert stage.violations() == []
    finally:
        stage.close()
    budget.report("kill -9 of PostgreSQL under load", stage, kills)


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
