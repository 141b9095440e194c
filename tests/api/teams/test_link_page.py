"""The page of a one-time link, used as a browser without JavaScript does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from podium import DOCUMENTATION
from tests.builders.installation import TRUTH, Installation, Person
from tests.builders.page import Page

GOOD = "correct horse battery"


def link(installation: Installation, **body: Any) -> str:
    answer = installation.admin.post("/admin/invites", json=body)
    return str(answer.json()["address"])


def fields(html: str) -> set[str | None]:
    return Page(html).fields()


def token_of(html: str) -> str:
    found = re.search(r">([\w-]{43})</code>", html)
    assert found is not None
    return found[1]


def test_an_invitation_is_a_form_that_gives_a_token(installation: Installation) -> None:
    path = link(installation)
    shown = installation.client.get(path)
    assert (shown.status_code, fields(shown.text)) == (200, {"name", "password"})
    done = installation.client.post(path, data={"name": "Ada", "password": GOOD})
    assert done.status_code == 200
    me = Person(installation.client, token_of(done.text)).get("/me").json()
    assert me["name"] == "Ada"
    installation.client.cookies.clear()
    again = installation.client.post(path, data={"name": "Eve"})
    assert again.status_code == 404
    assert "was used" in again.text
    assert installation.client.get(path).status_code == 404


def test_an_empty_password_means_none(installation: Installation) -> None:
    path = link(installation)
    done = installation.client.post(path, data={"name": "Ada", "password": ""})
    assert done.status_code == 200
    body = {"name": "Ada", "password": ""}
    assert installation.anonymous.post("/sign-in", json=body).status_code == 401


def test_what_is_wrong_is_said_in_the_form_which_keeps_the_name(
    installation: Installation,
) -> None:
    path = link(installation)
    name = '"><script>alert(1)</script>'
    answer = installation.client.post(path, data={"name": name, "password": "short"})
    assert answer.status_code == 422
    assert "10 to 256 characters" in answer.text
    assert "<script>" not in answer.text
    assert "short" not in answer.text
    value = next(a["value"] for t, a in Page(answer.text).tags if a.get("name") == "name")
    assert value == name
    assert installation.client.post(path, data={"name": "Ada"}).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"name=Ada&name=Eve" + b"&x=1" * 1000, 400),
        (b"name", 400),
        (b"name=%ff", 400),
        (b"\xff\xfe", 400),
        (b"", 422),
        (b"name=%00", 422),
    ],
)
def test_a_form_that_no_browser_sends_is_refused(
    installation: Installation, body: bytes, status: int
) -> None:
    path = link(installation)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert installation.client.post(path, content=body, headers=headers).status_code == status
    assert installation.client.get(path).status_code == 200


def test_a_participants_form_asks_for_team_and_rules(installation: Installation) -> None:
    installation.draft(rules="<b>Be fair.</b>", split={"public_fraction": 0.5})
    installation.upload_truth(truth=TRUTH)
    installation.admin.post("/admin/competitions/otto/launch")
    path = link(installation, competition="otto")
    shown = installation.client.get(path).text
    assert fields(shown) == {"name", "password", "team", "accept_rules"}
    assert "&lt;b&gt;Be fair." in shown
    refused = installation.client.post(path, data={"name": "Ada", "team": "Engine"})
    assert refused.status_code == 403
    sent = {"name": "Ada", "team": "Engine", "accept_rules": "yes", "password": ""}
    done = installation.client.post(path, data=sent)
    assert done.status_code == 200
    team = Person(installation.client, token_of(done.text)).get("/competitions/otto/team").json()
    assert team["name"] == "Engine"


def test_a_team_name_that_is_taken_is_told_at_its_own_field(installation: Installation) -> None:
    installation.launched()
    first, second = (link(installation, competition="otto") for _ in range(2))
    sent = {"team": "Engine", "password": ""}
    assert installation.client.post(first, data={**sent, "name": "Ada"}).status_code == 200
    installation.client.cookies.clear()
    refused = installation.client.post(second, data={**sent, "name": "Grace"})
    assert refused.status_code == 409
    told = r'id="([\w-]+)-problem"[^>]*>Another team has this name'
    assert re.findall(told, refused.text) == ["f-team"]


def test_a_reset_needs_no_name(installation: Installation) -> None:
    ada = installation.person("ada")
    made = installation.admin.post(f"/admin/users/{ada.id}/reset-link").json()
    shown = installation.client.get(made["address"]).text
    assert fields(shown) == {"password"}
    assert "ada" in shown
    done = installation.client.post(made["address"], data={"password": ""})
    assert Person(installation.client, token_of(done.text)).get("/me").json()["name"] == "ada"
    assert ada.get("/me").status_code == 401


def test_the_page_tells_no_other_site_its_address_and_asks_none(installation: Installation) -> None:
    path = link(installation)
    for answer in (
        installation.client.get(path),
        installation.client.post(path, data={"name": ""}),
        installation.client.get("/links/unknown"),
    ):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "strict-origin"
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        page = Page(answer.text)
        elsewhere = [a for a in page.addresses() if not a.startswith(("/", "#", "?"))]
        assert elsewhere == [DOCUMENTATION]
        (to_guides,) = [attrs for _, attrs in page.tags if attrs.get("href") == DOCUMENTATION]
        assert to_guides["rel"] == "noreferrer"
        labels = {attrs.get("for") for tag, attrs in page.tags if tag == "label"}
        assert {attrs["id"] for tag, attrs in page.tags if tag == "input"} == labels
