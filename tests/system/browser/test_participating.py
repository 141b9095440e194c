"""The way of a participant: in by a link, a file that is bad, a good one, the board, the finals;
and the list of one's own submissions on screens of any width."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from tests.builders.installation import Person
from tests.builders.processes.site import Site
from tests.builders.season import file_with, until
from tests.system.browser.browsing import PHONE, Windows
from tests.system.browser.fair import bad_file

pytestmark = [pytest.mark.xdist_group("browser-acts"), pytest.mark.usefixtures("fair")]

PASSWORD = "correct horse battery"

KINDS: dict[str, dict[str, Any]] = {
    "a desk": {},
    "a phone": PHONE,
    "the dark": {"color_scheme": "dark"},
    "no scripts": {"java_script_enabled": False},
}


LISTS = b"\n".join(
    b'%d_%s,"[1, 2]"' % (session, name)
    for session in range(100, 160)
    for name in (b"clicks", b"carts", b"orders")
)
"""The rows of a file whose lists are written as Python prints them, all of them wrong."""

WIDTHS = {"a desk": 1280, "a tablet": 768, "half a desk": 700, "a phone": 360}


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
    page.get_by_role("link", name="Open the competition", exact=True).click()
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


@pytest.fixture(scope="module")
def owner(site: Site) -> Person:
    """A participant of `finals` and of its end `finals-over`, each with good and rejected files."""
    person = site.person("a chooser")
    for slug in ("finals", "finals-over"):
        site.launched(slug, final_selections=2, daily_limit=50)
        answer = person.post(f"/competitions/{slug}/teams", json={"name": f"Team of {slug}"})
        assert answer.is_success, answer.text
        files = {f"window-{clicks}.csv": file_with(clicks) for clicks in (10, 20, 30)}
        lists = b"session_type,labels\n" + b"\n".join([LISTS] * 6)
        files |= {"bad.csv": bad_file(), "lists.csv": lists}
        sent = [site.sends(person, slug, content, name) for name, content in files.items()]
        for each in sent:
            site.judged(person, each)
    site.acts("finals-over", "close")
    site.acts("finals-over", "reveal")
    return person


@pytest.fixture
def undecided(owner: Person) -> None:
    """The owner has selected no file of `finals`, whatever an earlier test left there."""
    answer = owner.put("/competitions/finals/selection", json={"submission_ids": []})
    assert answer.status_code == 200, answer.text


def window_of(windows: Windows, owner: Person, width: int) -> Page:
    return windows.open(owner.token, viewport={"width": width, "height": 800})


def widths_of_tables(page: Page) -> list[list[int]]:
    found: Any = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")]
            .map((each) => [each.scrollWidth, each.clientWidth])"""
    )
    assert found
    return list(found)


@pytest.mark.parametrize("kind", WIDTHS)
@pytest.mark.parametrize("slug", ["finals", "finals-over"])
def test_the_list_fits_every_screen(windows: Windows, owner: Person, slug: str, kind: str) -> None:
    page = window_of(windows, owner, WIDTHS[kind])
    page.goto(f"/competitions/{slug}/submissions")
    expect(page.get_by_text("+ problems")).to_be_visible()
    assert all(needed <= there for needed, there in widths_of_tables(page))


@pytest.mark.usefixtures("undecided")
def test_on_a_phone_a_file_takes_two_lines_or_three_and_saving_is_always_at_hand(
    windows: Windows, owner: Person
) -> None:
    page = window_of(windows, owner, WIDTHS["a phone"])
    page.goto("/competitions/finals/submissions")
    rows = page.locator("#submissions tbody tr")
    expect(rows).to_have_count(5)
    tall = "(rows, most) => rows.filter((row) => row.offsetHeight > most).length"
    assert rows.evaluate_all(tall, 80) == rows.locator(".marks").count() == 2
    assert rows.evaluate_all(tall, 100) == 0
    name = rows.last.get_by_role("link", name="window-10.csv", exact=True).bounding_box()
    box = rows.last.get_by_role("checkbox").bounding_box()
    score = rows.last.locator(".score").bounding_box()
    assert name
    assert box
    assert score
    middles = [each["y"] + each["height"] / 2 for each in (box, name, score)]
    assert max(middles) - min(middles) < 8
    assert min(box["width"], box["height"]) > 16
    expect(page.get_by_role("button", name="Save selection")).to_be_in_viewport(ratio=1)


