"""A bucket that is killed under load, and one that a network swallows: 503, no loss, no hanging."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.builders.faults.budget import Budget
from tests.builders.faults.clients import Clients
from tests.builders.faults.stage import SUBMISSIONS, Process, Stage, wait_for
from tests.builders.faults.stores import Bucket
from tests.builders.machine.silent_proxy import Wire
from tests.builders.servers import s3 as servers_s3
from tests.builders.servers.s3 import S3Server

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(6 * 3600)]

CLIENTS = 3
SHORT, FULL = 1, 30
"""Kills of the server."""

SILENT_SECONDS = 3
"""Seconds that the bucket may be silent in the short run; otherwise as in an installation."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[S3Server]:
    """A server that is shared with no other test."""
    try:
        server, stop = servers_s3.start(tmp_path / "s3")
    except servers_s3.NoServer as reason:
        pytest.skip(f"no S3 server: {reason}")
    yield server
    stop()


@pytest.fixture
def wire(s3: S3Server) -> Iterator[Wire]:
    """The way to the bucket."""
    wire = Wire(urlsplit(s3.endpoint).port or 0)
    yield wire
    wire.close()


def opened(folder: Path, database_url: str, server: S3Server, **more: str) -> Stage:
    endpoint = more.pop("endpoint", None)
    store = Bucket(folder / "data", server, uuid.uuid4().hex, endpoint=endpoint)
    stage = Stage(folder, database_url, store, **more)
    stage.open(teams=CLIENTS)
    return stage


def test_a_bucket_that_is_killed_under_load_loses_nothing_that_was_acknowledged(
    server: S3Server, tmp_path: Path, postgres_url: str, budget: Budget
) -> None:
    stage = opened(tmp_path, postgres_url, server)
    try:
        api, _ = stage.start("api"), stage.start("worker")
        kills = 0
        with Clients(stage, api) as clients:
            for seed in budget.in_time(range(budget.times(SHORT, FULL))):
                clients.wait_for_another()
                time.sleep(random.Random(seed).uniform(0.0, 0.3))
                server.kill()
                if seed % 2:
                    # Long enough for a judging or an upload to meet it.
                    wait_for(lambda: 503 in stage.history.statuses, "a refusal")
                server.run()
                kills += 1
                assert stage.lost() == []
        assert stage.violations() == []
    finally:
        stage.close()
    budget.report("kill -9 of the bucket under load", stage, kills)


def test_a_row_that_is_written_before_its_object_is_found_when_the_bucket_is_killed(
    server: S3Server, tmp_path: Path, postgres_url: str
) -> None:
    stage = opened(tmp_path, postgres_url, server)
    try:
        healthy, planted = stage.start("api"), stage.start("api", bug="row-before-file")
        server.kill()
        assert stage.send(healthy, stage.file()) == 503
        assert stage.count(SUBMITTED) == 0
        assert stage.send(planted, stage.file()) == 503
        server.run()
        (found,) = stage.lost()
        assert found.startswith("I2: ")
    finally:
        stage.close()


def test_a_bucket_that_a_network_swallows_costs_a_503_and_delays_no_process_that_leaves(
    s3: S3Server, wire: Wire, tmp_path: Path, postgres_url: str, budget: Budget
) -> None:
    silent = {} if budget.asked else {"FAULTS_STORE_SECONDS": str(SILENT_SECONDS)}
    endpoint = f"http://127.0.0.1:{wire.port}"
    stage = opened(tmp_path, postgres_url, s3, endpoint=endpoint, **silent)
    try:
        api, leaving = stage.start("api"), stage.start("api")
        assert stage.send(api, stage.file()) == 202
        wire.cut()
        senders = [send_beside(stage, process) for process in (api, leaving)]
        worker = stage.start("worker")
        wait_for(lambda: stage.count(JUDGING) == 1, "a judging that is begun")
        seconds = seconds_to_leave(worker, leaving)
        assert api.ask("GET", SUBMISSIONS, None, stage.tokens[0])[0] == 200
        assert api.ask("GET", "/readyz")[0] == 503
        for sender in senders:
            sender.join()
        assert 503 in stage.history.statuses
        assert stage.lost() == []
        wire.mend()
        wait_for(lambda: api.ask("GET", "/readyz")[0] == 200, "readiness by itself")
        assert stage.violations() == []
    finally:
        wire.mend()
        stage.close()
    note = f"SIGTERM meanwhile: the worker left in {seconds[0]:.0f} s, the API in {seconds[1]:.0f}"
    budget.report("a bucket behind a network that swallows everything", stage, 1, note)


SUBMITTED = "SELECT count(*) FROM submissions"
JUDGING = "SELECT count(*) FROM judgings WHERE state = 'judging'"


def send_beside(stage: Stage, api: Process) -> threading.Thread:
    """A client that sends one file, and waits for its answer while we go on."""
    before = stage.count(SLOTS)
    sender = threading.Thread(target=stage.send, args=(api, stage.file()))
    sender.start()
    wait_for(lambda: stage.count(SLOTS) > before, "an upload that is begun")
    return sender


SLOTS = "SELECT count(*) FROM quota_slots"


def seconds_to_leave(*processes: Process) -> list[float]:
    """Seconds that each took after a SIGTERM to all; the only bound is the harness's patience."""
    began = time.monotonic()
    for process in processes:
        os.kill(process.pid, signal.SIGTERM)
    left: dict[int, float] = {}

    def have_left() -> bool:
        for process in processes:
            if process.pid not in left and not process.is_alive():
                left[process.pid] = time.monotonic() - began
        return len(left) == len(processes)

    wait_for(have_left, "processes that were told to leave")
    return [left[process.pid] for process in processes]
