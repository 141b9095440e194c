"""One installation for all tests of this folder, which runs custom metrics."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from podium.settings import Settings
from tests.builders.custom_metrics.scene import MetricScene, draft_of_tables
from tests.builders.installation import Installation, client_of
from tests.builders.sandbox.in_process import build_in_process

_numbers = count()


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path
) -> Iterator[Installation]:
    """An installation that runs custom metrics."""
    folder = tmp_path_factory.mktemp("metrics")
    shutil.copyfile(migrated_sqlite_file, folder / "podium.sqlite3")
    settings = Settings(data_dir=folder, min_free_bytes=0)
    application = build_in_process(settings)
    with client_of(application, raise_server_exceptions=False) as client:
        yield Installation(client, application)
    application.close()


@pytest.fixture
def scene(running: Installation) -> MetricScene:
    """A draft of tables that no other test knows."""
    number = next(_numbers)
    organizer = running.person(f"olga {number}", organizer=True)
    return draft_of_tables(running, organizer, f"table-{number}")
