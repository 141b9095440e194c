"""Behavior of people that programs forget: they use the keyboard, look on, sign out, and go
back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import FileChooser, Locator, Page, expect

from tests.builders.processes.site import Site
from tests.builders.season import file_with, until
from tests.system.browser.browsing import Windows
from tests.system.browser.fair import Fair

pytestmark = pytest.mark.xdist_group("browser")

PASSWORD = "correct horse battery"


def tab_to(page: Page, wanted: Locator) -> None:
    """Presses Tab until something is focused; every stop on the way can be seen to be one."""
    for _ in range(80):
        page.keyboard.press("Tab")
        marked = page.evaluate(
            """() => {
                const style = getComputedStyle(document.activeElement);
                return style.outlineStyle !== "none" || style.boxShadow !== "none";
            }"""
        )
        assert marked, page.evaluate("() => document.activeElement.outerHTML")
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"{wanted} is not reached by Tab")


def test_everything_a_participant_does_can_be_done_by_keyboard(
    site: Site, windows: Windows, fair: Fair, tmp_path: Path
) -> None:
    person = site.person("key")
    assert person.put("/me/password", json={"password": PASSWORD}).status_code == 204
    file = tmp_path / "typed.csv"
    file.write_bytes(file_with(40))
    page = windows.open()
    # Who asks for it only when it is about to open comes too late at times.
    choosers: list[FileChooser] = []
    page.on("filechooser", lambda chooser: choosers.append(chooser))
    page.goto("/competitions/shop/team")

    tab_to(page, page.get_by_role("link", name="Skip to content"))
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    tab_to(page, page.get_by_label("Name", exact=True))
    page.keyboard.type("key")
    tab_to(page, page.get_by_label("Password", exact=True))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Join the competition")
    tab_to(page, page.get_by_label("Name of the team"))
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("Team Key")
    tab_to(page, page.get_by_label("I accept the rules").first)
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_text("your team: Team Key")).to_be_visible()

    tab_to(page, page.get_by_role("link", name="Submit", exact=True).first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Submit")
    tab_to(page, page.get_by_label(re.compile("^File CSV")))
    page.keyboard.press("Enter")
    until(lambda: page.title() != "" and choosers != [])
    choosers[0].set_files(file)
    expect(page.get_by_text("Header and first rows look good.")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Submit", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your rank")).to_be_visible()


def test_the_board_is_renewed_under_the_reader_without_moving_anything(
    site: Site, windows: Windows, fair: Fair
) -> None:
    page = windows.open(fair.ada.token, viewport={"width": 1000, "height": 400})
    page.clock.install()
    page.goto("/competitions/shop/leaderboard")
    link = page.get_by_role("link", name="Submissions", exact=True)
    page.get_by_label("Find a team").fill("half a na")
    link.focus()
    # At once, because a wheel's scrolling goes on for a while.
    page.evaluate("() => scrollBy({top: 120, behavior: 'instant'})")
    before = page.evaluate("() => scrollY")
    assert before > 0

    late = site.enters("shop", "late", accept_rules=True)
    site.judged(late, site.sends(late, "shop", file_with(5)))
    page.clock.fast_forward(11_000)
    expect(page.get_by_role("row", name="Team late")).to_be_visible()
    expect(page.locator("#news")).to_contain_text("Board updated")
    expect(link).to_be_focused()
    expect(page.get_by_label("Find a team")).to_have_value("half a na")
    assert page.evaluate("() => scrollY") == before


def test_a_window_that_was_signed_out_elsewhere_shows_nothing_any_more(
    site: Site, windows: Windows
) -> None:
    person = site.person("twice")
    here, there = windows.open(person.token), windows.open(person.token)
    there.goto("/account")
    expect(there.get_by_role("heading", level=1)).to_have_text("Account")
    here.goto("/account")
    here.get_by_role("button", name=re.compile("^Sign out the browser")).click()
    expect(here.get_by_role("status").first).to_be_visible()
    there.get_by_role("link", name=re.compile("twice")).click()
    expect(there.get_by_role("heading", level=1)).to_have_text("Sign in")
    expect(there.get_by_text("twice")).to_have_count(0)


def test_going_back_after_signing_out_shows_nothing_of_the_person(
    site: Site, windows: Windows
) -> None:
    person = site.person("gone for good")
    page = windows.open(person.token)
    for address in ("/account", "/competitions/shop/submissions", "/account"):
        page.goto(address)
    expect(page.get_by_text("gone for good").first).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    for _ in range(3):
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
        assert "gone for good" not in page.content()


def test_a_table_is_a_stop_for_the_keyboard_only_where_it_scrolls(
    windows: Windows, fair: Fair
) -> None:
    page = windows.open(viewport={"width": 1280, "height": 900})
    page.goto("/competitions/shop/leaderboard")
    table = page.get_by_role("region", name=re.compile("^Table: Leaderboard"))
    expect(table).not_to_have_attribute("tabindex", "0")
    # Without room it scrolls, and can be reached.
    table.evaluate("(region) => { region.style.maxWidth = '120px' }")
    expect(table).to_have_attribute("tabindex", "0")
