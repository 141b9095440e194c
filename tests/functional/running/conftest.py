"""An installation with a worker that judges for real, and what a whole season needs of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from podium.accounts.service.bootstrap import ensure_administrator
from podium.application import Application
from podium.logs import configure_logs
from podium.main import create_app
from podium.worker.service import start
from tests.functional.api.installation import ADMIN_TOKEN, Installation
from tests.functional.running.season import Season


@pytest.fixture
def season(application: Application) -> Iterator[Season]:
    """A launched competition of sixty sessions, on SQLite and on PostgreSQL, with a worker."""
    configure_logs(json=True)
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    service = start(application)
    with TestClient(create_app(application), raise_server_exceptions=False) as client:
        installation = Installation(client, application)
        installation.launched(daily_limit=100)
        yield Season(installation)
    service.stop()
