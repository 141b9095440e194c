"""One installation for all tests of this folder, with a worker that runs files in real children."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from podium.bootstrap import build
from podium.sandbox.children import ChildSandbox
from podium.settings import Settings
from podium.worker.service import start
from tests.builders.installation import Installation, client_of


@pytest.fixture(scope="package")
def running(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path
) -> Iterator[Installation]:
    """An installation with a worker whose children run custom metrics."""
    folder = tmp_path_factory.mktemp("metrics")
    shutil.copyfile(migrated_sqlite_file, folder / "podium.sqlite3")
    settings = Settings(data_dir=folder, min_free_bytes=0, reconcile_seconds=0.5)
    application = replace(
        build(settings), sandbox=ChildSandbox(threads=1, is_warm=True, custom_metrics="on")
    )
    with client_of(application) as client:
        service = start(application)
        yield Installation(client, application)
        service.stop()
    application.close()
