"""Installations that send mail to a server of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.builders.page import HERE, Browser
from tests.builders.servers.identity_provider import Provider, running
from tests.builders.servers.mail_server import MailServer, Received, receiving
from tests.builders.site import Site, served

GOOD = "correct horse battery"


@dataclass
class Mailing:
    """A site, and the server to which it sends its mail."""

    site: Site
    server: MailServer

    def browser(self) -> Browser:
        return self.site.browser()

    def post(self, path: str, **body: Any) -> Any:
        """A document to the API, of a visitor without an account."""
        return self.site.installation.anonymous.post(path, json=body)

    def asked(self, mail: str, name: str = "Ada") -> Received:
        """The mail that answers a request for an account."""
        answer = self.post("/sign-up/mail", name=name, mail=mail)
        assert answer.status_code == 202, answer.text
        return self.server.received[-1]

    def registered(self, mail: str, name: str = "Ada", password: str = GOOD) -> Any:
        """A new account with its token."""
        answer = self.post(self.asked(mail, name).link, password=password)
        assert answer.status_code == 201, answer.text
        return answer.json()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    """A mail server of this test's own."""
    with receiving() as server:
        yield server


def _settings(server: MailServer) -> dict[str, Any]:
    return {
        "base_url": HERE,
        "mail_url": f"smtp://localhost:{server.port}",
        "mail_from": "Podium <podium@example.org>",
    }


@pytest.fixture
def by_mail(
    tmp_path: Path, migrated_sqlite_file: Path, mail_server: MailServer
) -> Iterator[Mailing]:
    """Everyone who proves an address may register."""
    settings = _settings(mail_server)
    for site in served(tmp_path, migrated_sqlite_file, signup="open", **settings):
        yield Mailing(site, mail_server)


@pytest.fixture
def by_mail_and_provider(
    tmp_path: Path, migrated_sqlite_file: Path, mail_server: MailServer
) -> Iterator[tuple[Mailing, Provider]]:
    """The same, and everyone whom an identity provider knows."""
    settings = _settings(mail_server)
    with running() as provider:
        for site in served(
            tmp_path, migrated_sqlite_file, provider, signup="open", oidc_sign_up=True, **settings
        ):
            yield Mailing(site, mail_server), provider


@pytest.fixture
def closed(
    tmp_path: Path, migrated_sqlite_file: Path, mail_server: MailServer
) -> Iterator[Mailing]:
    """Mail is sent, but no account is made by it."""
    for site in served(tmp_path, migrated_sqlite_file, **_settings(mail_server)):
        yield Mailing(site, mail_server)
