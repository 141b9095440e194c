"""A team mate who opens an invitation without an account is told what to do, and comes back."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from tests.builders.installation import Installation, problem_of
from tests.builders.page import Browser
from tests.builders.site import Site, served

GOOD = "correct horse battery"
CODE = "spring-term-26"


@pytest.fixture
def by_code(tmp_path: Path, migrated_sqlite_file: Path) -> Iterator[Site]:
    """Those who know the code may register."""
    yield from served(tmp_path, migrated_sqlite_file, signup="code", signup_code=CODE)


def invited_to(installation: Installation, **settings: Any) -> str:
    """The address that a member gives away."""
    installation.launched(**settings)
    ada = installation.person("ada")
    body = {"name": "Team Ada", "members": [ada.id]}
    assert installation.admin.post("/admin/competitions/otto/teams", json=body).status_code == 201
    code = ada.get("/competitions/otto/team").json()["invite_code"]
    return f"/competitions/otto/team?code={code}"


def link_in(text: str, words: str) -> str:
    found = re.search(rf'href="([^"]*)">{words}<', text)
    assert found is not None, words
    return html.unescape(found[1])


def come_in(browser: Browser, address: str) -> None:
    """Joins with the form of the page."""
    page = browser.get(address)
    assert page.status_code == 200, page.text
    code = re.search(r'name="invite_code"[^>]*value="([^"]+)"', page.text) or re.search(
        r'value="([^"]+)"[^>]*name="invite_code"', page.text
    )
    assert code is not None
    sent = browser.send(urlsplit(address).path, act="join", invite_code=code[1], accept_rules="yes")
    assert sent.status_code == 303, sent.text


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_way_leads_over_registration_back_and_into_the_team(
    by_code: Site, visibility: str
) -> None:
    address = invited_to(by_code.installation, visibility=visibility, rules="Play fair.")
    browser = by_code.browser()
    page = browser.get(address)
    assert page.status_code == 200
    assert "Team Ada" in page.text
    form = browser.get(link_in(page.text, "Create an account"))
    target = re.search(r'name="next" value="([^"]+)"', form.text)
    assert target is not None
    assert html.unescape(target[1]) == address
    done = browser.send(
        "/sign-up", name="Bob", password=GOOD, code=CODE, next=html.unescape(target[1])
    )
    assert (done.status_code, done.headers["location"]) == (303, address)
    come_in(browser, address)
    assert "Team Ada" in browser.get("/competitions/otto/team").text


def test_without_registration_the_page_says_whom_to_ask_and_signing_in_leads_back(
    installation: Installation,
) -> None:
    address = invited_to(installation)
    bob = installation.person("bob")
    browser = Site(installation).browser()
    page = browser.get(address).text
    assert "Ask the organizer" in page
    assert "/sign-up" not in page
    back = urlencode({"next": address})
    assert f'href="/sign-in?{back}"' in page
    done = browser.send("/sign-in", token=bob.token, next=address)
    assert done.headers["location"] == address
    come_in(browser, address)


def test_what_is_wrong_with_joining_a_private_competition_is_said_on_the_invitation(
    installation: Installation,
) -> None:
    address = invited_to(installation, visibility="private", rules="Play fair.", team_size=1)
    browser = Site(installation).browser(installation.person("bob"))
    code = address.rpartition("=")[2]
    path = "/competitions/otto/team"
    full = browser.send(path, act="join", invite_code=code, accept_rules="yes")
    assert full.status_code == 409
    assert "already has 1 members" in full.text


def test_a_code_tells_its_holder_the_team_and_others_nothing(installation: Installation) -> None:
    address = invited_to(installation, visibility="private")
    path = "/competitions/otto/teams/invitation"
    asked = {"invite_code": address.rpartition("=")[2]}
    told = installation.anonymous.get(path, params=asked).json()
    assert (told["title"], told["team"]) == ("OTTO", "Team Ada")
    answers = [
        installation.anonymous.get(path, params={"invite_code": "x"}),
        installation.anonymous.get(path.replace("otto", "none"), params=asked),
    ]
    assert len({problem_of(each, 404, "unknown-code")["detail"] for each in answers}) == 1
    browser = Site(installation).browser()
    unknown = browser.get("/competitions/otto/team?code=wrong")
    assert unknown.status_code == 404
    assert "has this invite code" in unknown.text


def test_a_holder_of_an_organizers_link_may_sign_in_first(installation: Installation) -> None:
    installation.launched()
    made = installation.admin.post("/admin/invites", json={"competition": "otto"}).json()
    browser = Site(installation).browser()
    page = browser.get(made["address"]).text
    assert link_in(page, "Sign in first") == f"/sign-in?next={made['address'].replace('/', '%2F')}"


def test_a_member_of_another_team_is_told_which_one_invites(by_code: Site) -> None:
    address = invited_to(by_code.installation)
    grace = by_code.installation.person("grace")
    body = {"name": "Team Grace"}
    assert grace.post("/competitions/otto/teams", json=body).status_code == 201
    browser = by_code.browser(grace)
    text = html.unescape(browser.get(address).text)
    assert "invites you to “<bdi>Team Ada</bdi>”" in text
    own = grace.get("/competitions/otto/team").json()["invite_code"]
    for quiet in ("", f"?code={own}", "?code=unknown"):
        assert "invites you to" not in browser.get(f"/competitions/otto/team{quiet}").text
    code = parse_qs(urlsplit(address).query)["code"][0]
    sent = browser.send("/competitions/otto/team", act="change-over", invite_code=code)
    assert (sent.status_code, grace.get("/competitions/otto/team").json()["name"]) == (
        303,
        "Team Ada",
    )


def test_no_team_is_lost_by_changing_over_to_one_that_takes_no_more(
    installation: Installation,
) -> None:
    """Leaving and joining happen together, or not at all."""
    address = invited_to(installation, team_size=1)
    code = parse_qs(urlsplit(address).query)["code"][0]
    grace, eve = installation.person("grace"), installation.person("eve")
    mine = grace.post("/competitions/otto/teams", json={"name": "Team Grace"}).json()
    join = "/competitions/otto/teams/join"
    change = {"leave": True}
    problem_of(grace.post(join, json={"invite_code": code, **change}), 409, "team-full")
    problem_of(grace.post(join, json={"invite_code": "unknown", **change}), 404, "unknown-code")
    own = {"invite_code": mine["invite_code"], **change}
    problem_of(grace.post(join, json=own), 409, "already-in-team")
    assert grace.get("/competitions/otto/team").json()["id"] == mine["id"]
    # Without a team there is nothing to leave; the full one is refused all the same.
    problem_of(eve.post(join, json={"invite_code": code, **change}), 409, "team-full")
