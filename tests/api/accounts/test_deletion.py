"""Deleted accounts: the person is gone, the boards are as they were."""

from __future__ import annotations

from podium.core.models import AccessToken, User
from tests.builders.installation import Installation, problem_of

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
