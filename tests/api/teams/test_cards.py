"""The cards of a roster: what their holders are asked when they come in."""

from __future__ import annotations

import re
from typing import Any

import pytest

from podium.core.models import AccessLink
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import HERE, Browser, Page
from tests.builders.rows import START

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


def row_of(page: str, text: str) -> list[str]:
    return next(row for row in Page(page).rows if text in " ".join(row[:2]))


def link_of(person: Person, name: str) -> Any:
    """The newest link for the credentials of this person."""
    items = person.get("/admin/invites").json()["items"]
    return next(each for each in items if each["person"] and each["person"]["name"] == name)


def test_links_of_a_roster_say_whose_they_are_and_if_they_were_used(
    installation: Installation, browser: Browser
) -> None:
    installation.launched()
    address = cards_of(installation, "Ada,Engines\nBo,Engines")["Ada"]
    browser.send(address, password=GOOD)
    page = browser_of_admin(installation).get("/organize/otto/people").text
    assert "1 of 2 people have signed in" in page
    assert row_of(page, "Ada")[1].startswith("active")
    assert row_of(page, "Bo")[1].startswith("never signed in")
    links = browser_of_admin(installation).get("/organizers/links").text
    assert "used" in row_of(links, "Ada")[4]
    assert "open" in row_of(links, "Bo")[4]
    assert "New card" in row_of(links, "Bo")[5]


def test_those_who_never_signed_in_get_new_cards_on_one_page(
    installation: Installation, browser: Browser
) -> None:
    installation.launched()
    lost = cards_of(installation, "Ada,Engines\nBo,Engines\nCleo,Engines")
    browser.send(lost["Ada"], password=GOOD)
    organizer = browser_of_admin(installation)
    revoked = link_of(installation.admin, "Bo")["id"]
    organizer.send(f"/organizers/links/{revoked}/revoke")
    people = "/organize/otto/people"
    boxes = [attrs for tag, attrs in Page(organizer.get(people).text).tags if tag == "input"]
    boxes = [attrs for attrs in boxes if attrs.get("name") == "link"]
    assert [("checked" in attrs, attrs["value"] == revoked) for attrs in boxes] == [
        (True, True),
        (False, False),
    ]
    unticked = organizer.send(f"{people}/cards")
    assert unticked.status_code == 422
    assert "Tick the people who need a new card." in unticked.text
    made = organizer.send(f"{people}/cards", link=[str(attrs["value"]) for attrs in boxes])
    assert made.status_code == 200, made.text
    assert made.headers["cache-control"] == "no-store"
    assert "The former cards of 2 people no longer work" in made.text
    found = re.findall(r"data-copy>http://testserver(/links/[\w-]{43})", made.text)
    assert len(found) == 2
    assert not {*found} & {*lost.values()}
    assert browser.get(lost["Cleo"]).status_code == 404
    assert all("Engines" in browser.get(address).text for address in found)
    # Still one roster with three people.
    assert "1 of 3 people have signed in" in organizer.get(people).text
    refused = organizer.send(f"{people}/cards", link=["unknown"])
    assert "You made no link with this id." in refused.text


def test_of_two_cards_of_one_second_the_newer_counts(installation: Installation) -> None:
    installation.launched()
    cards_of(installation, "Ada,Engines")
    organizer = browser_of_admin(installation)
    lost = link_of(installation.admin, "Ada")["id"]
    organizer.send(f"/organizers/links/{lost}/revoke")
    assert organizer.send("/organize/otto/people/cards", link=[lost]).status_code == 200
    with installation.application.database.write() as session:
        session.query(AccessLink).update({"created_at": START})
    text = organizer.get("/organize/otto/people").text
    boxes = [attrs for _, attrs in Page(text).tags if attrs.get("name") == "link"]
    newest = link_of(installation.admin, "Ada")["id"]
    assert [(box["value"], "checked" in box) for box in boxes] == [(newest, False)]


def browser_of_admin(installation: Installation, person: Person | None = None) -> Browser:
    browser = Browser(installation.client.app)
    token = (person or installation.admin).token
    assert token is not None
    browser.sign_in(token)
    return browser


