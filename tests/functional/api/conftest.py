"""A whole installation behind its real web application, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from app.application import Application
from app.logs import configure_logs
from app.main import create_app
from app.services.accounts_start import ensure_administrator
from tests.functional.api.installation import ADMIN_TOKEN, Installation


@pytest.fixture
def installation(application: Application) -> Iterator[Installation]:
    """The routes of a fresh installation whose administrator's token is known."""
    configure_logs(json=True)
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    with TestClient(create_app(application), raise_server_exceptions=False) as client:
        yield Installation(client, application)
