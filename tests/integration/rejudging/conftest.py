"""The stage that all tests of rejudgings begin with."""

from __future__ import annotations

import pytest

from podium.core.database.engine import Database
from tests.builders.rejudging import Stage


@pytest.fixture
def stage(database: Database) -> Stage:
    return Stage(database)
