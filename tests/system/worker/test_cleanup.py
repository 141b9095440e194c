"""Leftovers of dead replicas that do not judge."""

from __future__ import annotations

import os
import time

from podium.bootstrap import build
from podium.settings import Settings
from podium.worker.cleanup import sweep_until_stopping


def test_a_replica_that_does_not_judge_removes_old_unfinished_files_and_no_young_ones(
    settings: Settings,
) -> None:
    application = build(settings)
    folder = settings.data_dir / "storage" / "unfinished"
    folder.mkdir(parents=True)
    old, young = folder / "old", folder / "young"
    for path in (old, young):
        path.write_bytes(b"half")
    two_hours_ago = time.time() - 7200
    os.utime(old, (two_hours_ago, two_hours_ago))
    sweep_until_stopping(application)
    deadline = time.monotonic() + 60
    while old.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    application.is_stopping.set()
    assert young.exists()
    application.close()
