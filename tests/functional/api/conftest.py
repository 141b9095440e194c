"""A whole installation behind its real web application."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.application import Application
from podium.bootstrap import build
from podium.settings import Settings
from tests.functional.api.installation import Installation, client_of


@pytest.fixture
def installation(sqlite_url: str, tmp_path: Path) -> Iterator[Installation]:
    """The routes of a fresh installation on SQLite whose administrator's token is known."""
    settings = Settings(data_dir=tmp_path / "data", database_url=sqlite_url, min_free_bytes=0)
    application = build(settings)
    with client_of(application, raise_server_exceptions=False) as client:
        yield Installation(client, application)
    application.close()


@pytest.fixture
def installation_on_both(application: Application) -> Iterator[Installation]:
    """The same on SQLite and on PostgreSQL, for what they could take differently."""
    with client_of(application, raise_server_exceptions=False) as client:
        yield Installation(client, application)
