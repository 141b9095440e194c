"""Remains of a killed upload are swept away, also when the sweeper itself is killed at it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.builders.faults.acts import UPLOAD, begun, is_killed
from tests.builders.faults.budget import Budget
from tests.builders.faults.stage import Stage, wait_for
from tests.builders.machine.tracing import Point, Tracer, needs_strace

AGE_SECONDS = 2 * 3600


@needs_strace
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_second_kill_while_the_first_one_is_swept_up_leaves_nothing(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    unfinished = stage.data / "storage" / "unfinished"
    assert is_killed(stage, UPLOAD, Point("rename", 1), tmp_path / "trace")
    (left,) = unfinished.iterdir()
    long_ago = time.time() - AGE_SECONDS
    os.utime(left, (long_ago, long_ago))
    sweeper = begun(stage, "worker")
    tracer = Tracer.killing_at(Point("unlink", 1), sweeper.pid, tmp_path / "again")
    sweeper.go_on()
    wait_for(lambda: not sweeper.is_alive(), "the sweeper's death")
    tracer.close()
    assert list(unfinished.iterdir()) == [left]
    with stage.running("worker"):
        wait_for(lambda: not list(unfinished.iterdir()), "a sweep")
    assert stage.violations() == []
    budget.report("kill -9 of an upload, and of its sweeper", stage, 2)
