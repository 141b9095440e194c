"""A class comes in: a roster on a phone, cards to print, a student with a card, and a team mate who
has an invitation and no account."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FilePayload, ViewportSize, expect

from tests.builders.processes.site import Site
from tests.system.browser.browsing import PHONE, Windows
from tests.system.browser.fair import Fair
from tests.system.browser.looking import WIDE, complaints

pytestmark = pytest.mark.xdist_group("browser")

PASSWORD = "correct horse battery"

SMALL: dict[str, Any] = {"java_script_enabled": False, **PHONE}
"""A phone that runs no scripts."""


def test_a_roster_becomes_cards_without_scripts_on_a_phone(
    windows: Windows, fair: Fair, site: Site, tmp_path: Path
) -> None:
    site.launched("course", title="The course", team_size=2)
    phone = windows.open(fair.administrator.token, **SMALL)
    phone.goto("/organize/course/people")
    phone.get_by_role("link", name="Enter a roster").click()
    people = phone.get_by_role("textbox", name="People")
    people.fill("name,team\nHedy,Engines\nada,Engines\nhedy,Valves")
    phone.get_by_role("button", name="Preview").click()
    expect(phone.get_by_role("alert")).to_contain_text("2 problems")
    problems = phone.get_by_role("region", name="Table: Problems")
    expect(problems).to_contain_text("3 There is an account “ada”.")
    expect(problems).to_contain_text("4 “hedy” stands already on line 2")
    people.fill("name,team\nHedy,Engines\nEmmy,Engines\nMaryam,")
    phone.get_by_role("button", name="Preview").click()
    expect(phone.get_by_text("3 new accounts, 2 new teams")).to_be_visible()
    phone.get_by_role("button", name="Create and show credentials").click()
    cards = phone.get_by_role("listitem").filter(has=phone.get_by_role("heading", level=2))
    expect(cards).to_have_count(3)
    expect(cards.first.get_by_role("img", name="QR code of the link of Hedy")).to_be_visible()
    address = cards.first.locator("code").inner_text()
    phone.emulate_media(media="print")
    expect(phone.get_by_role("navigation", name="Site")).to_be_hidden()
    expect(cards.last).to_be_visible()
    student = windows.open(**SMALL)
    student.goto(address)
    student.get_by_label("Password").fill(PASSWORD)
    student.get_by_role("button", name="Set password").click()
    expect(student.get_by_text("You are Hedy")).to_be_visible()
    student.get_by_role("link", name="Open the competition", exact=True).click()
    expect(student.get_by_text("Engines").first).to_be_visible()


def test_previews_and_cards_have_nothing_that_axe_dislikes(
    windows: Windows, fair: Fair, site: Site
) -> None:
    site.launched("seminar", title="The seminar")
    page = windows.open(fair.administrator.token, viewport=WIDE)
    page.goto("/organize/seminar/people/roster")
    page.get_by_role("textbox", name="People").fill("ada\nRosalind,Helix\nLise,Fission,more")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert complaints(page) == []
    page.get_by_role("textbox", name="People").fill(
        "Rosalind with a name that is rather long,Helix\nLise"
    )
    page.get_by_role("button", name="Preview").click()
    assert complaints(page) == []
    page.get_by_role("button", name="Create and show credentials").click()
    expect(page.get_by_role("heading", name="Credentials")).to_be_visible()
    assert complaints(page) == []


def test_a_team_mate_without_an_account_asks_for_one_and_comes_back(
    windows: Windows, fair: Fair
) -> None:
    page = windows.open(viewport=WIDE)
    invitation = f"/competitions/shop/team?code={fair.objects['invite_code']}"
    page.goto(invitation)
    expect(page.get_by_text("Join the team Team Bob in The shop")).to_be_visible()
    page.get_by_role("link", name="Ask for an account").click()
    page.get_by_label("Name", exact=True).fill("Sofia")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Ask for an account").click()
    expect(page.get_by_text("An organizer has to approve the account Sofia")).to_be_visible()
    state = page.url
    organizer = windows.open(fair.administrator.token, viewport=WIDE)
    organizer.goto("/organizers/accounts")
    organizer.get_by_role("link", name="Requests for an account").click()
    request = organizer.get_by_role("region", name="Sofia")
    request.get_by_role("button", name="Approve").click()
    expect(organizer.get_by_text("The account was created")).to_be_visible()
    page.goto(state)
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill("Sofia")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Join a team")
    page.get_by_label("I accept the rules").first.check()
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_text("You have joined the team.")).to_be_visible()


HALL: ViewportSize = {"width": 1280, "height": 720}


def test_a_link_fills_the_screen_of_a_projector_and_nothing_else_is_there(
    windows: Windows, fair: Fair, site: Site
) -> None:
    site.launched("hall", title="The hall")
    sent = {"competition": "hall", "seats": 60}
    made = fair.administrator.post("/admin/invites", json=sent).json()
    page = windows.open(fair.administrator.token, viewport=HALL)
    page.goto(f"/organizers/links/{made['id']}")
    expect(page.get_by_role("heading", level=1)).to_have_text("The hall")
    code = page.get_by_role("img", name="QR code of the link").bounding_box()
    assert code is not None
    assert round(code["width"]) == round(code["height"]) == 504
    address = page.get_by_text(f"/links/{made['code']}")
    assert float(address.evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)")) > 20
    height = page.evaluate("() => document.documentElement.scrollHeight")
    assert height <= HALL["height"]
    expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
    assert complaints(page) == []


def test_who_was_put_into_a_team_accepts_the_rules_and_then_sees_the_form(
    windows: Windows, fair: Fair, site: Site
) -> None:
    site.launched("ruled", title="The ruled", rules="Be fair.")
    text = {"competition": "ruled", "text": "Barbara,Turtles"}
    card = fair.administrator.post("/admin/roster", json=text).json()["people"][0]["address"]
    page = windows.open(**SMALL)
    page.goto(card)
    expect(page.get_by_text("in the team Turtles")).to_be_visible()
    expect(page.get_by_label("I accept these rules")).to_be_visible()
    used = page.request.post(f"/api/v1/links/{card.rpartition('/')[2]}", data={})
    student = windows.open(used.json()["token"], viewport=WIDE)
    student.goto("/competitions/ruled/submit")
    assert complaints(student) == []
    student.get_by_label("I accept these rules").check()
    student.get_by_role("button", name="Accept and continue").click()
    expect(student.get_by_role("button", name="Submit", exact=True)).to_be_visible()


def test_a_spreadsheet_is_not_pasted_into_a_roster(windows: Windows, fair: Fair) -> None:
    page = windows.open(fair.administrator.token, **PHONE)
    page.goto("/organizers/roster")
    area = page.get_by_label("People", exact=True)
    for name, content, words in (
        ("class.xlsx", b"PK\x03\x04\x14\x00", "The file is a spreadsheet. Export the table"),
        ("class.xls", b"\xd0\xcf\x11\xe0\x00", "The file is not text."),
    ):
        file: FilePayload = {"name": name, "mimeType": "", "buffer": content}
        page.get_by_label("From a file").set_input_files(file)
        expect(page.get_by_role("alert")).to_contain_text(words)
        expect(area).to_have_value("")
    good: FilePayload = {"name": "class.csv", "mimeType": "text/csv", "buffer": b"Ada\n"}
    page.get_by_label("From a file").set_input_files(good)
    expect(area).to_have_value("Ada\n")
    expect(page.get_by_role("alert")).to_have_count(0)
