"""One installation for all tests of a module, with a browser for whoever needs one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.bootstrap import build
from app.logs import configure_logs
from app.main import create_app
from app.services.accounts_start import ensure_administrator
from app.settings import Settings
from tests.functional.api.installation import ADMIN_TOKEN, Installation, Person
from tests.functional.pages.page import HERE, Browser


@dataclass
class Site:
    """The installation, and browsers on it."""

    installation: Installation

    @property
    def app(self) -> Any:
        """The web application itself."""
        return self.installation.client.app

    def browser(self, person: Person | None = None, *, origin: str = HERE) -> Browser:
        """A browser, signed in as somebody."""
        browser = Browser(self.app, origin=origin)
        if person is not None:
            assert person.token is not None
            browser.sign_in(person.token)
        return browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path) -> Iterator[Site]:
    """Everybody's; each test makes the people and the competitions that it changes."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copyfile(migrated_sqlite_file, folder / "podium.sqlite3")
    url = f"sqlite:///{folder / 'podium.sqlite3'}"
    configure_logs(json=True)
    application = build(Settings(data_dir=folder, database_url=url, min_free_bytes=0))
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    with TestClient(create_app(application), raise_server_exceptions=False) as client:
        yield Site(Installation(client, application))
    application.close()
