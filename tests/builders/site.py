"""One installation for all tests of a module, with browsers for those that need one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.settings import Settings
from tests.builders.installation import Installation, Person, client_of
from tests.builders.page import HERE, Browser
from tests.builders.sandbox.in_process import build_in_process
from tests.builders.servers.identity_provider import CLIENT, SECRET, Provider


@dataclass
class Site:
    """The installation, and browsers on it."""

    installation: Installation

    @property
    def app(self) -> Any:
        """The web application itself."""
        return self.installation.client.app

    def browser(self, person: Person | None = None, *, origin: str = HERE) -> Browser:
        """A browser, signed in as this person."""
        browser = Browser(self.app, origin=origin)
        if person is not None:
            assert person.token is not None
            browser.sign_in(person.token)
        return browser


def served(
    folder: Path, template: Path, provider: Provider | None = None, **settings: Any
) -> Iterator[Site]:
    """An installation with these settings, which knows the provider if there is one."""
    shutil.copyfile(template, folder / "podium.sqlite3")
    if provider is not None:
        known = {"oidc_issuer": provider.issuer, "oidc_client_id": CLIENT}
        settings = {**known, "oidc_client_secret": SECRET, **settings}
    application = build_in_process(Settings(data_dir=folder, min_free_bytes=0, **settings))
    with client_of(application, raise_server_exceptions=False) as client:
        yield Site(Installation(client, application))
    application.close()
