"""Deleted accounts: the person is gone, the boards are as they were."""

from __future__ import annotations

from typing import Any

from podium.core.models import AccessToken, RulesAcceptance, User
from tests.builders.installation import Installation, Person, problem_of

GOOD = "correct horse battery"


def test_a_deleted_account_leaves_no_name_and_no_key(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    ada = installation_on_both.person("Ada Lovelace")
    ada.put("/me/password", json={"password": GOOD})
    team = ada.post("/competitions/otto/teams", json={"name": "Engine"}).json()
    problem_of(ada.delete("/me", json={"confirm": "Bob"}), 422, "not-confirmed")
    problem_of(ada.delete("/me", json={}), 422, "invalid")
    assert ada.get("/me").status_code == 200
    assert ada.delete("/me", json={"confirm": "ada lovelace"}).status_code == 204
    problem_of(ada.get("/me"), 401, "not-authenticated")
    signed = installation_on_both.anonymous.post(
        "/sign-in", json={"name": "Ada Lovelace", "password": GOOD}
    )
    problem_of(signed, 401, "wrong-credentials")
    kept = installation_on_both.admin.get(f"/admin/users/{ada.id}").json()
    assert kept["name"].startswith("deleted account ")
    assert kept["disabled"] is True
    teams = installation_on_both.admin.get("/admin/competitions/otto/teams").json()["items"]
    assert [(row["name"], row["members"][0]["name"]) for row in teams] == [("Engine", kept["name"])]
    assert teams[0]["id"] == team["id"]
    with installation_on_both.application.database.read() as session:
        assert session.query(AccessToken).filter_by(user_id=ada.id).count() == 0
        assert session.get_one(User, ada.id).password_hash is None
    assert installation_on_both.person("Ada Lovelace").get("/me").status_code == 200


def test_a_deleted_account_never_comes_back(installation: Installation) -> None:
    ada = installation.person("ada")
    ada.delete("/me", json={"confirm": "ada"})
    answer = installation.admin.patch(f"/admin/users/{ada.id}", json={"disabled": False})
    problem_of(answer, 409, "account-deleted")
    answer = installation.admin.post(f"/admin/users/{ada.id}/reset-link")
    problem_of(answer, 409, "account-deleted")
    answer = installation.admin.delete(f"/admin/users/{ada.id}", json={"confirm": "ada"})
    problem_of(answer, 404, "not-found")


def test_only_the_administrator_deletes_others(installation: Installation) -> None:
    ada, grace = installation.person("ada"), installation.person("grace", organizer=True)
    path = f"/admin/users/{ada.id}"
    for who in (grace, installation.person("bob")):
        problem_of(who.delete(path, json={"confirm": "ada"}), 403, "not-allowed")
    problem_of(
        installation.anonymous.delete(path, json={"confirm": "ada"}), 401, "not-authenticated"
    )
    assert installation.admin.delete(path, json={"confirm": "ada"}).status_code == 204
    assert ada.get("/me").status_code == 401


def test_a_deletion_without_a_body_is_told_what_confirms_it(installation: Installation) -> None:
    ada = installation.person("ada")
    for answer in (installation.admin.delete(f"/admin/users/{ada.id}"), ada.delete("/me")):
        problem = problem_of(answer, 422, "invalid")
        takes = 'body: This takes a JSON object, for example {"confirm": "ada"}.'
        assert problem["detail"] == takes
    assert ada.get("/me").status_code == 200


def test_the_last_administrator_cannot_go(installation: Installation) -> None:
    answer = installation.admin.delete("/me", json={"confirm": "administrator"})
    problem_of(answer, 409, "last-administrator")


def test_an_organizer_who_goes_takes_rights_and_links_along(installation: Installation) -> None:
    grace = installation.person("grace", organizer=True)
    grace.post("/admin/competitions", json={"slug": "hers", "title": "Hers", "preset": "otto"})
    code = grace.post("/admin/invites", json={"competition": "hers"}).json()["code"]
    assert grace.delete("/me", json={"confirm": "grace"}).status_code == 204
    problem_of(installation.anonymous.get(f"/links/{code}"), 404, "unknown-link")
    found = installation.admin.get("/competitions/hers").json()
    assert found["organizers"] == []


def test_a_deleted_account_leaves_no_trace_in_the_log_and_at_files(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched(rules="Be kind.")
    ada, bob = (_participant(installation_on_both, name) for name in ("Ada", "Bob"))
    sent = {who.id: _submitted(who) for who in (ada, bob)}
    receipt = ada.get(f"/submissions/{sent[ada.id]}/receipt")
    before = _entries(installation_on_both)
    assert (
        installation_on_both.admin.delete(
            f"/admin/users/{ada.id}", json={"confirm": "Countess"}
        ).status_code
        == 204
    )

    assert _file(installation_on_both, sent[ada.id]) == ("submission", "")
    assert _file(installation_on_both, sent[bob.id]) == ("Bob.csv", "by Bob")
    name = installation_on_both.admin.get(f"/admin/users/{ada.id}").json()["name"]
    latest, *after = _entries(installation_on_both)
    assert latest["action"] == "user.delete"
    assert [each["id"] for each in after] == [each["id"] for each in before]
    for old, new in zip(before, after, strict=True):
        if old["actor"]["id"] == ada.id:
            assert (new["actor"]["name"], new["address"]) == (name, None)
        else:
            assert (new["actor"], new["address"]) == (old["actor"], old["address"])
        if ada.id not in (old["actor"]["id"], old["object_id"]):
            assert new == old
    told = str(after)
    assert not any(word in told for word in ("'Ada'", "'Countess'", "Ada's laptop"))
    assert all(word in told for word in ("'Bob'", "Bob's laptop", "team of Ada"))
    with installation_on_both.application.database.read() as session:
        rows = session.query(RulesAcceptance).all()
        assert {row.user_id: row.address for row in rows} == {ada.id: None, bob.id: "testclient"}
    again = installation_on_both.admin.get(f"/submissions/{sent[ada.id]}/receipt")
    assert again.json() == receipt.json()


def test_a_team_of_one_with_the_account_s_name_loses_it_too(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched()
    ada, bob = installation_on_both.person("Ada"), installation_on_both.person("Bob")
    team = ada.post("/competitions/otto/teams", json={"name": "Engine"}).json()
    for name in ("Ada", "Engine", "ada"):
        ada.patch("/competitions/otto/team", json={"name": name}).raise_for_status()
    assert bob.post("/competitions/otto/teams", json={"name": "Bob"}).status_code == 201
    told = installation_on_both.admin.get(f"/admin/users/{ada.id}").json()["teams"]
    assert told == ada.get("/me").json()["teams"]
    shown = [
        (each["competition"], each["team"]["name"], each["ends_with_account"]) for each in told
    ]
    assert shown == [("otto", "ada", True)]

    assert ada.delete("/me", json={"confirm": "Ada"}).status_code == 204
    name = installation_on_both.admin.get(f"/admin/users/{ada.id}").json()["name"]
    assert _names_of_teams(installation_on_both) == {"Bob", name}
    entries = [e["facts"] for e in _entries(installation_on_both) if e["object_id"] == team["id"]]
    assert entries == [
        {"before": "Engine", "after": name},
        {"before": name, "after": "Engine"},
        {"before": "Engine", "after": name},
        {"name": "Engine"},
    ]
    # The name is free again.
    another = installation_on_both.person("Ada")
    assert another.post("/competitions/otto/teams", json={"name": "Ada"}).status_code == 201


def test_a_team_with_other_members_keeps_the_name_of_one_who_goes(
    installation: Installation,
) -> None:
    installation.launched()
    ada, bob = installation.person("Ada"), installation.person("Bob")
    made = ada.post("/competitions/otto/teams", json={"name": "Ada"}).json()
    joined = bob.post("/competitions/otto/teams/join", json={"invite_code": made["invite_code"]})
    assert joined.status_code == 200, joined.text
    assert [each["ends_with_account"] for each in ada.get("/me").json()["teams"]] == [False]
    assert ada.delete("/me", json={"confirm": "Ada"}).status_code == 204
    assert _names_of_teams(installation) == {"Ada"}


def test_only_the_administrator_sees_all_teams_of_a_person(installation: Installation) -> None:
    ada, grace = installation.person("ada"), installation.person("grace", organizer=True)
    assert grace.get(f"/admin/users/{ada.id}").json()["teams"] is None
    assert installation.admin.get(f"/admin/users/{ada.id}").json()["teams"] == []


def _names_of_teams(installation: Installation) -> set[str]:
    teams = installation.admin.get("/admin/competitions/otto/teams").json()["items"]
    return {team["name"] for team in teams}


def _participant(installation: Installation, name: str) -> Person:
    """A member of a team, with a token named after them; Ada is called Countess since then."""
    person = installation.person(name)
    person.post("/me/tokens", json={"label": f"{name}'s laptop"})
    rules = person.get("/competitions/otto/rules")
    if rules.status_code == 200:
        accepted = {"sha256": rules.json()["sha256"]}
        person.post("/competitions/otto/rules/acceptance", json=accepted)
    entered = person.post("/competitions/otto/teams", json={"name": f"team of {name}"})
    assert entered.status_code == 201, entered.text
    if name == "Ada":
        renamed = {"name": "Countess"}
        installation.admin.patch(f"/admin/users/{person.id}", json=renamed).raise_for_status()
    return person


def _submitted(person: Person) -> str:
    name = person.get("/me").json()["name"]
    name = "Ada" if name == "Countess" else name
    answer = person.post(
        f"/competitions/otto/submissions?filename={name}.csv&note=by {name}",
        content=b"session_type,labels\n",
    )
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def _file(installation: Installation, submission_id: str) -> tuple[str, str]:
    found = installation.admin.get(f"/submissions/{submission_id}").json()
    return found["filename"], found["note"]


def _entries(installation: Installation) -> list[Any]:
    """All entries of the audit log, the newest first."""
    answer = installation.admin.get("/admin/audit?limit=100").json()
    assert answer["next_cursor"] is None
    return list(answer["items"])
