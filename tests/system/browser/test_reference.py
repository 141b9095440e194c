"""The page of the API in a browser: its search, its colors, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.system.browser.browsing import Windows
from tests.system.browser.looking import CONTRAST, WIDE, violations

pytestmark = pytest.mark.xdist_group("browser")


def opened(page: Page) -> Page:
    page.goto("/docs")
    expect(page.locator(".opblock-tag").first).to_be_visible()
    return page


def look_for(page: Page, phrase: str) -> None:
    page.get_by_label("Find operations").fill(phrase)


def found(page: Page) -> list[str]:
    """The addresses of the operations that are shown."""
    return [
        str(each)
        for each in page.locator("[data-path]").evaluate_all(
            "(all) => all.map((one) => one.dataset.path)"
        )
    ]


@pytest.mark.parametrize("phrase", ["leaderboard.csv", "getLeaderboardCsv", "leaderboard as csv"])
def test_operations_are_found_by_path_name_and_summary(windows: Windows, phrase: str) -> None:
    page = opened(windows.open(viewport=WIDE))
    look_for(page, phrase)
    expect(page.get_by_role("status")).to_have_text("1 operation")
    assert found(page) == ["/api/v1/competitions/{slug}/leaderboard.csv"]


def test_a_search_without_a_match_says_so_and_can_be_taken_back(windows: Windows) -> None:
    page = opened(windows.open(viewport=WIDE))
    look_for(page, "xyzzy")
    expect(page.get_by_role("status")).to_contain_text("Nothing matches “xyzzy”.")
    assert found(page) == []
    look_for(page, "")
    expect(page.get_by_role("status")).to_have_text("")
    expect(page.get_by_role("heading", name="Authenticate")).to_be_visible()


def test_authorize_is_in_sight_from_the_beginning(windows: Windows) -> None:
    page = opened(windows.open(viewport=WIDE))
    button = page.get_by_role("button", name="Authorize").first
    expect(button).to_be_in_viewport()
    button.click()
    expect(page.get_by_role("heading", name="Available authorizations")).to_be_visible()


@pytest.mark.parametrize("color", ["light", "dark"])
def test_an_opened_operation_can_be_read_in_both_colors(windows: Windows, color: str) -> None:
    page = opened(windows.open(viewport=WIDE, color_scheme=color))
    assert violations(page, CONTRAST) == []
    look_for(page, "submit a file")
    page.locator(".opblock-summary-control").click()
    expect(page.get_by_text("The file and its judging are stored")).to_be_visible()
    assert violations(page, CONTRAST) == []


def test_an_opened_operation_fits_a_phone(windows: Windows) -> None:
    page = opened(windows.open(viewport={"width": 390, "height": 844}, is_mobile=True))
    look_for(page, "submit a file")
    page.locator(".opblock-summary-control").click()
    expect(page.get_by_text("The file and its judging are stored")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
