"""PostgreSQL on a disk that is full or fails: it panics by design, and what was promised stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from podium.core.database.migrate import migrate
from tests.builders.faults.budget import Budget
from tests.builders.faults.stage import SUBMISSIONS, Stage, wait_for
from tests.builders.machine.disks import fill
from tests.builders.machine.tracing import Tracer, needs_strace
from tests.builders.servers.killable_postgres import PostgresServer

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(6 * 3600)]

MEGABYTES = 112

CALLS = ("fsync", "fdatasync")
"""System calls on data files, and on the log."""

MUCH = "SELECT pg_logical_emit_message(true, 'much', repeat('x', 1 << 20))"
"""A megabyte of log, and of nothing else."""


@contextmanager
def installed(folder: Path, server: PostgresServer) -> Iterator[Stage]:
    """An installation on this server, which ends with it."""
    try:
        migrate(server.url)
        stage = Stage(folder, server.url)
        try:
            stage.open()
            yield stage
        finally:
            stage.close()
    finally:
        server.close()


def test_a_database_without_room_for_its_log_refuses_and_keeps_what_was_acknowledged(
    tmp_path: Path, budget: Budget
) -> None:
    rounds = budget.times(1, 5)
    server = PostgresServer(megabytes=MEGABYTES)
    with installed(tmp_path, server) as stage:
        api, _ = stage.start("api"), stage.start("worker")
        for _ in range(rounds):
            assert stage.send(api, stage.file()) == 202
            hog = fill(server.disk)
            with pytest.raises(psycopg.Error):
                server.asked(*[MUCH] * MEGABYTES)
            wait_for(lambda: stage.send(api, stage.file()) == 503, "a write that is refused")
            hog.unlink()
            server.come_back()
            assert stage.lost() == []
            wait_for(lambda: api.ask("GET", "/readyz")[0] == 200, "readiness by itself")
            assert api.ask("GET", SUBMISSIONS, None, stage.tokens[0])[0] == 200
        assert server.panics() >= rounds
        assert stage.violations() == []
    budget.report("no room for the log of PostgreSQL", stage, rounds)


@needs_strace
def test_a_database_whose_disk_does_not_sync_promises_nothing_that_it_has_not(
    tmp_path: Path, budget: Budget
) -> None:
    server = PostgresServer(syncs=True)
    with installed(tmp_path, server) as stage:
        api, _ = stage.start("api"), stage.start("worker")
        rounds = 0
        for number in budget.in_time(range(budget.times(1, 20))):
            assert stage.send(api, stage.file()) == 202
            before, log = server.panics(), tmp_path / f"trace-{number}"
            tracers = failing_syncs(server, log, of_each=1 + number // 2 % 4)
            if number % 2:
                with pytest.raises(psycopg.Error):
                    server.asked("CHECKPOINT")
            else:
                # Until the answer is missing: the commit met the error.
                while stage.send(api, stage.file()) == 202:
                    continue
            for tracer in tracers:
                tracer.close()
            server.come_back()
            assert server.panics() > before
            assert stage.lost() == []
            wait_for(lambda: api.ask("GET", "/readyz")[0] == 200, "readiness by itself")
            rounds += 1
        assert stage.violations() == []
    budget.report("EIO when PostgreSQL syncs", stage, rounds)


def failing_syncs(server: PostgresServer, log: Path, *, of_each: int) -> list[Tracer]:
    """From now on no commit of a process of the server can sync, from its n-th one on, and no
    checkpoint at all; the processes that it starts in their place can."""
    faults = ("fsync:error=EIO:when=1+", f"fdatasync:error=EIO:when={of_each}+")
    tracers = []
    for pid in server.processes():
        # One that served us a moment ago may be on its way out.
        with suppress(ProcessLookupError):
            tracers.append(Tracer(pid, log.with_suffix(f".{pid}"), CALLS, *faults))
    return tracers
