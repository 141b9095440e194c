"""The list of one's own submissions, and the page of one, on screens of any width."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.builders.installation import Person
from tests.builders.processes.site import Site
from tests.builders.season import file_with
from tests.system.browser.browsing import Windows
from tests.system.browser.fair import bad_file

pytestmark = pytest.mark.xdist_group("browser")

LISTS = b"\n".join(
    b'%d_%s,"[1, 2]"' % (session, name)
    for session in range(100, 160)
    for name in (b"clicks", b"carts", b"orders")
)
"""The rows of a file whose lists are written as Python prints them, all of them wrong."""

WIDTHS = {"a desk": 1280, "a tablet": 768, "half a desk": 700, "a phone": 360}


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


def test_on_a_phone_a_file_takes_two_lines_and_saving_is_always_at_hand(
    windows: Windows, owner: Person
) -> None:
    page = window_of(windows, owner, WIDTHS["a phone"])
    page.goto("/competitions/finals/submissions")
    rows = page.locator("#submissions tbody tr")
    expect(rows).to_have_count(5)
    heights = rows.evaluate_all("(rows) => rows.map((row) => row.offsetHeight)")
    assert max(heights) < 80
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
