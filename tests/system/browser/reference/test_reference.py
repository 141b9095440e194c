"""The page of the API in a real browser: its search, its introduction, Authorize."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.builders.processes.site import Site
from tests.system.browser.browsing import Windows
from tests.system.browser.looking import CONTRAST, WIDE, violations

pytestmark = pytest.mark.xdist_group("browser-acts")


def opened(page: Page) -> Page:
    """The page of the API, once its operations are there."""
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


@pytest.fixture(scope="module")
def shared_page(browser: Browser, site: Site) -> Iterator[Page]:
    """A window with the page, for all tests that leave nothing of theirs on it: opening it takes
    longer than each of them."""
    windows = Windows(browser, site.address)
    yield opened(windows.open(viewport=WIDE))
    assert windows.close() == []


@pytest.fixture
def page(shared_page: Page) -> Page:
    """The page with nothing looked for, opened or asked, at its beginning."""
    shared_page.keyboard.press("Escape")
    expect(shared_page.locator(".dialog-ux")).to_have_count(0)
    look_for(shared_page, "")
    expect(shared_page.get_by_role("status")).to_have_text("")
    for place in (".opblock.is-open .opblock-summary-control", ".opblock-tag[data-is-open=true]"):
        open_ones = shared_page.locator(place)
        for number in reversed(range(open_ones.count())):
            open_ones.nth(number).click()
        expect(open_ones).to_have_count(0)
    shared_page.evaluate("() => scrollTo(0, 0)")
    return shared_page


def top_of(element: Locator) -> float:
    """The upper edge of something in the window."""
    box = element.bounding_box()
    assert box is not None
    return box["y"]


def end_of_what_stays(page: Page) -> float:
    """The lower edge of what stays at the top of the window."""
    box = page.locator(".reference-top").bounding_box()
    assert box is not None
    return box["y"] + box["height"]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_to_an_operation_leads_below_what_stays_at_the_top(
    windows: Windows, width: int
) -> None:
    page = windows.open(viewport={"width": width, "height": 800})
    page.goto("/docs#/submissions/submit")
    operation = page.locator(".opblock.is-open .opblock-summary")
    expect(operation).to_be_in_viewport()
    assert top_of(operation) >= end_of_what_stays(page)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_to_a_section_leads_to_its_heading_and_survives_a_reload(
    windows: Windows, width: int
) -> None:
    page = windows.open(viewport={"width": width, "height": 800})
    page.goto("/docs#lists-and-pagination")
    for _ in range(2):
        heading = page.get_by_role("heading", name="Lists and pagination")
        expect(heading).to_be_in_viewport()
        assert end_of_what_stays(page) <= top_of(heading) < 200
        assert page.url.endswith("/docs#lists-and-pagination")
        page.reload()


def test_a_search_shows_further_kinds_of_matches_on_request(page: Page) -> None:
    look_for(page, "verdict")
    status = page.get_by_role("status")
    expect(status).to_contain_text("1 operation with it in the path or the summary")
    assert len(found(page)) == 1
    further = status.get_by_role("button", name="with it in the description")
    number = int(further.inner_text().split()[1])
    further.click()
    expect(further).to_be_hidden()
    expect(status).to_contain_text(f"{1 + number} operations")
    assert len(found(page)) == 1 + number


@pytest.mark.parametrize("phrase", ["409", "429"])
def test_a_status_finds_the_operations_that_answer_with_it(page: Page, phrase: str) -> None:
    look_for(page, phrase)
    expect(page.get_by_role("status")).to_contain_text("operations that answer with this status")
    addresses = found(page)
    assert "/api/v1/competitions/{slug}/submissions" in addresses
    assert "/healthz" not in addresses


@pytest.mark.parametrize("phrase", ["poll", "wait", "score", "verdict"])
def test_the_search_leads_to_the_operation_that_a_word_of_clients_means(
    page: Page, phrase: str
) -> None:
    look_for(page, phrase)
    page.get_by_role("status").get_by_role("link", name="Live progress of a submission").click()
    operation = page.locator("#operations-submissions-followSubmission.is-open .opblock-summary")
    expect(operation).to_be_in_viewport()
    assert page.url.endswith("#/submissions/followSubmission")


def test_operations_that_need_a_token_alone_have_a_padlock(page: Page) -> None:
    look_for(page, "leaderboard.csv")
    expect(page.locator(".opblock-summary")).to_have_count(1)
    expect(page.get_by_role("button", name="Needs a token")).to_have_count(0)
    look_for(page, "submit a file")
    page.get_by_role("button", name="Needs a token").click()
    expect(page.get_by_role("heading", name="Available authorizations")).to_be_visible()


def test_the_dialog_of_authorize_ends_with_escape(page: Page) -> None:
    page.get_by_role("button", name="Authorize").first.click()
    dialog = page.locator(".reference-top .dialog-ux")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_token_is_kept_for_the_tab_until_logout(windows: Windows, site: Site) -> None:
    page = opened(windows.open(viewport=WIDE))
    token = str(site.person("reader of the API").token)
    page.get_by_role("button", name="Authorize").first.click()
    dialog = page.locator(".reference-top .dialog-ux")
    dialog.get_by_role("textbox").fill(token)
    dialog.get_by_role("button", name="Apply credentials").click()
    opened(page)
    expect(page.get_by_role("status")).to_have_text("Authorized in this tab.")
    assert f'"value":"{token}"' in page.evaluate("sessionStorage.getItem('podium-authorization')")
    assert page.evaluate("localStorage.length") == 0
    page.get_by_role("button", name="Authorize").first.click()
    dialog.get_by_role("button", name="Remove authorization").click()
    assert page.evaluate("sessionStorage.length") == 0
    opened(page)
    expect(page.get_by_role("status")).to_have_text("")


@pytest.mark.parametrize(
    ("phrase", "path"),
    [
        ("queue_position", "/api/v1/submissions/{submission_id}"),
        ("quota-exhausted", "/api/v1/competitions/{slug}/submissions"),
        ("LeaderboardRow", "/api/v1/competitions/{slug}/leaderboard"),
    ],
)
def test_operations_are_found_by_members_documents_and_error_codes(
    page: Page, phrase: str, path: str
) -> None:
    look_for(page, phrase)
    expect(page.get_by_role("status")).to_contain_text("with it in a document, a header or an")
    addresses = found(page)
    assert path in addresses
    assert "/healthz" not in addresses


@pytest.mark.parametrize(
    ("phrase", "title"),
    [
        ("pagination", "Lists and pagination"),
        ("page size", "Lists and pagination"),
        ("cors", "Authenticate"),
        ("refresh", "Ask for what is new"),
        ("rate limit", "Limits"),
        ("error", "Errors"),
        ("retry", "Repeat safely"),
        ("offset", "Upload"),
    ],
)
def test_the_search_leads_to_a_section_of_the_introduction(
    page: Page, phrase: str, title: str
) -> None:
    look_for(page, phrase)
    expect(page.get_by_role("status")).to_have_text(re.compile("^Read first:"))
    page.get_by_role("status").get_by_role("link", name=title, exact=True).click()
    heading = page.locator(".info h2").filter(has_text=title)
    expect(heading).to_be_in_viewport()


def test_the_search_knows_headers_and_codes_that_no_operation_lists(page: Page) -> None:
    look_for(page, "Upload-Offset")
    expect(page.get_by_role("status")).to_contain_text("with it in a document")
    assert "/api/v1/uploads/{upload_id}" in found(page)
    look_for(page, "archive-truncated")
    link = page.get_by_role("status").get_by_role("link", name="archive-truncated")
    expect(link).to_have_attribute("href", "/problems/archive-truncated")


def test_the_contents_of_the_introduction_lead_to_its_sections(page: Page) -> None:
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="Limits").click()
    heading = page.get_by_role("heading", name="Limits")
    expect(heading).to_be_in_viewport()
    assert page.url.endswith("#limits")
    assert top_of(heading) >= end_of_what_stays(page)


def test_the_contents_lead_to_the_operations_of_a_tag(page: Page) -> None:
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="receipts").click()
    expect(page.locator("#operations-tag-receipts")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("phrase", "address"),
    [("GET /api/v1/me", "/api/v1/me"), ("/api/v1/competitions", "/api/v1/competitions")],
)
def test_a_whole_address_finds_it_before_those_that_begin_with_it(
    page: Page, phrase: str, address: str
) -> None:
    look_for(page, phrase)
    expect(page.get_by_role("status")).to_contain_text("1 operation at this address")
    assert found(page) == [address]


def test_on_a_phone_the_introduction_is_folded(windows: Windows) -> None:
    page = opened(windows.open(viewport={"width": 390, "height": 800}))
    title = page.get_by_role("heading", name="Repeat safely")
    expect(title).to_be_hidden()
    page.get_by_text("How to use the API").click()
    expect(title).to_be_visible()


@pytest.mark.parametrize("phrase", ["leaderboard.csv", "getLeaderboardCsv", "leaderboard as csv"])
def test_operations_are_found_by_path_name_and_summary(page: Page, phrase: str) -> None:
    look_for(page, phrase)
    expect(page.get_by_role("status")).to_contain_text("1 operation with it in the path or the")
    assert found(page) == ["/api/v1/competitions/{slug}/leaderboard.csv"]


def test_a_search_without_a_match_says_so_and_can_be_taken_back(page: Page) -> None:
    look_for(page, "xyzzy")
    expect(page.get_by_role("status")).to_contain_text("Nothing matches “xyzzy”.")
    assert found(page) == []
    look_for(page, "")
    expect(page.get_by_role("status")).to_have_text("")
    expect(page.get_by_role("heading", name="Authenticate")).to_be_visible()


def test_authorize_is_seen_from_the_beginning(page: Page) -> None:
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


def test_a_misspelt_word_leads_to_the_nearest_that_is_known(page: Page) -> None:
    look_for(page, "leaderbord csv")
    expect(page.get_by_role("status")).to_contain_text("Nothing matches “leaderbord csv”.")
    page.get_by_role("status").get_by_role("button", name="leaderboard csv").click()
    assert "/api/v1/competitions/{slug}/leaderboard.csv" in found(page)


def test_a_word_is_looked_for_at_the_beginning_of_words_first(page: Page) -> None:
    look_for(page, "tus")
    expect(page.get_by_role("status")).to_contain_text("Read first:")
    expect(page.get_by_role("status")).to_contain_text("tus-version")
    addresses = found(page)
    assert addresses
    assert [each for each in addresses if "/uploads" not in each] == []
    look_for(page, "eaderboar")
    expect(page.get_by_role("status")).to_contain_text("with it in the path or the summary")
