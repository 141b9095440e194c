"""Fixtures that every kind of test shares: real databases, and the application built on them.

`database_url` runs a test twice, on SQLite and on PostgreSQL; each test gets its own migrated
database. `sqlite_url` and `postgres_url` are for tests that mean one of them.
"""

from __future__ import annotations

import gc
import shutil
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.dependencies import models as fastapi_dependencies

from podium.application import Application
from podium.core.database.engine import Database
from podium.core.database.migrate import migrate
from podium.settings import Settings
from tests.builders.databases import BOTH, compile_once, url_of
from tests.builders.judging.scene import Scene
from tests.builders.machine import endings, memory_group
from tests.builders.rows import split_alike
from tests.builders.servers import postgres
from tests.builders.servers import s3 as servers_s3
from tests.groups import pytest_xdist_make_scheduler as pytest_xdist_make_scheduler

# Much is imported and collected now, and hardly anything of it is garbage.
gc.disable()

SERVERS = {"postgres_server_url": pytest.mark.postgres, "s3": pytest.mark.s3}
"""Fixtures that start a server, and how tests are marked that use it."""


def pytest_configure() -> None:
    """Gives all processes that this run starts its name, so that they end with it."""
    endings.run()
    compile_once()
    split_alike()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests that use a server, so that `make test` omits them, and begins with those that are
    given more time than usual, so that the run does not end by waiting for one alone."""
    for item in items:
        for fixture, mark in SERVERS.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(mark)
    items.sort(key=lambda item: item.get_closest_marker("timeout") is None)


def pytest_collection_finish() -> None:
    """Freezes what is there now until the end: collecting garbage need not look at it again, and
    need not happen as often as where memory is short."""
    gc.freeze()
    gc.set_threshold(100_000)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Writes down what coverage has measured: of several test processes, one that takes long to end
    is killed, and would lose it."""
    measured = sys.modules["coverage"].Coverage.current() if "coverage" in sys.modules else None
    if measured is not None:
        measured.save()


@pytest.fixture(autouse=True, scope="module")
def _forget_applications() -> Iterator[None]:
    """FastAPI remembers what it found out about functions, some of which hold an application with
    all its routes. A process has one application, but here hundreds would stay in memory, and every
    collection of garbage would walk through them."""
    yield
    for remembered in vars(fastapi_dependencies).values():
        if hasattr(remembered, "cache_clear"):
            remembered.cache_clear()


@pytest.fixture(scope="session")
def migrated_sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, copied for each test."""
    path = tmp_path_factory.mktemp("template") / "podium.sqlite3"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """The URL of a running PostgreSQL server; skips where there is none."""
    try:
        url, stop = postgres.start()
    except postgres.NoServer as reason:
        pytest.skip(f"no PostgreSQL: {reason}")
    yield url
    stop()


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers_s3.S3Server]:
    """A running S3 server; skips where there is none. Each test takes a prefix of its own."""
    try:
        server, stop = servers_s3.start(tmp_path_factory.mktemp("s3"))
    except servers_s3.NoServer as reason:
        pytest.skip(f"no S3 server: {reason}")
    yield server
    stop()


@pytest.fixture
def group() -> Iterator[memory_group.MemoryGroup]:
    """A group of processes whose memory a test bounds; skips where none can be made."""
    try:
        with memory_group.memory_group() as group:
            yield group
    except memory_group.NoGroup as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server_url: str) -> Iterator[str]:
    """The name of a migrated database that PostgreSQL copies for each test."""
    name = f"template_{uuid.uuid4().hex}"
    with postgres.made(postgres_server_url, name) as url:
        migrate(url)
        yield name


@pytest.fixture
def sqlite_url(migrated_sqlite_file: Path, tmp_path: Path) -> str:
    """A migrated SQLite database of this test's own."""
    shutil.copyfile(migrated_sqlite_file, tmp_path / "podium.sqlite3")
    return f"sqlite:///{tmp_path / 'podium.sqlite3'}"


@pytest.fixture
def postgres_url(postgres_server_url: str, migrated_postgres: str) -> Iterator[str]:
    """A migrated PostgreSQL database of this test's own."""
    with postgres.copied(postgres_server_url, migrated_postgres) as url:
        yield url


@pytest.fixture
def empty_postgres_url(postgres_server_url: str) -> Iterator[str]:
    """A PostgreSQL database without any table."""
    with postgres.made(postgres_server_url, f"empty_{uuid.uuid4().hex}") as url:
        yield url


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database of this test's own, once on SQLite and once on PostgreSQL."""
    return url_of(request)


@pytest.fixture(params=BOTH)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without any table, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    return str(request.getfixturevalue("empty_postgres_url"))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A migrated database with its sessions, on both kinds."""
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """Settings of an installation in this test's folder; leases are short, disks may be small."""
    return Settings(
        data_dir=tmp_path / "data",
        database_url=database_url,
        min_free_bytes=0,
        lease_seconds=5.0,
        reconcile_seconds=0.2,
    )


@pytest.fixture
def application(settings: Settings) -> Iterator[Application]:
    """The real collaborators, as an entry point builds them; nothing runs yet."""
    from podium.bootstrap import build

    application = build(settings)
    yield application
    application.close()


@pytest.fixture
def scene(application: Application) -> Scene:
    """A competition with a real ground truth, and one team."""
    return Scene(application)
