"""The way of a participant: in by a link, a file that is bad, a good one, the board, the finals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.builders.processes.site import Site
from tests.builders.season import file_with, until
from tests.system.browser.browsing import PHONE, Windows
from tests.system.browser.fair import bad_file

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("fair")]

PASSWORD = "correct horse battery"

KINDS: dict[str, dict[str, Any]] = {
    "a desk": {},
    "a phone": PHONE,
    "the dark": {"color_scheme": "dark"},
    "no scripts": {"java_script_enabled": False},
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a good file and a bad one."""
    (tmp_path / "good.csv").write_bytes(file_with(50))
    (tmp_path / "bad.csv").write_bytes(bad_file())
    return tmp_path


def link_into(site: Site, slug: str) -> str:
    """The path of a new link that lets a user in."""
    made = site.admin.post("/admin/invites", json={"competition": slug})
    assert made.status_code == 201, made.text
    return f"/links/{made.json()['code']}"


def come_in(page: Page, link: str, name: str) -> None:
    """Fills in what the link's page asks."""
    page.goto(link)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label(re.compile("^Name of your team")).fill(f"Team {name}")
    page.get_by_label("I accept these rules").check()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text(f"You are {name}")).to_be_visible()
    page.get_by_role("link", name="To the competition", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")


def submit(page: Page, file: Path, *, note: str = "") -> None:
    """Sends a file from the submit page, whatever the look at it says."""
    page.get_by_role("link", name="Submit", exact=True).first.click()
    page.get_by_label(re.compile("^File CSV")).set_input_files(file)
    page.get_by_label("Note").fill(note)
    page.get_by_role("button", name=re.compile("^Submit")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(file.name)


def test_an_upload_of_which_nothing_goes_through_is_sent_again(
    site: Site, windows: Windows, files: Path
) -> None:
    windows.forgive("net::ERR_ABORTED")
    person = site.enters("shop", "stalled", accept_rules=True)
    page = windows.open(person.token)
    page.clock.install()
    # The handler of these requests never answers, nor hangs up.
    swallowed: list[Route] = []

    def swallow(route: Route) -> None:
        if len(swallowed) < 2 and route.request.method == "PATCH":
            swallowed.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/uploads/*", swallow)
    page.goto("/competitions/shop/submit")
    page.get_by_label(re.compile("^File CSV")).set_input_files(files / "good.csv")
    page.get_by_role("button", name="Submit", exact=True).click()
    state = page.locator("#sending-state")
    until(lambda: page.title() != "" and len(swallowed) == 1)
    page.get_by_role("button", name="Pause").click()
    expect(state).to_have_text("Paused. The uploaded part is kept for 1 day.")
    page.get_by_role("button", name="Resume").click()
    until(lambda: page.title() != "" and len(swallowed) == 2)
    page.clock.fast_forward(61_000)
    expect(state).to_contain_text("Nothing went through for a minute. Resuming")
    expect(page.get_by_role("heading", level=1)).to_have_text("good.csv")


@pytest.mark.parametrize("kind", KINDS)
def test_a_participant_comes_in_by_a_link_and_gets_to_the_board(
    site: Site, windows: Windows, files: Path, kind: str
) -> None:
    page = windows.open(**KINDS[kind])
    name = f"Ada of {kind}"
    come_in(page, link_into(site, "shop"), name)

    submit(page, files / "bad.csv")
    problems = page.get_by_role("region", name="Table: Problems")
    expect(problems.get_by_role("row", name="101_clicks")).to_contain_text("5")
    expect(problems.locator("tbody").get_by_role("row")).to_have_count(3)
    expect(page.get_by_text("Doesn't count against your limit")).to_be_visible()

    submit(page, files / "good.csv", note="half of the clicks")
    expect(page.get_by_text("Public score")).to_be_visible()
    expect(page.get_by_text("Your rank")).to_be_visible()

    page.get_by_role("link", name="Leaderboard", exact=True).first.click()
    row = page.get_by_role("row", name=f"Team {name}")
    expect(row).to_contain_text("you")
    board = site.anonymous.get("/competitions/shop/leaderboard").json()["rows"]
    ranks = {each["team"]["name"]: each["rank"] for each in board}
    assert ranks["Team Bob"] > ranks[f"Team {name}"]
    expect(row.get_by_role("cell").first).to_have_text(str(ranks[f"Team {name}"]))

    page.get_by_role("link", name="My submissions").click()
    final = page.get_by_role("checkbox", name=re.compile("^Select good.csv of"))
    final.check()
    page.get_by_role("button", name="Save selection").click()
    expect(page.get_by_text("1 of 1 selected")).to_be_visible()
    expect(final).to_be_checked()