@pytest.mark.usefixtures("undecided")
def test_one_tick_too_many_is_told_at_once_and_no_tick_is_lost(
    windows: Windows, owner: Person
) -> None:
    page = window_of(windows, owner, WIDTHS["a desk"])
    page.goto("/competitions/finals/submissions")
    boxes, count = page.get_by_role("checkbox"), page.locator("#finals-count")
    expect(boxes).to_have_count(3)
    for place, words in enumerate(("1 of 2 selected", "2 of 2 selected", "3 of 2 selected")):
        boxes.nth(place).check()
        expect(count).to_have_text(words)
    expect(count).to_have_class("badge badge-warn")
    page.get_by_role("button", name="Save selection").click()
    expect(page.get_by_role("alert")).to_have_text("At most 2 submissions can count.")
    expect(count).to_have_text("3 of 2 selected")
    assert all(box.is_checked() for box in boxes.all())
    boxes.nth(0).uncheck()
    expect(count).to_have_text("2 of 2 selected")
    page.get_by_role("button", name="Save selection").click()
    expect(page.get_by_text("Your final selection is saved.")).to_be_visible()
    assert [box.is_checked() for box in boxes.all()] == [False, True, True]


def test_labels_of_steps_do_not_break_on_a_phone(windows: Windows, owner: Person) -> None:
    page = window_of(windows, owner, WIDTHS["a phone"])
    page.goto("/competitions/finals/submissions")
    page.get_by_role("link", name="lists.csv", exact=True).click()
    expect(page.get_by_text("What to do")).to_have_count(1)
    lines = page.locator(".step").evaluate_all(
        """(all) => all.map((one) => {
            const label = document.createRange();
            label.selectNodeContents(one.firstChild);
            return label.getClientRects().length;
        })"""
    )
    assert lines == [1] * 5


SUPPORTED = "Send a CSV file, plain or compressed, or Parquet."

LOOKED_AT = {
    "picture.csv": (
        b"\x89PNG\r\n\x1a\n",
        [f"Line 1: The file is a PNG picture. {SUPPORTED}"],
    ),
    "binary.csv": (
        b"session_type,labels\n\0\0\0",
        [
            r"Line 2: “\x00\x00\x00” has 1 field instead of 2. A row is an id, one comma, and items"
            " separated by spaces."
        ],
    ),
    "header.csv": (
        b"session_type,labels\n",
        [
            "The file has a header and no rows. Send one row for each published id; its labels may"
            " be empty."
        ],
    ),
    "lists.csv": (
        b'session_type,labels\n100_clicks,"[1, 2]"\n101_clicks,"[1, 2]"\n',
        ["Line 2: “[1,” is not an item id.", "Line 3: “[1,” is not an item id."],
    ),
}
"""Files, and what is wrong with them at a look, before they are sent."""


def test_a_file_is_looked_at_before_it_is_sent(site: Site, windows: Windows) -> None:
    person = site.enters("shop", "a looker", accept_rules=True)
    page = windows.open(person.token)
    page.goto("/competitions/shop/submit")
    for name, (content, problems) in LOOKED_AT.items():
        file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": content}
        page.get_by_label(re.compile("^File CSV")).set_input_files(file)
        expect(page.locator("#check strong")).to_have_text(name)
        expect(page.locator("#check li")).to_have_text(problems)
    # What is the same for all of them is said once.
    expect(page.locator("#check p").last).to_contain_text("This looks like a Python list.")
    expect(page.locator("#send-button")).to_have_text("Submit anyway")
    expect(page.locator("#send-button")).to_have_class("button button-plain")


CLICKS = b"""user,item,click,Usage
1,7,0,Public
1,8,1,Public
2,7,0,Private
2,8,1,Private
"""

PROBABILITIES = {
    "outside.csv": (
        b"user,item,click\n1,7,1.5\n1,8,-0.1\n",
        ["Line 2: “1.5” is not a probability.", "Line 3: “-0.1” is not a probability."],
    ),
    "fields.csv": (
        b"user,item,click\n1,7,0.5,0.5\n1,8,1\n",
        [
            "Line 2: “1,7,0.5,0.5” has 4 fields instead of 3. A row is a user, an item and a"
            " number, with commas between them."
        ],
    ),
    "short.csv": (
        b"user,item,click\n1,7,0\n1,8,1\n",
        [
            "The file has 2 rows, and 4 ids need one each. Send a row with a number for each"
            " published pair."
        ],
    ),
}
"""Files of scored pairs, and what is wrong with them at a look, before they are sent."""


def test_probabilities_are_looked_at_before_they_are_sent(site: Site, windows: Windows) -> None:
    pairs = {"task": "scores", "objectives": {"click": 1}, "metric": "log_loss", "split": "usage"}
    columns = {"id_column": "user", "item_column": "item", "labels_column": "click"}
    site.draft("clicks", **pairs, **columns)
    site.upload_truth("clicks", CLICKS)
    assert site.admin.post("/admin/competitions/clicks/launch").status_code == 200
    page = windows.open(site.enters("clicks", "a forecaster").token)
    page.goto("/competitions/clicks/submit")
    for name, (content, problems) in PROBABILITIES.items():
        file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": content}
        page.get_by_label(re.compile("^File CSV")).set_input_files(file)
        expect(page.locator("#check strong")).to_have_text(name)
        expect(page.locator("#check li")).to_have_text(problems)
