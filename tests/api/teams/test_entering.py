"""Entering a competition by its code, or with an organizer's approval."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.builders.installation import Installation, Person, problem_of
from tests.builders.organizer import Organizer
from tests.builders.site import Site

CODE = "spring 26"


def enter(person: Person, **body: Any) -> Any:
    return person.post("/competitions/otto/teams", json={"name": "Engines", **body})


def ask(person: Person, **body: Any) -> Any:
    return person.post("/competitions/otto/join-request", json=body)


def waiting(installation: Installation) -> list[Any]:
    path = "/admin/competitions/otto/join-requests?state=pending"
    return list(installation.admin.get(path).json()["items"])


def test_a_competition_is_entered_with_its_code_which_no_participant_is_told(
    installation: Installation,
) -> None:
    installation.launched(registration="code", registration_code=CODE)
    ada = installation.person("ada")
    for body in ({}, {"code": "wrong"}, {"code": CODE.upper()}):
        problem_of(enter(ada, **body), 403, "wrong-code")
    assert CODE not in ada.get("/competitions/otto").text
    assert enter(ada, code=f" {CODE} ").status_code == 201
    bob = installation.person("bob")
    code = ada.get("/competitions/otto/team").json()["invite_code"]
    joined = bob.post("/competitions/otto/teams/join", json={"invite_code": code})
    assert joined.status_code == 200


def test_wrong_codes_are_counted_and_other_mistakes_are_not(installation: Installation) -> None:
    installation.launched(registration="code", registration_code=CODE)
    ada, bob = installation.person("ada"), installation.person("bob")
    for _ in range(25):
        problem_of(enter(bob, code=CODE, name="\u202e"), 422, "bad-name")
    answers = [enter(ada, code=f"wrong {n}") for n in range(21)]
    assert [answer.status_code for answer in answers] == [403] * 20 + [429]
    problem_of(enter(ada, code=CODE), 429, "too-many-attempts")
    assert enter(bob, code=CODE).status_code == 201


def test_registration_by_code_needs_one_that_is_long_enough(installation: Installation) -> None:
    for body in ({}, {"registration_code": "short"}):
        wanted = {"slug": "otto", "title": "Otto", "registration": "code", **body}
        problem_of(installation.admin.post("/admin/competitions", json=wanted), 422, "invalid")


def test_a_participant_enters_once_an_organizer_has_approved(installation: Installation) -> None:
    installation.launched(registration="approval")
    ada, bob = installation.person("ada"), installation.person("bob")
    problem_of(enter(ada), 403, "approval-needed")
    problem_of(ada.get("/competitions/otto/join-request"), 404, "not-found")
    first = ask(ada, note="Course of spring").json()
    assert (first["state"], first["note"]) == ("pending", "Course of spring")
    assert ask(ada).json() == first
    problem_of(enter(ada), 403, "approval-needed")
    (request,) = waiting(installation)
    assert request["person"]["name"] == "ada"
    path = f"/admin/join-requests/{request['id']}"
    declined = installation.admin.post(f"{path}/decline", json={"reason": "Who are you?"})
    assert declined.json()["state"] == "declined"
    assert ada.get("/competitions/otto/join-request").json()["reason"] == "Who are you?"
    problem_of(enter(ada), 403, "approval-needed")
    assert installation.admin.post(f"{path}/approve").json()["state"] == "approved"
    team = enter(ada)
    assert team.status_code == 201
    problem_of(installation.admin.post(f"{path}/decline"), 409, "already-in-team")
    invited = {"invite_code": team.json()["invite_code"]}
    refused = bob.post("/competitions/otto/teams/join", json=invited)
    problem_of(refused, 403, "approval-needed")
    ask(bob)
    (request,) = waiting(installation)
    installation.admin.post(f"/admin/join-requests/{request['id']}/approve")
    assert bob.post("/competitions/otto/teams/join", json=invited).status_code == 200


def test_twenty_requests_at_once_are_one(installation_on_both: Installation) -> None:
    installation_on_both.launched(registration="approval")
    ada = installation_on_both.person("ada")
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ask(ada), range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_a_request_that_waits_can_be_withdrawn_and_ends_with_the_account(
    installation: Installation,
) -> None:
    installation.launched(registration="approval")
    ada, bob = installation.person("ada"), installation.person("bob")
    ask(ada)
    ask(bob)
    assert ada.delete("/competitions/otto/join-request").status_code == 204
    problem_of(ada.delete("/competitions/otto/join-request"), 404, "not-found")
    assert [each["person"]["name"] for each in waiting(installation)] == ["bob"]
    assert bob.delete("/me", json={"confirm": "bob"}).status_code == 204
    assert waiting(installation) == []


def test_a_link_and_an_organizers_team_need_no_approval(installation: Installation) -> None:
    installation.launched(registration="approval")
    ada, bob = installation.person("ada"), installation.person("bob")
    code = installation.admin.post("/admin/invites", json={"competition": "otto"}).json()["code"]
    assert ada.post(f"/links/{code}", json={}).status_code == 200
    wanted = {"name": "Made", "members": [bob.id]}
    assert installation.admin.post("/admin/competitions/otto/teams", json=wanted).status_code == 201


def test_a_request_is_refused_where_no_approval_is_needed(installation: Installation) -> None:
    installation.launched()
    problem_of(ask(installation.person("ada")), 409, "wrong-state")


def test_pages_lead_from_the_request_to_the_team(olga: Organizer, site: Site) -> None:
    slug = olga.launched(registration="approval")
    ada = site.installation.person(f"ada of {slug}")
    browser = site.browser(ada)
    address = f"/competitions/{slug}/team"
    assert "Ask to join" in browser.get(f"/competitions/{slug}").text
    assert "approve each participant" in browser.get(address).text
    sent = browser.send(address, act="ask-to-join", note="Course of spring")
    assert sent.status_code == 303, sent.text
    assert "pending" in browser.get(address).text
    people = olga.browser.get(f"/organize/{slug}/people").text
    assert "Course of spring" in people
    (request,) = olga.person.get(f"/admin/competitions/{slug}/join-requests").json()["items"]
    base = f"/organize/{slug}/people/requests/{request['id']}"
    assert olga.browser.send(f"{base}/decline", reason="Who?").status_code == 303
    assert "declined your request: Who?" in browser.get(address).text
    assert olga.browser.send(f"{base}/approve").status_code == 303
    assert browser.send(address, act="create", name="Engines").status_code == 303
    assert olga.browser.send(f"{base}/nothing").status_code == 404


def test_the_page_asks_for_the_code_of_the_competition(olga: Organizer, site: Site) -> None:
    slug = olga.launched(registration="code", registration_code=CODE)
    browser = site.browser(site.installation.person(f"ada of {slug}"))
    address = f"/competitions/{slug}/team"
    assert 'name="code"' in browser.get(address).text
    wrong = browser.send(address, act="create", name="Engines", code="wrong")
    assert wrong.status_code == 403
    assert "Ask an organizer" in wrong.text
    assert browser.send(address, act="create", name="Engines", code=CODE).status_code == 303
