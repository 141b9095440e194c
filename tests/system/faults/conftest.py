"""An installation of processes that can be killed, for each test, on both databases."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.faults.budget import Budget
from tests.builders.faults.stage import Stage
from tests.builders.faults.stores import Bucket, Folder, Store
from tests.builders.servers.s3 import S3Server

TEAMS = 4
"""A client of one team can be busy with what was interrupted while another begins."""


@pytest.fixture
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """The store of a stage: its folder, or with the parameter `bucket` a real bucket."""
    if getattr(request, "param", "folder") == "folder":
        return Folder(tmp_path / "data")
    server: S3Server = request.getfixturevalue("s3")
    return Bucket(tmp_path / "data", server, uuid.uuid4().hex)


@pytest.fixture
def stage(tmp_path: Path, database_url: str, store: Store) -> Iterator[Stage]:
    """An installation with a launched competition of a few teams."""
    stage = Stage(tmp_path, database_url, store)
    try:
        stage.open(teams=TEAMS)
        yield stage
    finally:
        stage.close()


@pytest.fixture
def budget() -> Budget:
    """The number of faults of this run."""
    return Budget.from_environment()
