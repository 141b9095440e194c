"""The cards of a roster: what their holders are asked when they come in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders.installation import Installation, Person
from tests.builders.page import HERE, Browser, Page

GOOD = "correct horse battery"
RULES = "Be <b>fair</b>."


def cards_of(installation: Installation, text: str, slug: str | None = "otto") -> dict[str, str]:
    """The addresses of a roster's cards by the names of their people."""
    answer = installation.admin.post("/admin/roster", json={"text": text, "competition": slug})
    assert answer.status_code == 201, answer.text
    return {each["name"]: each["address"] for each in answer.json()["people"]}


def acceptances(installation: Installation) -> list[str]:
    path = "/admin/competitions/otto/rules/acceptances"
    return [each["person"]["name"] for each in installation.admin.get(path).json()["items"]]


@pytest.fixture
def browser(installation: Installation) -> Browser:
    return Browser(installation.client.app)


def sent_file(browser: Browser) -> Any:
    return browser.client.post(
        "/competitions/otto/submit", files={"file": ("a.csv", b"x")}, headers={"Origin": HERE}
    )


def test_a_card_shows_the_rules_and_its_holder_can_submit(
    installation: Installation, browser: Browser
) -> None:
    installation.launched(rules=RULES)
    address = cards_of(installation, "Ada,Engines")["Ada"]
    shown = browser.get(address).text
    assert "Be &lt;b&gt;fair" in shown
    assert Page(shown).fields() == {"password", "accept_rules"}
    done = browser.send(address, password=GOOD, accept_rules="yes")
    assert "and signed in" in done.text
    assert acceptances(installation) == ["Ada"]
    assert sent_file(browser).status_code == 303


def test_a_card_names_the_team_and_does_not_ask_for_one(
    installation: Installation, browser: Browser
) -> None:
    installation.launched()
    address = cards_of(installation, "Ada,Engines")["Ada"]
    shown = browser.get(address).text
    assert "in the team <strong><bdi>Engines</bdi></strong>" in shown
    assert Page(shown).fields() == {"password"}
    assert installation.client.get(f"/api/v1{address}").json()["team"] == "Engines"
    done = browser.send(address, password=GOOD)
    assert "in the team <strong><bdi>Engines</bdi></strong>" in done.text


def test_who_was_put_into_a_team_accepts_the_rules_where_files_are_submitted(
    installation: Installation, browser: Browser
) -> None:
    installation.launched(rules=RULES)
    address = cards_of(installation, "Ada,Engines")["Ada"]
    token = installation.client.post(f"/api/v1{address}", json={}).json()["token"]
    browser.sign_in(token)
    refused = sent_file(browser)
    assert refused.status_code == 403
    assert "POST" not in refused.text.partition("From a terminal")[0]
    page = browser.get("/competitions/otto/submit").text
    assert "Accept the rules</h2>" in page
    assert "Be &lt;b&gt;fair" in page
    assert Page(page).fields() == {"accept_rules"}
    sha256 = Person(installation.client, token).get("/competitions/otto/rules").json()["sha256"]
    accepted = browser.send("/competitions/otto/rules", sha256=sha256, back="submit")
    assert accepted.headers["location"].startswith("/competitions/otto/submit?")
    page = browser.get("/competitions/otto/submit").text
    assert "Accept the rules</h2>" not in page
    assert "file" in Page(page).fields()
    assert sent_file(browser).status_code == 303


def test_organizers_are_not_asked_to_accept_their_own_rules(
    installation: Installation, browser: Browser
) -> None:
    installation.launched(rules=RULES)
    made = installation.admin.post(
        "/competitions/otto/teams", json={"name": "Staff", "accept_rules": False}
    )
    assert made.status_code == 201, made.text
    assert installation.admin.token is not None
    browser.sign_in(installation.admin.token)
    assert "file" in Page(browser.get("/competitions/otto/submit").text).fields()
