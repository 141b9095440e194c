"""EIO and ENOSPC at system calls: no promise that is not kept, no verdict that a file pays for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.faults.acts import JUDGING, UPLOAD, Act, begun, rest, supply, survey
from tests.builders.faults.budget import Budget
from tests.builders.faults.places import POSTGRESQL, SQLITE, places
from tests.builders.faults.stage import Stage
from tests.builders.machine.tracing import Point, Tracer, needs_strace, points

pytestmark = [needs_strace, pytest.mark.timeout(6 * 3600)]

CALLS = ("write", "pwrite64", "fsync", "fdatasync", "rename", "mkdir")
SHORT = {"api": 4, "worker": 2}
ERRORS = ("EIO", "ENOSPC")


@pytest.mark.parametrize(("database_url", "store"), places(SQLITE), indirect=True)
def test_an_error_of_the_disk_at_any_call_is_never_answered_with_a_promise(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    chosen = chosen_points(stage, UPLOAD, tmp_path / "survey", budget)
    told = []
    for number, (point, error) in enumerate(budget.in_time(chosen)):
        process = begun(stage, "api")
        tracer = failing(point, error, process.pid, tmp_path / f"trace-{number}", and_after="+")
        told.append(stage.send(process, stage.file()))
        process.end()
        tracer.close()
        assert stage.lost() == [], point
    assert 503 in told
    assert stage.violations() == []
    budget.report("EIO and ENOSPC at system calls of the API", stage, len(told))


@pytest.mark.parametrize(("database_url", "store"), places(POSTGRESQL), indirect=True)
def test_an_error_of_the_disk_at_any_call_of_a_worker_is_followed_by_another_try(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    supply(stage, 1)
    chosen = chosen_points(stage, JUDGING, tmp_path / "survey", budget)
    tried = 0
    for number, (point, error) in enumerate(budget.in_time(chosen)):
        supply(stage, 1)
        worker = begun(stage, "worker")
        tracer = failing(point, error, worker.pid, tmp_path / f"trace-{number}", and_after="")
        # It may end by the error, as at its start; a worker that lives has to judge.
        JUDGING.is_done(stage, worker)
        worker.end()
        tracer.close()
        tried += 1
        assert stage.lost() == [], point
        rest(stage, number)
    assert stage.violations() == []
    budget.report("EIO and ENOSPC at system calls of the worker", stage, tried)


def chosen_points(stage: Stage, act: Act, log: Path, budget: Budget) -> list[tuple[Point, str]]:
    """Each point with each error."""
    found = points(survey(stage, act, log, CALLS), budget.points(SHORT[act.role]))
    return [(point, error) for point in found for error in ERRORS]


def failing(point: Point, error: str, pid: int, log: Path, *, and_after: str) -> Tracer:
    """The call fails; with `and_after="+"` all later ones of that thread, too."""
    fault = f"{point.call}:error={error}:when={point.number}{and_after}"
    return Tracer(pid, log, [point.call], fault)
