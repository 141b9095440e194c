"""Checks of the checks: the tests of this folder would hear of what they promise never happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.builders.processes.site import Site
from tests.builders.season import until
from tests.system.browser.browsing import Windows

pytestmark = pytest.mark.xdist_group("browser")

PLANTED = {
    "planted error": """() => setTimeout(() => { throw new Error("planted error"); })""",
    "Content Security Policy": """() => {
        const script = document.createElement("script");
        script.textContent = "1";
        document.body.append(script);
    }""",
    "http://192.0.2.1/": """() => { new Image().src = "http://192.0.2.1/"; }""",
}
"""Faults planted in a page, and what is heard of them."""


@pytest.mark.parametrize("heard", PLANTED)
def test_what_goes_wrong_in_a_window_is_heard(browser: Browser, site: Site, heard: str) -> None:
    windows = Windows(browser, site.address)
    page = windows.open()
    page.goto("/")
    assert windows.complaints == []
    page.evaluate(PLANTED[heard])
    until(lambda: page.title() != "" and any(heard in each for each in windows.complaints))
    assert windows.close() != []
