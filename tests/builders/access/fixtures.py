"""Fixtures: the stage on which roles and objects are tried, put back after each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.access.operations import Operation, operations_of
from tests.builders.access.stage import Stage, set_up
from tests.builders.access.truths import judging, serving
from tests.builders.sandbox.in_process import InProcess


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path) -> Iterator[Stage]:
    """An open competition with everything in it; no worker judges any more."""
    folder = tmp_path_factory.mktemp("stage") / "data"
    with serving(folder, migrated_sqlite_file, InProcess()) as installation:
        with judging(installation):
            stage = set_up(installation)
        stage.keep()
        yield stage
        stage.close()


@pytest.fixture
def stage(played: Stage) -> Iterator[Stage]:
    """The same for a test that changes it."""
    with played.kept_for_now():
        yield played
    played.restore()


@pytest.fixture
def operations(played: Stage) -> list[Operation]:
    """Everything that the description of the service names."""
    return operations_of(played.installation.client)
