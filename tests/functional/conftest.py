"""What several folders of functional tests share: an installation with a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from app.bootstrap import build
from app.db.migrate import migrate
from app.main import create_app
from app.services.accounts_start import ensure_administrator
from app.settings import Settings
from app.worker.service import start
from tests.functional.api.installation import ADMIN_TOKEN, Installation


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One for all tests of a module, which judges what is sent to it."""
    folder = tmp_path_factory.mktemp("judging")
    settings = Settings(data_dir=folder, min_free_bytes=0, reconcile_seconds=0.2)
    migrate(settings.database)
    application = build(settings)
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    service = start(application)
    try:
        with TestClient(create_app(application)) as client:
            yield Installation(client, application)
    finally:
        service.stop()
        application.close()
