"""Disks that are full or broken: no false word, room is found again, and nothing stays behind."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.functional.faults.acts import begun
from tests.functional.faults.budget import Budget
from tests.functional.faults.stage import SUBMISSIONS, Stage, wait_for
from tests.functional.faults.tracing import Point, Tracer, needs_strace, points

CALLS = ("write", "pwrite64", "fsync", "fdatasync", "rename", "mkdir")
SHORT = 6

pytestmark = pytest.mark.timeout(6 * 3600)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of its own with so much room; skips where nobody may mount one."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        yield folder
    finally:
        # Lazily: a process that still ends may hold a file.
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def opened(folder: Path, database_url: str) -> Iterator[Stage]:
    stage = Stage(folder, database_url)
    try:
        stage.open()
        yield stage
    finally:
        stage.close()


def fill(folder: Path) -> Path:
    """Takes all room of a file system; the file to remove."""
    hog = folder / "hog"
    with hog.open("wb", buffering=0) as stream:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while stream.write(b"x" * size):
                    pass
            except OSError:
                continue
    return hog


@needs_strace
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_error_of_the_disk_at_any_call_is_never_answered_with_a_promise(
    stage: Stage, tmp_path: Path, budget: Budget
) -> None:
    process = begun(stage, "api")
    tracer = Tracer(process.pid, tmp_path / "survey", CALLS)
    assert stage.send(process, stage.file()) == 202
    process.end()
    tracer.close()
    chosen = points(tracer.seen(), budget.points(SHORT))
    for error in ("EIO", "ENOSPC"):
        assert 503 in [_with_error(stage, point, error, tmp_path / "trace") for point in chosen]
    assert stage.violations() == []
    budget.report("EIO and ENOSPC at system calls", stage, 2 * len(chosen))


def _with_error(stage: Stage, point: Point, error: str, log: Path) -> int:
    """What a client is told whose upload meets the error, and every such call after it as well."""
    process = begun(stage, "api")
    fault = f"{point.call}:error={error}:when={point.number}+"
    tracer = Tracer(process.pid, log, [point.call], fault)
    status = stage.send(process, stage.file())
    process.end()
    tracer.close()
    assert stage.lost() == [], point
    return status


def test_a_full_disk_for_files_refuses_uploads_and_answers_everything_else(
    tmp_path: Path, sqlite_url: str, budget: Budget
) -> None:
    with small_disk(tmp_path / "data", 12) as disk, opened(tmp_path, sqlite_url) as stage:
        with stage.running("api") as api:
            assert stage.send(api, stage.file()) == 202
            hog = fill(disk)
            assert stage.send(api, stage.file()) == 503
            assert api.ask("GET", SUBMISSIONS, None, stage.tokens[0])[0] == 200
            hog.unlink()
            assert stage.send(api, stage.file()) == 202
        assert stage.violations() == []
    budget.report("no room for files", stage, 1)


def test_a_full_disk_for_the_database_refuses_writes_and_answers_what_is_read(
    tmp_path: Path, budget: Budget
) -> None:
    with small_disk(tmp_path / "rows", 12) as disk:
        from app.db.migrate import migrate

        url = f"sqlite:///{disk / 'podium.sqlite3'}"
        migrate(url)
        with opened(tmp_path, url) as stage:
            with stage.running("api") as api:
                assert stage.send(api, stage.file()) == 202
                hog = fill(disk)
                wait_for(lambda: stage.send(api, stage.file()) == 503, "a write that is refused")
                assert api.ask("GET", SUBMISSIONS, None, stage.tokens[0])[0] == 200
                hog.unlink()
                assert stage.send(api, stage.file()) == 202
            assert stage.violations() == []
    budget.report("no room for the database", stage, 1)


def test_a_kill_in_the_middle_of_an_upload_is_recovered_from_on_a_full_disk(
    tmp_path: Path, sqlite_url: str, budget: Budget
) -> None:
    with small_disk(tmp_path / "data", 12) as disk, opened(tmp_path, sqlite_url) as stage:
        process = begun(stage, "api")
        tracer = Tracer.killing_at(Point("rename", 1), process.pid, tmp_path / "trace")
        assert stage.send(process, stage.file()) == 0
        process.end()
        tracer.close()
        hog = fill(disk)
        with stage.running("api") as api:
            (key,) = stage.history.unresolved()
            wait_for(lambda: stage.send(api, stage.history.files[key]) == 503, "a refusal")
            assert stage.lost() == []
            hog.unlink()
        assert stage.violations() == []
    budget.report("kill -9, then no room", stage, 2)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_logs_that_cannot_be_written_stop_nothing(stage: Stage) -> None:
    with stage.running("api", log="/dev/full") as api, stage.running("worker", log="/dev/full"):
        assert stage.send(api, stage.file()) == 202
        wait_for(lambda: stage.waiting() == 0, "a verdict")
    assert stage.violations() == []
