"""A browser and a small installation for the tests of a group."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.builders.processes.browser import NoBrowser, chromium
from tests.builders.processes.site import Site
from tests.system.browser.browsing import Windows
from tests.system.browser.fair import SETTINGS, Fair, fill


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. It ends with the folder, because its event loop stays in the thread."""
    try:
        with chromium() as browser:
            yield browser
    except NoBrowser as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Everybody's; each test makes the people and the competitions that it changes."""
    site = Site(tmp_path_factory.mktemp("site"), **SETTINGS)
    site.start()
    try:
        yield site
    finally:
        site.stop()


@pytest.fixture(scope="package")
def fair(site: Site) -> Fair:
    """Competitions with something on every page."""
    return fill(site)


@pytest.fixture
def windows(browser: Browser, site: Site) -> Iterator[Windows]:
    """The windows of a test; what went wrong in one of them fails the test."""
    windows = Windows(browser, site.address)
    yield windows
    assert windows.close() == []
