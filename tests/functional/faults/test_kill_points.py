"""`kill -9` before a system call of an upload, a judging and its publication: point after point.

What runs is the real service, forked from a process that has imported it. `make test` takes a few
points of each kind, `make faults` all of them.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.functional.faults.acts import is_killed, survey
from tests.functional.faults.budget import Budget
from tests.functional.faults.stage import Stage
from tests.functional.faults.tracing import needs_strace, points

pytestmark = [needs_strace, pytest.mark.timeout(6 * 3600)]

API_POINTS = 10
WORKER_POINTS = 8


def supply(stage: Stage, files: int) -> None:
    """Submits files until so many wait for a worker."""
    with stage.running("api") as api:
        while stage.waiting() < files:
            assert stage.send(api, stage.file()) == 202


@pytest.mark.parametrize(("role", "short"), [("api", API_POINTS), ("worker", WORKER_POINTS)])
def test_a_kill_at_any_system_call_loses_nothing_and_judges_nothing_twice(
    stage: Stage, tmp_path: Path, role: str, short: int, budget: Budget
) -> None:
    if role == "worker":
        supply(stage, 3)
    chosen = points(survey(stage, role, tmp_path / "survey"), budget.points(short))
    killed = 0
    started = time.monotonic()
    for number, point in enumerate(chosen):
        if role == "worker" and stage.waiting() < 2:
            supply(stage, 8)
        killed += is_killed(stage, role, point, tmp_path / f"trace-{number}")
        assert stage.lost() == [], point
        if time.monotonic() - started > budget.seconds:
            break
    # The last ones of a survey are met where a thread happens to be as busy again.
    assert killed >= min(short, len(chosen)) // 2, "most points were never met"
    assert stage.violations() == []
    budget.report(f"kill -9 of {role} at system calls", stage.database_url, killed)
