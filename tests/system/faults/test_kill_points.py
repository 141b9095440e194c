"""`kill -9` before a system call of an upload, a judging and its publication: point after point.

What runs is the real service, forked from a process that has imported it. `make test-all` takes a
few points of each kind, `make faults` all of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.faults.acts import JUDGING, UPLOAD, Act, is_killed, rest, supply, survey
from tests.builders.faults.budget import Budget
from tests.builders.faults.places import BUCKET, SQLITE, places
from tests.builders.faults.stage import Stage
from tests.builders.machine.tracing import needs_strace, points

pytestmark = [needs_strace, pytest.mark.timeout(6 * 3600)]

SHORT = 6


@pytest.mark.parametrize(
    "act", [pytest.param(UPLOAD, id="api"), pytest.param(JUDGING, id="worker")]
)
@pytest.mark.parametrize(("database_url", "store"), places(SQLITE, BUCKET), indirect=True)
def test_a_kill_at_any_system_call_loses_nothing_and_judges_nothing_twice(
    stage: Stage, tmp_path: Path, act: Act, budget: Budget
) -> None:
    if act is JUDGING:
        supply(stage, 3)
    chosen = points(survey(stage, act, tmp_path / "survey"), budget.points(SHORT))
    killed = 0
    for number, point in enumerate(budget.in_time(chosen)):
        if act is JUDGING and stage.waiting() < 2:
            supply(stage, 8)
        killed += is_killed(stage, act, point, tmp_path / f"trace-{number}")
        assert stage.lost() == [], point
        if act is JUDGING:
            rest(stage, number)
    # The last ones of a survey are met where a thread happens to be as busy again.
    assert killed >= min(SHORT, len(chosen)) // 2, "most points were never met"
    assert stage.violations() == []
    budget.report(f"kill -9 of {act.role} at system calls", stage, killed)
