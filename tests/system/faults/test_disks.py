"""Disks that are full: no false word, room is found again, and nothing stays behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders.faults.acts import begun
from tests.builders.faults.budget import Budget
from tests.builders.faults.stage import SUBMISSIONS, Stage, wait_for
from tests.builders.machine.disks import fill, small_disk
from tests.builders.machine.tracing import Point, Tracer

pytestmark = pytest.mark.timeout(6 * 3600)


@contextmanager
def opened(folder: Path, database_url: str) -> Iterator[Stage]:
    stage = Stage(folder, database_url)
    try:
        stage.open()
        yield stage
    finally:
        stage.close()


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
        from podium.core.database.migrate import migrate

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
