"""One installation for all tests of a module, with a browser for whoever needs one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from podium.bootstrap import build
from podium.settings import Settings
from tests.functional.api.installation import Installation, Person, client_of
from tests.functional.pages.identity_provider import CLIENT, SECRET, Provider, running
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
    application = build(Settings(data_dir=folder, database_url=url, min_free_bytes=0))
    with client_of(application, raise_server_exceptions=False) as client:
        yield Site(Installation(client, application))
    application.close()


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """An identity provider that runs."""
    with running() as provider:
        yield provider


@pytest.fixture
def honest(provider: Provider) -> Iterator[None]:
    """What a test makes the provider say is over with the test."""
    yield
    provider.claims, provider.signs_with = {}, None
    provider.says, provider.keys = {}, None


def served(folder: Path, template: Path, provider: Provider, **settings: Any) -> Iterator[Site]:
    """An installation that knows the provider."""
    shutil.copyfile(template, folder / "podium.sqlite3")
    application = build(
        Settings(
            data_dir=folder,
            min_free_bytes=0,
            oidc_issuer=provider.issuer,
            **{"oidc_client_id": CLIENT, "oidc_client_secret": SECRET, **settings},
        )
    )
    with client_of(application, raise_server_exceptions=False) as client:
        yield Site(Installation(client, application))
    application.close()


@pytest.fixture(scope="module")
def open_site(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path, provider: Provider
) -> Iterator[Site]:
    """Whoever the provider recognises gets an account."""
    folder = tmp_path_factory.mktemp("open")
    yield from served(folder, migrated_sqlite_file, provider, oidc_sign_up=True)


@pytest.fixture(scope="module")
def closed_site(
    tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path, provider: Provider
) -> Iterator[Site]:
    """Only those who connected their account can come in."""
    yield from served(tmp_path_factory.mktemp("closed"), migrated_sqlite_file, provider)
