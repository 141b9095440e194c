"""Addresses that lead everybody to their own machine: said before links and cards are made."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.organizer import Organizer
from tests.builders.page import Browser
from tests.builders.site import Site, served

WARNING = "Nobody else can open addresses that begin with {}<"

PAGES = [
    "/organize/{}/people",
    "/organize/{}/people/roster",
    "/organizers/links",
    "/organizers/roster",
]


def browser_at(site: Site, origin: str) -> Browser:
    browser = Browser(site.app, origin=origin)
    assert site.installation.admin.token is not None
    browser.sign_in(site.installation.admin.token)
    return browser


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:8000", "http://localhost:8000", "http://0.0.0.0:8000", "http://[::1]:8000"],
)
def test_links_of_a_machine_that_only_itself_knows_are_warned_of(
    olga: Organizer, site: Site, origin: str
) -> None:
    slug = olga.draft()
    browser = browser_at(site, origin)
    for page in PAGES:
        shown = browser.get(page.format(slug)).text
        assert WARNING.format(origin) in shown
        assert "PODIUM_BASE_URL" in shown


@pytest.mark.parametrize("origin", ["http://testserver", "http://192.168.1.20:8000"])
def test_other_addresses_are_not(olga: Organizer, site: Site, origin: str) -> None:
    slug = olga.draft()
    browser = browser_at(site, origin)
    for page in PAGES:
        assert "Nobody else can open" not in browser.get(page.format(slug)).text


def test_an_installation_that_knows_its_address_warns_of_none(
    tmp_path: Path, migrated_sqlite_file: Path
) -> None:
    for site in served(tmp_path, migrated_sqlite_file, base_url="http://podium"):
        shown = browser_at(site, "http://127.0.0.1:8000").get("/organizers/links")
        assert shown.status_code == 200
        assert "Nobody else can open" not in shown.text
