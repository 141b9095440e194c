"""The description of the API, asked for once."""

from __future__ import annotations

from typing import Any

import pytest

from podium.application import Application
from podium.main import create_app
from tests.builders.servers.in_process import TestClient


@pytest.fixture(scope="session")
def _described() -> dict[str, Any]:
    return {}


@pytest.fixture
def description(application: Application, _described: dict[str, Any]) -> dict[str, Any]:
    """It is the same of every installation, and long."""
    if not _described:
        with TestClient(create_app(application)) as client:
            _described.update(client.get("/openapi.json").json())
    return _described
