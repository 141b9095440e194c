"""Behavior of people that programs forget: they use the keyboard, look on, sign out, go back, leave
before they have saved, and hold a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, FileChooser, FilePayload, Locator, Page, expect

from tests.builders.installation import ADMIN_TOKEN
from tests.builders.processes.site import Site
from tests.builders.season import file_with, until
from tests.system.browser.browsing import PHONE, Windows
from tests.system.browser.fair import Fair

pytestmark = pytest.mark.xdist_group("browser")

PASSWORD = "correct horse battery"


TABLE = """\
| Name of the column | Meaning of the column | Where it comes from |
|-|-|-|
| session | A number | The log |
"""

FORMS = {
    "texts": ("Description", "Save"),
    "settings": ("Pitch", "Save settings"),
    "announcements": ("Title", "Publish"),
}
"""The long forms by their section: a field, and the button that sends it."""


def questions(page: Page) -> list[str]:
    """The kinds of dialogs that open from now on; each is answered with yes."""
    heard: list[str] = []

    def answer(dialog: Dialog) -> None:
        heard.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    return heard


def typed(page: Page, label: str, words: str) -> None:
    """Types into a field, as its user."""
    field = page.get_by_label(label).first
    field.click()
    field.fill(words)


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


def test_a_table_of_a_text_keeps_its_header_and_scrolls_in_its_box(
    site: Site, windows: Windows
) -> None:
    site.draft("tables")
    page = windows.open(ADMIN_TOKEN, **PHONE)
    page.goto("/organize/tables/texts")
    typed(page, "Description", TABLE)
    page.get_by_role("button", name="Save").click()
    for address in ("/organize/tables/texts", "/competitions/tables"):
        page.goto(address)
        box = page.locator(".text .scroll")
        expect(box.get_by_role("columnheader", name="Name of the column")).to_be_visible()
        assert box.evaluate("(each) => each.scrollWidth > each.clientWidth")
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("section", FORMS)
def test_a_form_with_changes_is_not_left_without_a_question_unless_it_is_sent(
    site: Site, windows: Windows, section: str
) -> None:
    slug = f"left-{section}"
    site.draft(slug)
    label, button = FORMS[section]
    page = windows.open(ADMIN_TOKEN, **PHONE)
    heard = questions(page)
    page.goto(f"/organize/{slug}/{section}")
    page.get_by_label(label).first.click()
    page.goto(f"/organize/{slug}/{section}")
    assert heard == []
    typed(page, label, "Words that took long.")
    page.goto(f"/organize/{slug}")
    assert heard == ["beforeunload"]
    page.goto(f"/organize/{slug}/{section}")
    page.get_by_role("button", name="Discard it").first.click()
    typed(page, label, "Words that took long.")
    if section == "announcements":
        typed(page, "Text", "And more of them.")
    page.get_by_role("button", name=button, exact=True).click()
    expect(page).to_have_url(re.compile(r"\?done="))
    page.goto(f"/organize/{slug}/{section}")
    expect(page.get_by_role("button", name="Restore it")).to_have_count(0)
    assert heard == ["beforeunload"]


def test_a_text_that_was_left_can_be_restored_in_the_same_tab(site: Site, windows: Windows) -> None:
    site.draft("kept")
    page = windows.open(ADMIN_TOKEN, **PHONE)
    questions(page)
    page.goto("/organize/kept/texts")
    typed(page, "Rules", "Be fair.")
    page.goto("/organize/kept")
    page.goto("/organize/kept/texts")
    rules = page.get_by_label("Rules").first
    expect(rules).to_have_value("")
    page.get_by_role("button", name="Restore it").click()
    expect(rules).to_have_value("Be fair.")
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile(r"\?done="))


def test_a_restored_text_does_not_replace_what_others_have_written_since(
    site: Site, windows: Windows
) -> None:
    site.draft("shared-words")
    page = windows.open(ADMIN_TOKEN, **PHONE)
    questions(page)
    page.goto("/organize/shared-words/texts")
    typed(page, "Rules", "Be fair.")
    page.goto("/organize/shared-words")
    theirs = {"rules": "Be kind."}
    assert site.admin.patch("/admin/competitions/shared-words", json=theirs).status_code == 200
    page.goto("/organize/shared-words/texts")
    page.get_by_role("button", name="Restore it").click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert site.admin.get("/competitions/shared-words").json()["rules"] == "Be kind."


def test_a_refused_form_is_not_left_without_a_question_either(site: Site, windows: Windows) -> None:
    site.draft("refused-words")
    page = windows.open(ADMIN_TOKEN, **PHONE)
    heard = questions(page)
    page.goto("/organize/refused-words/settings")
    typed(page, "Settings to apply", "no: such setting")
    page.get_by_role("button", name="Apply the file").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert heard == []
    page.get_by_label("Settings to apply").click()
    page.goto("/organize/refused-words")
    assert heard == ["beforeunload"]


def test_links_that_are_shown_once_are_downloaded_and_going_back_opens_a_page(
    site: Site, windows: Windows
) -> None:
    site.draft("class")
    page = windows.open(ADMIN_TOKEN, **PHONE)
    heard = questions(page)
    page.goto("/organize/class/people/roster")
    page.get_by_label("People", exact=True).fill("name,team\nGrace of the class,Engines\n")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Create and show credentials").click()
    expect(page.get_by_text("This page cannot be opened again")).to_be_visible()
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download the links").click()
    assert downloaded.value.suggested_filename == "class-links.csv"
    lines = downloaded.value.path().read_text().splitlines()
    assert lines[0] == "name,team,link"
    assert lines[1].startswith("Grace of the class,Engines,http")
    page.goto("/organize/class")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("People and links")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Roster")
    assert heard == []


REFUSED_CLIPBOARD = "() => { navigator.clipboard.writeText = () => Promise.reject(); }"


def test_cards_that_were_not_copied_shared_or_printed_are_not_left_without_a_question(
    site: Site, windows: Windows
) -> None:
    page = windows.open(ADMIN_TOKEN, **PHONE)
    page.context.grant_permissions(["clipboard-write"])
    page.add_init_script("navigator.share = async (given) => { window.shared = given.url; };")
    heard = questions(page)

    def enter(names: str) -> None:
        page.goto("/organizers/roster")
        page.get_by_label("People", exact=True).fill(names)
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("button", name="Create and show credentials").click()

    enter("Ada of the cards\nBea of the cards")
    page.get_by_role("button", name="Copy: Link of Ada of the cards").click()
    page.goto("/organizers/links")
    assert heard == ["beforeunload"]
    heard.clear()
    enter("Eve of the cards")
    page.evaluate(REFUSED_CLIPBOARD)
    page.get_by_role("button", name="Copy: Link of Eve of the cards").click()
    expect(page.get_by_text("Selected", exact=True)).to_be_visible()
    page.goto("/organizers/links")
    assert heard == ["beforeunload"]
    heard.clear()
    enter("Flo of the cards")
    page.evaluate(REFUSED_CLIPBOARD)
    page.get_by_role("button", name="Copy: Link of Flo of the cards").click()
    page.keyboard.press("Control+c")
    page.goto("/organizers/links")
    assert heard == []
    enter("Cleo of the cards\nDora of the cards")
    page.get_by_role("button", name="Copy: Link of Cleo of the cards").click()
    page.get_by_role("button", name="Share: Link of Dora of the cards").click()
    shown = page.get_by_label("Link of Dora of the cards", exact=True)
    assert page.evaluate("window.shared") == shown.inner_text()
    page.goto("/organizers/links")
    assert heard == []


def choose(page: Page, header: str) -> None:
    """Chooses a ground truth in the first step of a new competition."""
    rows = "".join(f"u{n},B{n}\n" for n in range(60))
    content = f"{header}\n{rows}".encode()
    file: FilePayload = {"name": "t.csv", "mimeType": "text/csv", "buffer": content}
    page.locator("#file").set_input_files(file)
    page.get_by_role("button", name="Continue").first.click()


def test_another_file_takes_the_title_along_and_not_the_columns(
    site: Site, windows: Windows
) -> None:
    page = windows.open(ADMIN_TOKEN, **PHONE)
    heard = questions(page)
    page.goto("/organizers/new")
    choose(page, "user,movies")
    page.get_by_label("Title", exact=True).fill("Movies")
    page.get_by_label("K: how many items").fill("7")
    page.get_by_role("button", name="Choose another file").click()
    choose(page, "customer,films")
    expect(page.get_by_label("Title", exact=True)).to_have_value("Movies")
    expect(page.get_by_label("K: how many items")).to_have_value("7")
    assert page.locator("[name=id_column]").input_value() == "customer"
    assert heard == []


def test_what_was_guessed_from_another_file_is_not_restored(site: Site, windows: Windows) -> None:
    page = windows.open(ADMIN_TOKEN, **PHONE)
    questions(page)
    page.goto("/organizers/new")
    choose(page, "student,movie")
    page.get_by_label("Title", exact=True).fill("Movies")
    page.goto("/organizers/new")
    choose(page, "user,item")
    page.get_by_role("button", name="Restore it").click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("Movies")
    assert page.locator("[name=id_column]").input_value() == "user"
    page.locator("details.folded > summary").last.click()
    page.get_by_label("Id column").fill("person")
    page.reload()
    page.get_by_role("button", name="Restore it").click()
    assert page.locator("[name=id_column]").input_value() == "person"
