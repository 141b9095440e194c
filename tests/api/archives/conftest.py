"""Two installations: a season is played on one, and the other is empty and uses the other kind of
database, so that nothing of an archive can depend on either."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.application import Application
from podium.settings import Settings
from tests.builders.archives.forging import Members
from tests.builders.archives.season import Season, exported, members_of, play, served
from tests.builders.installation import Installation
from tests.builders.sandbox.in_process import build_in_process


@pytest.fixture(params=["to PostgreSQL", "to SQLite"])
def urls(request: pytest.FixtureRequest, sqlite_url: str, postgres_url: str) -> tuple[str, str]:
    """The databases of the two installations."""
    pair = (sqlite_url, postgres_url)
    return pair if request.param == "to PostgreSQL" else pair[::-1]


@pytest.fixture
def season(application: Application) -> Iterator[Season]:
    """A season on an installation of its own."""
    with served(application) as installation:
        yield play(installation)


@pytest.fixture(scope="session")
def full_archive(migrated_sqlite_file: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A good archive of the season, made once: many tests forge one of it."""
    folder = tmp_path_factory.mktemp("season")
    shutil.copyfile(migrated_sqlite_file, folder / "podium.sqlite3")
    url = f"sqlite:///{folder / 'podium.sqlite3'}"
    application = build_in_process(Settings(data_dir=folder, database_url=url, min_free_bytes=0))
    with served(application) as installation:
        archive = exported(play(installation).installation.admin, "?full=true")
    application.close()
    return archive


@pytest.fixture
def full(full_archive: bytes) -> Members:
    """The members of a good archive."""
    return members_of(full_archive)


@pytest.fixture
def installation(application: Application) -> Iterator[Installation]:
    """An installation on which nothing has happened yet."""
    with served(application) as installation:
        yield installation


@pytest.fixture
def moving(urls: tuple[str, str], tmp_path: Path) -> Iterator[tuple[Season, Installation]]:
    """A season, and another installation that is empty."""
    applications = [
        build_in_process(Settings(data_dir=tmp_path / name, database_url=url, min_free_bytes=0))
        for name, url in zip(("here", "there"), urls, strict=True)
    ]
    with served(applications[0]) as here, served(applications[1]) as there:
        yield play(here), there
    for application in applications:
        application.close()
