"""On which database and store a test runs: on all in `make faults`, on some in `make test-all`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders.faults.budget import Budget

SQLITE = pytest.param("sqlite", "folder", id="sqlite")
POSTGRESQL = pytest.param("postgresql", "folder", marks=pytest.mark.postgres, id="postgresql")
BUCKET = pytest.param("postgresql", "bucket", marks=pytest.mark.postgres, id="bucket")


def places(*short: Any) -> list[Any]:
    """Values of the fixtures `database_url` and `store`; `short` are those of `make test-all`."""
    return Budget.from_environment().times(list(short), [SQLITE, POSTGRESQL, BUCKET])
