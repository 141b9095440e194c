"""`kill -9` of the judge child at its system calls: another one judges, and no team is charged."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.builders.faults.budget import Budget
from tests.builders.faults.places import SQLITE, places
from tests.builders.faults.stage import Process, Stage, state_of, wait_for
from tests.builders.machine.tracing import Point, Tracer, needs_strace, points

CALLS = ("openat", "read", "pread64", "mmap", "write", "fsync", "close", "futex", "exit_group")

SHORT = 5


@needs_strace
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize(("database_url", "store"), places(SQLITE), indirect=True)
def test_a_child_that_is_killed_at_any_system_call_is_followed_by_another(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    killed = 0
    api, worker = stage.start("api"), stage.start("worker")
    log = tmp_path / "survey"
    tracer = Tracer(_child(stage, api, worker), log, CALLS)
    _let_go(tracer)
    wait_for(lambda: stage.waiting() == 0, "a verdict")
    for point in budget.in_time(points(tracer.seen(), budget.points(SHORT))):
        killed += _is_killed(stage, api, worker, point, tmp_path / "trace")
    assert killed > 0
    assert stage.violations(child_deaths=1) == []
    budget.report("kill -9 of judge children at system calls", stage, killed)


def _is_killed(stage: Stage, api: Process, worker: Process, point: Point, log: Path) -> bool:
    before = stage.count(DEATHS)
    _let_go(Tracer.killing_at(point, _child(stage, api, worker), log))

    def is_judged() -> bool:
        for child in worker.waiting_children():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGCONT)
        return stage.waiting() == 0

    wait_for(is_judged, "a verdict")
    return stage.count(DEATHS) > before


DEATHS = "SELECT sum(child_deaths) FROM runs"


def _child(stage: Stage, api: Process, worker: Process) -> int:
    """A child that is about to judge a new file."""
    assert stage.send(api, stage.file(waits=True)) == 202
    wait_for(worker.waiting_children, "a judge child")
    return worker.waiting_children()[0]


def _let_go(tracer: Tracer) -> None:
    with suppress(ProcessLookupError):
        os.kill(tracer.pid, signal.SIGCONT)
    wait_for(lambda: state_of(tracer.pid) in ("", "Z", "X"), "the child's end")
    tracer.close()
