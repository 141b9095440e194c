"""Operations that are tried on the page of the API in a real browser."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.system.browser.browsing import Windows
from tests.system.browser.looking import WIDE

pytestmark = pytest.mark.xdist_group("browser-acts")

FILE = FilePayload(name="a.csv", mimeType="text/csv", buffer=b"session_type,labels\n")


@pytest.fixture
def page(windows: Windows) -> Page:
    """The page at the operation with which a file is submitted, to be tried."""
    page = windows.open(viewport=WIDE)
    page.goto("/docs#/submissions/submit")
    page.locator(".opblock.is-open .try-out__btn").click()
    operation(page).locator("tr[data-param-name=slug] input").fill("otto")
    return page


def operation(page: Page) -> Locator:
    return page.locator(".opblock.is-open")


def choose(page: Page, kind: str) -> None:
    operation(page).get_by_label("Request content type").select_option(kind)


@pytest.mark.parametrize("kind", ["application/octet-stream", "multipart/form-data"])
def test_a_file_that_was_not_chosen_is_asked_for(page: Page, kind: str) -> None:
    choose(page, kind)
    missing = operation(page).get_by_role("alert")
    expect(missing).to_have_count(0)
    operation(page).get_by_role("button", name="Execute").click()
    expect(missing).to_have_text("Choose a file first: nothing was sent.")
    operation(page).locator("input[type=file]").set_input_files(FILE)
    expect(missing).to_have_count(0)


@pytest.mark.parametrize("kind", ["application/octet-stream", "multipart/form-data"])
def test_json_is_proposed_as_it_is_sent_whatever_was_chosen_before(page: Page, kind: str) -> None:
    choose(page, kind)
    operation(page).locator("input[type=file]").set_input_files(FILE)
    choose(page, "application/json")
    editor = operation(page).locator("textarea.body-param__text")
    proposed = json.loads(editor.input_value())
    assert (sorted(proposed), proposed["filename"]) == (
        ["filename", "note", "upload_id"],
        "submission.csv",
    )
    editor.fill('{"upload_id": "x"}')
    choose(page, kind)
    expect(operation(page).locator("input[type=file]")).to_be_visible()


def test_a_note_is_not_written_for_the_sender(page: Page) -> None:
    note = operation(page).locator("tr[data-param-name=note] input")
    expect(note).to_have_value("")
    choose(page, "multipart/form-data")
    expect(operation(page).locator("tr[data-property-name=note] input").first).to_have_value("")
