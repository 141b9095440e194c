"""Judging files of a bucket that is slow, or away for a while."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from podium.bootstrap import build
from podium.core.judging_states import State
from podium.core.models import JudgingPause
from podium.settings import Settings
from podium.worker.service import start
from tests.builders.judging.scene import Scene, ended, submission, until
from tests.builders.machine.link import Link
from tests.builders.servers.s3 import S3Server


@pytest.fixture
def link(s3: S3Server) -> Iterator[Link]:
    port = urlsplit(s3.endpoint).port
    assert port is not None
    link = Link(port)
    yield link
    link.cut()


@pytest.fixture
def scene(
    link: Link, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    for name, value in S3Server.environment.items():
        monkeypatch.setenv(name, value)
    application = build(
        Settings(
            data_dir=tmp_path / "data",
            database_url=sqlite_url,
            storage_url=f"s3://judging/{uuid.uuid4().hex}?endpoint=http://127.0.0.1:{link.port}",
            min_free_bytes=0,
            lease_seconds=2.0,
            reconcile_seconds=0.2,
        )
    )
    yield Scene(application, tmp_path)
    application.close()


def test_a_lease_is_kept_while_a_file_comes_slower_than_a_lease_is_long(
    scene: Scene, link: Link
) -> None:
    row = scene.submit(submission(clicks_1="10"))
    scene.dispatch(row)
    link.freeze()
    worker = start(scene.application)
    try:
        until(lambda: scene.row(row).state == State.RUNNING)
        first = scene.run(row).started_at
        assert first is not None
        # Twice the lease went by, and it was renewed.
        until(lambda: (_until(scene, row) - first.timestamp()) > 3 * 2.0)
        link.mend()
        verdict = ended(scene, row)
    finally:
        link.mend()
        worker.stop()
    run = scene.run(row)
    assert (verdict.state, run.fence, run.worker_deaths) == (State.SCORED, 1, 0)


def test_a_bucket_that_is_away_delays_a_judging_and_is_charged_to_no_team(
    scene: Scene, link: Link
) -> None:
    row = scene.submit(submission(clicks_1="10"))
    scene.dispatch(row)
    link.cut()
    worker = start(scene.application)
    try:
        until(lambda: scene.count(JudgingPause) == 1)
        waiting = scene.row(row)
        assert (waiting.state, waiting.failure) == (State.QUEUED, None)
        assert scene.run(row).own_failures == 0
        link.mend()
        assert ended(scene, row).state == State.SCORED
    finally:
        worker.stop()
    assert scene.count(JudgingPause) == 0


def _until(scene: Scene, row: str) -> float:
    lease_until = scene.run(row).lease_until
    return 0.0 if lease_until is None else lease_until.timestamp()
