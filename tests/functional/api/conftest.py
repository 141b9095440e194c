"""A whole installation behind its real web application."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.application import Application
from app.bootstrap import build
from app.logs import configure_logs
from app.main import create_app
from app.services.accounts_start import ensure_administrator
from app.settings import Settings
from tests.functional.api.installation import ADMIN_TOKEN, Installation


@pytest.fixture
def installation(sqlite_url: str, tmp_path: Path) -> Iterator[Installation]:
    """The routes of a fresh installation on SQLite whose administrator's token is known."""
    settings = Settings(data_dir=tmp_path / "data", database_url=sqlite_url, min_free_bytes=0)
    application = build(settings)
    with _served(application) as installation:
        yield installation
    application.close()


@pytest.fixture
def installation_on_both(application: Application) -> Iterator[Installation]:
    """The same on SQLite and on PostgreSQL, for what they could take differently."""
    with _served(application) as installation:
        yield installation


@contextmanager
def _served(application: Application) -> Iterator[Installation]:
    configure_logs(json=True)
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    with TestClient(create_app(application), raise_server_exceptions=False) as client:
        yield Installation(client, application)
