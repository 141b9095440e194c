"""Installations in this process: behind a client, behind a real port, with a worker, with pages.

They use SQLite unless a test says otherwise: what databases take differently lies below the routes.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from podium.accounts.service.bootstrap import ensure_administrator
from podium.application import Application
from podium.core.database.engine import Database, WriteSession
from podium.core.database.types import new_id
from podium.http.threads import ThreadResource, kind_of_thread
from podium.logs import configure_logs
from podium.main import create_app
from podium.settings import Settings
from podium.worker.service import start
from tests.builders.access.answers import Answered, observed, untold
from tests.builders.databases import BOTH, url_of
from tests.builders.installation import ADMIN_TOKEN, Installation, client_of
from tests.builders.organizer import Organizer
from tests.builders.sandbox.in_process import build_in_process
from tests.builders.season import Season
from tests.builders.servers.in_process import TestClient
from tests.builders.site import Site
from tests.builders.uploads.server import Server, running
from tests.builders.uploads.stage import Stage, set_up

MAY_WRITE = (
    ThreadResource.DATABASE_WRITE,
    ThreadResource.UPLOAD,
    ThreadResource.STORE,
    ThreadResource.ARCHIVE,
)


@pytest.fixture(autouse=True, scope="session")
def _require_writing_threads() -> Iterator[None]:
    """Fails every request that writes to the database in a thread of those that answer readers:
    where it waits for another writer, they would wait with it."""
    event.listen(WriteSession, "after_begin", _require_writing_thread)
    yield
    event.remove(WriteSession, "after_begin", _require_writing_thread)


def _require_writing_thread(*_: Any) -> None:
    is_of_requests = threading.current_thread().name.startswith("AnyIO worker thread")
    assert not is_of_requests or kind_of_thread.get() in MAY_WRITE, "see app/podium/http/threads.py"


@pytest.fixture(autouse=True, scope="session")
def _answers() -> Iterator[list[Answered]]:
    """All that applications of this process answer, since it was last looked at."""
    met: list[Answered] = []
    with observed(met):
        yield met


@pytest.fixture(autouse=True)
def _require_described_answers(_answers: list[Answered]) -> Iterator[None]:
    """Fails every test that meets a code, a header or a member of a problem which the description
    of the API does not name there."""
    yield
    found, _answers[:] = untold(_answers), []
    assert found == [], "see `problems` in app/podium/http/schemas.py, and app/podium/http/openapi"


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """Tests of routes and pages run on one kind of database, unless their module says both."""
    return sqlite_url


@pytest.fixture(scope="session")
def migrated_sqlite_file(
    migrated_sqlite_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A migrated SQLite file that knows the administrator: each test begins with a copy."""
    path = tmp_path_factory.mktemp("template") / "podium.sqlite3"
    shutil.copyfile(migrated_sqlite_file, path)
    database = Database(f"sqlite:///{path}")
    with database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    database.close()
    return path


@pytest.fixture
def application(settings: Settings) -> Iterator[Application]:
    """The collaborators; what people send is read in this process."""
    application = build_in_process(settings)
    yield application
    application.close()


@pytest.fixture
def installation(sqlite_url: str, tmp_path: Path) -> Iterator[Installation]:
    """The routes of a fresh installation on SQLite whose administrator's token is known."""
    settings = Settings(data_dir=tmp_path / "data", database_url=sqlite_url, min_free_bytes=0)
    application = build_in_process(settings)
    with client_of(application, raise_server_exceptions=False) as client:
        yield Installation(client, application)
    application.close()


@pytest.fixture(params=BOTH)
def installation_on_both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    """The same on SQLite and on PostgreSQL, for what they could take differently."""
    url = url_of(request)
    application = build_in_process(
        Settings(data_dir=tmp_path / "data", database_url=url, min_free_bytes=0)
    )
    with client_of(application, raise_server_exceptions=False) as client:
        yield Installation(client, application)
    application.close()


@pytest.fixture
def server(application: Application) -> Iterator[Server]:
    """The real application on a real port."""
    with running(application) as server:
        yield server


@pytest.fixture
def stage(server: Server) -> Stage:
    """A running server with one open competition and one team in it."""
    return set_up(server)


@pytest.fixture(scope="module")
def judging(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path
) -> Iterator[Installation]:
    """One for all tests of a module, which judges what is sent to it."""
    folder = tmp_path_factory.mktemp("judging")
    shutil.copyfile(migrated_sqlite_file, folder / "podium.sqlite3")
    settings = Settings(data_dir=folder, min_free_bytes=0, reconcile_seconds=0.2)
    application = build_in_process(settings)
    service = start(application)
    try:
        with TestClient(create_app(application)) as client:
            yield Installation(client, application)
    finally:
        service.stop()
        application.close()


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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path) -> Iterator[Site]:
    """Everybody's; each test makes the people and the competitions that it changes."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copyfile(migrated_sqlite_file, folder / "podium.sqlite3")
    url = f"sqlite:///{folder / 'podium.sqlite3'}"
    application = build_in_process(Settings(data_dir=folder, database_url=url, min_free_bytes=0))
    with client_of(application, raise_server_exceptions=False) as client:
        yield Site(Installation(client, application))
    application.close()


@pytest.fixture
def olga(site: Site) -> Organizer:
    """An organizer whom no other test knows."""
    person = site.installation.person(f"olga {new_id()[-12:]}", organizer=True)
    return Organizer(site, person, site.browser(person))
