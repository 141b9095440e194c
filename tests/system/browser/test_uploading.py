"""An upload that loses first its network and then its server, half-way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders.installation import Person
from tests.builders.machine.link import Link
from tests.builders.processes.long_upload import labels, slow_down, submission
from tests.builders.processes.site import Site
from tests.builders.season import until
from tests.system.browser.browsing import Windows

pytestmark = pytest.mark.xdist_group("browser-upload")

CUT = r"net::ERR_|status of 409|status of 503|Failed to fetch"
"""Chromium's messages about a connection that this test breaks."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server of this test's own, which it kills."""
    site = Site(tmp_path, PODIUM_UPLOAD_LEASE_SECONDS="3", PODIUM_LEASE_SECONDS="3")
    site.start()
    yield site
    site.stop()


@pytest.fixture
def link(site: Site) -> Iterator[Link]:
    """The cable between the browser and the server."""
    link = Link(site.port)
    yield link
    link.cut()


@pytest.fixture
def windows(browser: Browser, link: Link) -> Iterator[Windows]:
    """Windows at the other end of the cable, in which connections may break."""
    windows = Windows(browser, f"http://127.0.0.1:{link.port}")
    windows.forgive(CUT)
    yield windows
    assert windows.close() == []


def share(page: Page) -> int:
    """The share that the page says was sent, in percent."""
    found = re.match(r"(\d+) %", page.locator("#sending-facts").inner_text())
    return int(found[1]) if found else 0


def arrived(person: Person) -> int:
    """The number of bytes that the server has kept."""
    (upload,) = person.get("/uploads").json()["items"]
    return int(upload["offset"])


def test_an_upload_goes_on_after_the_network_and_the_server_were_gone(
    site: Site, link: Link, windows: Windows, tmp_path: Path
) -> None:
    site.draft("big", preset="otto-clicks", title="The big one")
    site.upload_truth("big", labels())
    site.acts("big", "launch")
    person = site.enters("big", "slow")
    file = tmp_path / "big.csv"
    file.write_bytes(submission())
    page = windows.open(person.token)
    network = page.context.new_cdp_session(page)
    slow_down(network)

    page.goto("/competitions/big/submit")
    page.get_by_label(re.compile("^File CSV")).set_input_files(file)
    expect(page.get_by_text("Header and first rows look good. 30,000 rows.")).to_be_visible()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#sending-facts")).to_have_text(re.compile(r"^[4-8]\d %"))
    # Chromium lets a request that is under way go on when it is told to be offline.
    page.context.set_offline(True)
    link.cut()
    state = page.locator("#sending-state")
    expect(state).to_contain_text("Resuming")
    # What arrived is kept once the server has noticed; nothing of it was acknowledged before.
    until(lambda: arrived(person) > 0)
    site.kill()
    site.start()
    link.mend()
    page.context.set_offline(False)
    slow_down(network)
    expect(state).to_contain_text("were already uploaded")
    assert share(page) > 20, "it began anew"
    expect(page.get_by_text("Public score")).to_be_visible()
    expect(page.get_by_text("1.00000").first).to_be_visible()
    (listed,) = person.get("/competitions/big/submissions").json()["items"]
    assert listed["bytes"] == file.stat().st_size
