"""Rules: no user competes who has not accepted the text that holds now."""

from __future__ import annotations

import hashlib

import pytest

from tests.builders.installation import Installation, Person, problem_of

RULES = "No private sharing.\nOne account each."
RULES_SHA256 = hashlib.sha256(RULES.encode()).hexdigest()
NEW = "Sharing is fine."
TEAMS = "/competitions/otto/teams"
SUBMISSIONS = "/competitions/otto/submissions?filename=s.csv"


def change_rules(installation: Installation, text: str) -> None:
    answer = installation.admin.patch("/admin/competitions/otto", json={"rules": text})
    assert answer.status_code == 200, answer.text


def test_without_rules_no_participant_is_asked(installation: Installation) -> None:
    installation.launched()
    ada = installation.person("ada")
    problem_of(ada.get("/competitions/otto/rules"), 404, "no-rules")
    problem_of(ada.post("/competitions/otto/rules/acceptance"), 404, "no-rules")
    assert ada.post(TEAMS, json={"name": "Ada"}).status_code == 201
    assert ada.post(SUBMISSIONS, content=b"x").status_code == 202


def test_entering_needs_the_acceptance_and_says_where(installation_on_both: Installation) -> None:
    installation_on_both.launched(rules=RULES)
    ada = installation_on_both.person("ada")
    problem = problem_of(ada.post(TEAMS, json={"name": "Ada"}), 403, "rules-not-accepted")
    assert problem["address"] == "/api/v1/competitions/otto/rules/acceptance"
    assert problem["rules_sha256"] == RULES_SHA256
    read = installation_on_both.anonymous.get("/competitions/otto/rules").json()
    assert read == {"text": RULES, "sha256": RULES_SHA256, "accepted_at": None}
    accepted = ada.post("/competitions/otto/rules/acceptance", json={"sha256": RULES_SHA256})
    assert accepted.json()["accepted_at"] is not None
    assert ada.post(TEAMS, json={"name": "Ada"}).status_code == 201
    again = ada.post("/competitions/otto/rules/acceptance").json()
    assert again["accepted_at"] == accepted.json()["accepted_at"]
    listed = installation_on_both.admin.get(
        "/admin/competitions/otto/rules/acceptances?limit=1"
    ).json()
    assert [(row["person"]["name"], row["sha256"]) for row in listed["items"]] == [
        ("ada", RULES_SHA256)
    ]
    assert listed["next_cursor"] is None


def test_a_changed_text_has_to_be_accepted_before_the_next_file(
    installation: Installation,
) -> None:
    installation.launched(rules=RULES)
    ada = installation.person("ada")
    entered = ada.post(TEAMS, json={"name": "Ada", "accept_rules": True})
    assert entered.status_code == 201
    assert ada.post(SUBMISSIONS, content=b"x").status_code == 202
    change_rules(installation, NEW)
    problem = problem_of(ada.post(SUBMISSIONS, content=b"x"), 403, "rules-not-accepted")
    assert problem["rules"] == NEW
    old = ada.post("/competitions/otto/rules/acceptance", json={"sha256": RULES_SHA256})
    problem_of(old, 409, "rules-changed")
    assert ada.post("/competitions/otto/rules/acceptance").status_code == 200
    assert ada.post(SUBMISSIONS, content=b"x").status_code == 202
    change_rules(installation, RULES)
    assert ada.post(SUBMISSIONS, content=b"x").status_code == 202


def test_a_refused_file_uses_no_slot(installation: Installation) -> None:
    installation.launched(rules="")
    ada = installation.person("ada")
    ada.post(TEAMS, json={"name": "Ada"})
    change_rules(installation, RULES)
    problem_of(ada.post(SUBMISSIONS, content=b"x"), 403, "rules-not-accepted")
    assert ada.get("/competitions/otto/team").json()["submissions_left_today"] == 5


def test_who_joins_a_private_competition_reads_the_rules_in_the_refusal(
    installation: Installation,
) -> None:
    installation.launched(rules=RULES)
    team = installation.admin.post(TEAMS, json={"name": "Staff"}).json()
    installation.admin.patch("/admin/competitions/otto", json={"visibility": "private"})
    bob = installation.person("bob")
    join = {"invite_code": team["invite_code"]}
    problem_of(bob.get("/competitions/otto/rules"), 404, "not-found")
    problem = problem_of(bob.post(f"{TEAMS}/join", json=join), 403, "rules-not-accepted")
    assert problem["rules"] == RULES
    joined = bob.post(f"{TEAMS}/join", json=join | {"accept_rules": True})
    assert joined.status_code == 200
    assert bob.get("/competitions/otto/rules").json()["accepted_at"] is not None


def test_a_link_into_a_competition_asks_for_the_rules_too(installation: Installation) -> None:
    installation.launched(rules=RULES)
    code = installation.admin.post("/admin/invites", json={"competition": "otto"}).json()["code"]
    assert installation.anonymous.get(f"/links/{code}").json()["rules"] == RULES
    refused = installation.anonymous.post(f"/links/{code}", json={"name": "Ada"})
    problem_of(refused, 403, "rules-not-accepted")
    body = {"name": "Ada", "accept_rules": True}
    assert installation.anonymous.post(f"/links/{code}", json=body).status_code == 200


def test_organizers_and_their_baselines_need_no_acceptance(installation: Installation) -> None:
    installation.launched(rules=RULES)
    path = "/admin/competitions/otto/baselines"
    baseline = installation.admin.post(path, json={"name": "Popular"}).json()
    sent = installation.admin.post(f"{SUBMISSIONS}&team={baseline['id']}", content=b"x")
    assert sent.status_code == 202


def test_who_accepted_is_for_organizers(installation: Installation) -> None:
    installation.launched(rules=RULES)
    path = "/admin/competitions/otto/rules/acceptances"
    problem_of(installation.person("ada").get(path), 404, "not-found")
    problem_of(installation.person("grace", organizer=True).get(path), 404, "not-found")
    problem_of(installation.anonymous.get(path), 401, "not-authenticated")


def test_acceptances_come_in_pages(installation_on_both: Installation) -> None:
    installation_on_both.launched(rules=RULES)
    names = ["ada", "bob", "eve"]
    for name in names:
        installation_on_both.person(name).post("/competitions/otto/rules/acceptance")
    found, path = [], "/admin/competitions/otto/rules/acceptances?limit=1"
    while path:
        answer = installation_on_both.admin.get(path)
        found += [row["person"]["name"] for row in answer.json()["items"]]
        path = answer.links["next"]["url"].split("/api/v1")[1] if "next" in answer.links else ""
    assert found == names


@pytest.mark.parametrize("text", ["x" * 20_001, "a\x00b", "a\u202eb", 5])
def test_rules_are_readable_text(installation: Installation, text: object) -> None:
    installation.draft()
    answer = installation.admin.patch("/admin/competitions/otto", json={"rules": text})
    assert answer.status_code in (400, 422)


def test_acceptances_are_in_the_log_with_address_and_hash(installation: Installation) -> None:
    installation.launched(rules=RULES)
    ada: Person = installation.person("ada")
    ada.post("/competitions/otto/rules/acceptance")
    entries = installation.admin.get("/admin/audit").json()["items"]
    found = [entry for entry in entries if entry["action"] == "rules.accept"]
    assert [(e["actor"]["name"], e["facts"]["sha256"]) for e in found] == [("ada", RULES_SHA256)]
