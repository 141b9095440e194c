"""The first ten minutes of an organizer, who has a file of answers and reads nothing."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import FilePayload, Locator, expect

from tests.builders.processes.site import Site
from tests.system.browser.browsing import Windows

pytestmark = pytest.mark.xdist_group("browser-acts")

MAX_CLICKS = 12

MAX_SECONDS = 180

TRUTH = b"customer,next\n" + b"".join(b"%d,%d %d\n" % (n, n + 100, n + 200) for n in range(400))


MAKE = re.compile("New competition|Create the first competition")
"""The link on the first page; that of an empty one says more."""


class Clicks:
    """Clicks, counted."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, target: Locator) -> None:
        self.count += 1
        target.click()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_file_becomes_a_competition_in_a_few_clicks(
    site: Site, windows: Windows, scripts: bool
) -> None:
    organizer = site.person(f"nora {scripts}", organizer=True)
    slug = f"what-comes-next-{scripts}".lower()
    page, click, began = windows.open(java_script_enabled=scripts), Clicks(), time.monotonic()
    page.goto("/")
    click(page.get_by_role("link", name="Sign in"))
    page.get_by_label("Token", exact=True).fill(str(organizer.token))
    click(page.get_by_role("button", name="Sign in with a token"))
    page.goto("/")
    click(page.get_by_role("link", name=MAKE))
    file: FilePayload = {"name": "truth.csv", "mimeType": "text/csv", "buffer": TRUTH}
    click.count += 1
    page.locator("input[type=file]").set_input_files(file)
    click(page.get_by_role("button", name="Continue"))
    rows = page.get_by_role("region", name="Table: First rows of the ground truth")
    expect(rows.get_by_role("row")).to_have_count(6)
    expect(page.get_by_text("customer,next")).to_be_visible()
    click(page.get_by_role("radio", name="NDCG@K"))
    page.get_by_label("Title", exact=True).fill(f"What comes next {scripts}")
    click(page.get_by_role("button", name="Create draft"))
    click(page.get_by_role("link", name="Check everything"))
    expect(page.get_by_text("OK", exact=True).first).to_be_visible()
    page.get_by_role("region", name="Before the launch").get_by_label("to confirm").fill(slug)
    click(page.get_by_role("button", name="Launch"))
    expect(page.get_by_text("The competition is launched.", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Next step: invite people")).to_be_visible()
    assert click.count <= MAX_CLICKS
    assert time.monotonic() - began <= MAX_SECONDS
    page.goto(f"/competitions/{slug}")
    expect(page.get_by_text("400 ids", exact=False).first).to_be_visible()


def test_small_files_that_were_left_behind_make_room_for_the_next(
    site: Site, windows: Windows
) -> None:
    organizer = site.person("nora leaves", organizer=True)
    windows.forgive(r"status of 429 .*/api/v1/uploads")
    page = windows.open(organizer.token)
    seen = page.get_by_role("heading", name="Your file")
    for number in range(5):
        page.goto("/organizers/new")
        file: FilePayload = {"name": f"{number}.csv", "mimeType": "text/csv", "buffer": TRUTH}
        page.locator("input[type=file]").set_input_files(file)
        page.get_by_role("button", name="Continue").click()
        expect(seen).to_be_visible()
    page.goto("/organizers/new")
    names = page.get_by_role("region", name="Unfinished uploads").get_by_role("listitem")
    assert [text.split(",")[0] for text in names.all_inner_texts()] == ["2.csv", "3.csv", "4.csv"]