def test_a_lost_card_is_replaced_from_its_row(installation: Installation, browser: Browser) -> None:
    installation.launched()
    lost = cards_of(installation, "Ada,Engines")["Ada"]
    link = link_of(installation.admin, "Ada")
    organizer = browser_of_admin(installation)
    made = organizer.send(f"/organizers/links/{link['id']}/card")
    assert made.status_code == 200, made.text
    assert made.headers["cache-control"] == "no-store"
    assert "Then sign in as <strong><bdi>Ada</bdi></strong>" in made.text
    assert '<svg viewBox="0 0' in made.text
    found = re.search(r"http://testserver(/links/[\w-]{43})", made.text)
    assert found is not None
    assert found[1] != lost
    assert browser.get(lost).status_code == 404
    assert "in the team <strong><bdi>Engines" in browser.get(found[1]).text
    # A second time from the first card's row: only the newest card works.
    again = organizer.send(f"/organizers/links/{link['id']}/card")
    newest = re.search(r"http://testserver(/links/[\w-]{43})", again.text)
    assert newest is not None
    assert browser.get(found[1]).status_code == 404
    assert "and signed in" in browser.send(newest[1], password=GOOD).text


def test_who_has_signed_in_gets_new_credentials_from_the_administrator_only(
    installation: Installation, browser: Browser
) -> None:
    grace = installation.person("grace", organizer=True)
    sent = {"text": "Ada"}
    address = grace.post("/admin/roster", json=sent).json()["people"][0]["address"]
    link = link_of(grace, "Ada")
    browser.send(address, password=GOOD)
    path = f"/admin/invites/{link['id']}/replacement"
    problem = problem_of(grace.post(path), 409, "link-used")
    assert "“Ada” has signed in already" in problem["detail"]
    refused = browser_of_admin(installation, grace).send(f"/organizers/links/{link['id']}/card")
    assert refused.status_code == 409
    assert "has signed in already" in refused.text
    made = installation.admin.post(path).json()
    assert (made["kind"], made["person"]["name"]) == ("reset", "Ada")
    done = installation.client.post(f"/api/v1{made['address']}", json={})
    assert done.json()["account"]["name"] == "Ada"


def test_only_links_of_a_roster_are_replaced_and_not_for_disabled_accounts(
    installation: Installation,
) -> None:
    invite = installation.admin.post("/admin/invites", json={}).json()
    path = "/admin/invites/{}/replacement"
    problem_of(installation.admin.post(path.format(invite["id"])), 409, "wrong-state")
    cards_of(installation, "Ada", slug=None)
    link = link_of(installation.admin, "Ada")
    ada = f"/admin/users/{link['person']['id']}"
    assert installation.admin.patch(ada, json={"disabled": True}).status_code == 200
    problem_of(installation.admin.post(path.format(link["id"])), 409, "account-disabled")


def test_a_link_of_seats_says_how_many_are_left(installation: Installation) -> None:
    installation.launched()
    made = installation.admin.post("/admin/invites", json={"competition": "otto", "seats": 60})
    page = browser_of_admin(installation).get("/organize/otto/people").text
    assert "60 seats left" in row_of(page, "Participant")[3]
    address = f"/api/v1/links/{made.json()['code']}"
    assert installation.client.post(address, json={"name": "Ada"}).status_code == 200
    page = browser_of_admin(installation).get("/organize/otto/people").text
    assert "1 of 60 taken" in row_of(page, "Participant")[3]


def test_new_cards_of_a_roster_name_the_teams_and_come_as_csv(
    installation: Installation,
) -> None:
    installation.launched()
    cards_of(installation, "Ada,Engines\nBob,Team B")
    links = installation.admin.get("/admin/invites").json()["items"]
    organizer, ids = browser_of_admin(installation), [each["id"] for each in links]
    page = organizer.send("/organize/otto/people/cards", link=ids).text
    cards = re.findall(r"<li class=\"slip\">\s*<h2><bdi>(.*?)</bdi></h2>\s*<p>(.*?)</p>", page)
    assert sorted(cards) == [("Ada", "Team <bdi>Engines</bdi>"), ("Bob", "<bdi>Team B</bdi>")]
    assert re.search(r"^name,team,link$", page, re.MULTILINE)
    assert re.search(r"^Ada,Engines,http.*/links/[\w-]{43}$", page, re.MULTILINE)
    assert 'data-download="otto-links.csv"' in page
