"""EIO and ENOSPC at system calls: no promise that is not kept, no verdict that a file pays for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.faults.acts import JUDGING, UPLOAD, Act, begun, rest, supply, survey
from tests.builders.faults.budget import Budget
from tests.builders.faults.places import POSTGRESQL, SQLITE, places
from tests.builders.faults.stage import Stage
from tests.builders.machine.tracing import Point, Tracer, needs_strace, points, points_in

pytestmark = [needs_strace, pytest.mark.timeout(6 * 3600)]

CALLS = ("openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "mkdir", "unlink")
ALSO_ELSEWHERE = ("openat", "write")
"""Modules are imported with one, and threads woken with the other: a process that can make them no
more is as good as killed."""

SHORT = {"api": 5, "worker": 2}
ERRORS = ("EIO", "ENOSPC")


@pytest.mark.parametrize(("database_url", "store"), places(SQLITE), indirect=True)
def test_an_error_of_the_disk_at_any_call_is_never_answered_with_a_promise(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    chosen = chosen_points(stage, UPLOAD, tmp_path / "survey", budget)
    told, failed = [], 0
    for number, (point, error) in enumerate(budget.in_time(chosen)):
        process = begun(stage, "api")
        tracer = failing(point, error, process.pid, tmp_path / f"trace-{number}", lasts=True)
        told.append(stage.send(process, stage.file()))
        process.end()
        tracer.close()
        failed += tracer.has_failed(tmp_path)
        assert stage.lost() == [], point
    assert failed >= SHORT["api"], "most points were never met"
    assert {503} <= set(told) <= {0, 202, 503}
    assert stage.violations() == []
    budget.report("EIO and ENOSPC at system calls of the API", stage, failed)


@pytest.mark.parametrize(("database_url", "store"), places(POSTGRESQL), indirect=True)
def test_an_error_of_the_disk_at_any_call_of_a_worker_is_followed_by_another_try(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    supply(stage, 1)
    chosen = chosen_points(stage, JUDGING, tmp_path / "survey", budget)
    failed = 0
    for number, (point, error) in enumerate(budget.in_time(chosen)):
        supply(stage, 1)
        worker = begun(stage, "worker")
        tracer = failing(point, error, worker.pid, tmp_path / f"trace-{number}", lasts=False)
        # It may end by the error, as at its start; a worker that lives has to judge.
        JUDGING.is_done(stage, worker)
        worker.end()
        tracer.close()
        failed += tracer.has_failed(tmp_path)
        assert stage.lost() == [], point
        rest(stage, number)
    assert failed >= SHORT["worker"], "most points were never met"
    assert stage.violations() == []
    budget.report("EIO and ENOSPC at system calls of the worker", stage, failed)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_error_that_is_ignored_is_found_as_a_promise_that_is_not_kept(
    stage: Stage, tmp_path: Path
) -> None:
    for bug, answer, found in ((None, 503, []), ("ignored-rename", 202, ["I2"])):
        process = begun(stage, "api", bug)
        tracer = failing(Point("rename", 1), "EIO", process.pid, tmp_path / "trace", lasts=True)
        assert stage.send(process, stage.file()) == answer
        process.end()
        tracer.close()
        assert [violation[:2] for violation in stage.lost()] == found


def chosen_points(stage: Stage, act: Act, log: Path, budget: Budget) -> list[tuple[Point, str]]:
    """Each point at a file of the installation with each error: beside a bucket, too, an upload is
    collected on this machine, and most calls of `write` are at no file."""
    made = points(survey(stage, act, log, CALLS), None)
    at_files = points_in(log.parent, log)
    found = [point for point in made if point in at_files][: budget.points(SHORT[act.role])]
    return [(point, error) for point in found for error in ERRORS]


def failing(point: Point, error: str, pid: int, log: Path, *, lasts: bool) -> Tracer:
    """The call fails; where it `lasts`, all later ones of that thread that are at files only."""
    and_after = "+" if lasts and point.call not in ALSO_ELSEWHERE else ""
    fault = f"{point.call}:error={error}:when={point.number}{and_after}"
    return Tracer(pid, log, [point.call], fault)
