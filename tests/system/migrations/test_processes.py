"""Migrations by several processes at once, and by processes that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from podium.core.database.migrate import migrate
from podium.core.models import Base
from tests.builders.databases import tables_in

MIGRATE = """
import os, sys
from podium.core.database.migrate import migrate
for _ in range(int(sys.argv[2])):
    if os.fork() == 0:
        print(flush=True)
        migrate(sys.argv[1])
        os._exit(0)
ends = [os.wait()[1] for _ in range(int(sys.argv[2]))]
sys.exit(any(ends))
"""
"""So many processes that have imported what they need when they begin."""


def test_ten_processes_may_migrate_one_empty_database_at_once(empty_database_url: str) -> None:
    with _started(empty_database_url, processes=10) as started:
        assert started.wait(timeout=250) == 0
    assert set(Base.metadata.tables) <= tables_in(empty_database_url)


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.04, 0.08, 0.3])
def test_a_migration_killed_at_any_time_can_be_run_again(
    empty_database_url: str, seconds: float
) -> None:
    with _started(empty_database_url, processes=1) as started:
        assert started.stdout is not None
        started.stdout.readline()
        time.sleep(seconds)
        os.killpg(started.pid, signal.SIGKILL)
    migrate(empty_database_url)
    assert set(Base.metadata.tables) <= tables_in(empty_database_url)


def _started(url: str, *, processes: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", MIGRATE, url, str(processes)],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
