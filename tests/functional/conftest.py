"""What several folders of functional tests share: an installation with a worker, and an eye on
which threads write."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build
from podium.core.database.engine import WriteSession
from podium.core.database.migrate import migrate
from podium.http.threads import Kind, kind_of_thread
from podium.main import create_app
from podium.settings import Settings
from podium.worker.service import start
from tests.functional.api.installation import ADMIN_TOKEN, Installation

MAY_WRITE = (Kind.DATABASE_WRITE, Kind.STORE)


@pytest.fixture(autouse=True, scope="session")
def _require_writing_threads() -> Iterator[None]:
    """Fails every request that writes to the database in a thread of those that answer readers:
    where it waits for another writer, they would wait with it."""
    event.listen(WriteSession, "after_begin", _require_writing_thread)
    yield
    event.remove(WriteSession, "after_begin", _require_writing_thread)


def _require_writing_thread(*_: Any) -> None:
    is_of_requests = threading.current_thread().name.startswith("AnyIO worker thread")
    assert not is_of_requests or kind_of_thread.get() in MAY_WRITE, "see app/http/threads.py"


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
