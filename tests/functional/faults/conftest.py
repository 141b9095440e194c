"""An installation of processes that can be killed, for each test, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.functional.faults.budget import Budget
from tests.functional.faults.stage import Stage


@pytest.fixture
def stage(tmp_path: Path, database_url: str) -> Iterator[Stage]:
    """An installation with a launched competition of one team."""
    stage = Stage(tmp_path, database_url)
    try:
        stage.open()
        yield stage
    finally:
        stage.close()


@pytest.fixture
def budget() -> Budget:
    """How many faults this run goes through."""
    return Budget.from_environment()
