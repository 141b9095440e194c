"""The kinds of database that a test runs on."""

from __future__ import annotations

import pytest

BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
"""Parameters of a fixture that gives a database; `make test` omits PostgreSQL."""


def url_of(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database of this test's own, of the kind that the parameter names."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    return str(request.getfixturevalue(name))
