"""Each harness finds a bug that was put into the running service, and nothing without it."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.builders.faults import checker
from tests.builders.faults.acts import UPLOAD, Act, is_killed
from tests.builders.faults.pausing import pause
from tests.builders.faults.stage import Process, Stage, wait_for
from tests.builders.faults.uploading import Uploading, ends_two, sweeps
from tests.builders.machine.tracing import Point, needs_strace
from tests.builders.storm.files import File

pytestmark = pytest.mark.timeout(1200)

RACERS = 16
SLOTS = 5


@needs_strace
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_kill_points_find_a_row_that_is_written_before_its_file(
    stage: Stage, tmp_path: Path
) -> None:
    point = Point("rename", 1)
    assert is_killed(stage, UPLOAD, point, tmp_path / "trace")
    assert stage.lost() == []
    assert is_killed(stage, UPLOAD, point, tmp_path / "trace", bug="row-before-file")
    (found,) = stage.lost()
    assert found.startswith("I2: ")


@needs_strace
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_kill_points_of_uploads_find_a_piece_whose_row_comes_before_its_file(
    stage: Stage, tmp_path: Path
) -> None:
    uploading = Uploading(stage)
    act = Act("api", lambda _, process: uploading.begins(process, stage.tokens[0]))
    assert is_killed(stage, act, Point("rename", 1), tmp_path / "trace")
    assert uploading.lost() == []
    bug = "piece-row-before-file"
    assert is_killed(stage, act, Point("rename", 1), tmp_path / "trace", bug=bug)
    (found,) = uploading.lost()
    assert found.startswith("I2: no whole piece")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_uploads_under_way_are_missed_when_a_sweeper_takes_all_of_them(stage: Stage) -> None:
    uploading = Uploading(stage)
    with stage.running("api") as api:
        uploading.only_starts(api, stage.tokens[0])
    for bug, found in ((None, False), ("sweeps-all-uploads", True)):
        with stage.running("api") as api:
            ends_two(stage, uploading, api)
        sweeper = stage.start("worker", bug=bug, begin=False)
        assert sweeps(stage, sweeper)
        sweeper.end(signal.SIGTERM)
        assert bool(uploading.lost()) is found


@pytest.mark.parametrize(
    ("database_url", "bug"),
    [
        pytest.param("postgresql", None, id="postgresql", marks=pytest.mark.postgres),
        pytest.param("postgresql", "count-then-insert", id="planted", marks=pytest.mark.postgres),
    ],
    indirect=["database_url"],
)
def test_races_for_slots_find_a_quota_that_is_counted_before_it_is_taken(
    tmp_path: Path, database_url: str, bug: str | None
) -> None:
    stage = Stage(tmp_path, database_url)
    try:
        stage.open(daily_limit=SLOTS)
        api = stage.start("api", bug=bug)
        files = [stage.file() for _ in range(RACERS)]
        together = threading.Barrier(RACERS)
        with ThreadPoolExecutor(RACERS) as racers:
            ends = list(racers.map(lambda file: _race(stage, api, file, together), files))
    finally:
        stage.close()
    with checker.opened(database_url) as connection:
        over = list(checker.over_quota(connection, SLOTS))
    if bug is None:
        assert over == []
        assert sorted(set(ends)) == [202, 429]
        assert len(stage.history.acknowledged) == SLOTS
    else:
        assert len(over) == 1


@pytest.mark.parametrize(
    ("database_url", "bug"),
    [
        pytest.param("sqlite", None, id="sqlite"),
        pytest.param("postgresql", None, id="postgresql", marks=pytest.mark.postgres),
        pytest.param("sqlite", "missing-fence", id="planted"),
    ],
    indirect=["database_url"],
)
def test_a_worker_that_was_paused_beyond_its_lease_writes_only_without_a_fence(
    stage: Stage, bug: str | None
) -> None:
    with stage.running("api") as api:
        assert stage.send(api, stage.file(waits=True)) == 202
    late = stage.start("worker", bug=bug)
    child = waiting_child(late)
    pause(stage, late)
    heir = stage.start("worker")
    waiting_child(heir)
    # The late one finds its child dead, and would count that against the file.
    os.kill(child, signal.SIGKILL)
    late.go_on()
    wait_for(lambda: stage.says("worker", "lease.lost", "fence.outdated", "child.died"), "its word")
    late.end(signal.SIGTERM)
    found = stage.violations()
    if bug is None:
        assert found == []
    else:
        assert any("blamed for a death" in violation for violation in found)


def waiting_child(worker: Process) -> int:
    """The judge child that this worker has begun, once it waits."""
    wait_for(worker.waiting_children, "a judge child")
    (child,) = worker.waiting_children()
    return child


def _race(stage: Stage, api: Process, file: File, together: threading.Barrier) -> int:
    """The answer to a file that is sent when all are; a server that is overloaded says so, and is
    asked again."""
    together.wait()
    while (status := stage.send(api, file)) == 503:
        time.sleep(0.2)
    return status
