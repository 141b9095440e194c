"""`kill -9` before a system call of a resumable upload, or of removing what is left of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.faults.acts import Act, is_killed, survey
from tests.builders.faults.budget import Budget
from tests.builders.faults.places import BUCKET, SQLITE, places
from tests.builders.faults.stage import Stage
from tests.builders.faults.uploading import ENDED, Uploading, ends_two, sweeps
from tests.builders.machine.tracing import needs_strace, points

pytestmark = [needs_strace, pytest.mark.timeout(6 * 3600)]

SHORT = 4

CALLS = ("unlink", "write", "writev", "pwrite64", "fdatasync", "sendto", "recvfrom")
"""System calls of sweeping, and of its way to the database and the bucket."""


@pytest.mark.parametrize(("database_url", "store"), places(BUCKET), indirect=True)
def test_an_upload_goes_on_from_what_was_acknowledged_wherever_its_server_was_killed(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    uploading = Uploading(stage)

    def upload(token: str) -> Act:
        return Act("api", lambda _, process: uploading.begins(process, token))

    chosen = points(
        survey(stage, upload(stage.tokens[0]), tmp_path / "survey"), budget.points(SHORT)
    )
    killed = 0
    with stage.running("api") as healthy:
        for number, point in enumerate(budget.in_time(chosen)):
            token = stage.tokens[number % len(stage.tokens)]
            uploading.goes_on(healthy, token)
            killed += is_killed(stage, upload(token), point, tmp_path / f"trace-{number}")
            assert stage.lost() + uploading.lost() == [], point
        uploading.all_go_on(healthy)
    assert killed >= min(SHORT, len(chosen)) // 2, "most points were never met"
    assert uploading.found + stage.violations() == []
    budget.report("kill -9 of api at system calls of resumable uploads", stage, killed)


@pytest.mark.parametrize(("database_url", "store"), places(SQLITE), indirect=True)
def test_what_is_left_of_an_upload_goes_and_nothing_else_wherever_the_sweeper_was_killed(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    uploading, sweep = Uploading(stage), Act("worker", sweeps)
    with stage.running("api") as api:
        uploading.only_starts(api, stage.tokens[0])
        ends_two(stage, uploading, api)
        chosen = points(survey(stage, sweep, tmp_path / "survey", CALLS), budget.points(SHORT))
        killed = 0
        for number, point in enumerate(budget.in_time(chosen)):
            if not stage.count(ENDED):
                ends_two(stage, uploading, api)
            killed += is_killed(stage, sweep, point, tmp_path / f"trace-{number}")
            assert uploading.lost() == [], point
        uploading.all_go_on(api)
    assert killed >= min(SHORT, len(chosen)) // 2, "most points were never met"
    assert uploading.found + stage.violations() == []
    assert stage.count(ENDED) == 0
    budget.report("kill -9 of worker at system calls of sweeping uploads", stage, killed)
