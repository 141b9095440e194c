"""Co-organizers, and the log of who did what."""

from __future__ import annotations

from tests.builders.installation import ADMIN_TOKEN, Installation, problem_of


def test_a_co_organizer_may_what_the_first_one_may(installation_on_both: Installation) -> None:
    installation_on_both.draft()
    ada = installation_on_both.person("ada")
    added = installation_on_both.admin.post(
        "/admin/competitions/otto/organizers", json={"user_id": ada.id}
    )
    assert (added.status_code, added.json()) == (201, {"id": ada.id, "name": "ada"})
    assert ada.patch("/admin/competitions/otto", json={"title": "Two"}).status_code == 200
    names = [person["name"] for person in ada.get("/competitions/otto").json()["organizers"]]
    assert names == ["administrator", "ada"]
    assert ada.get("/me").json()["organizes"] == ["otto"]


def test_adding_twice_changes_nothing(installation: Installation) -> None:
    installation.draft()
    body = {"user_id": installation.person("ada").id}
    route = "/admin/competitions/otto/organizers"
    assert installation.admin.post(route, json=body).status_code == 201
    assert installation.admin.post(route, json=body).status_code == 200


def test_a_removed_organizer_is_a_stranger(installation: Installation) -> None:
    installation.draft()
    ada = installation.person("ada")
    route = "/admin/competitions/otto/organizers"
    installation.admin.post(route, json={"user_id": ada.id})
    assert installation.admin.delete(f"{route}/{ada.id}").status_code == 204
    problem_of(ada.get("/competitions/otto"), 404, "not-found")
    problem_of(installation.admin.delete(f"{route}/{ada.id}"), 404, "not-found")


def test_the_only_organizer_stays(installation: Installation) -> None:
    made = installation.draft()
    own = made["organizers"][0]["id"]
    answer = installation.admin.delete(f"/admin/competitions/otto/organizers/{own}")
    problem_of(answer, 409, "last-organizer")


def test_an_unknown_user_does_not_become_an_organizer(installation: Installation) -> None:
    installation.draft()
    answer = installation.admin.post(
        "/admin/competitions/otto/organizers", json={"user_id": "nobody"}
    )
    problem_of(answer, 422, "unknown-user")


def test_the_team_of_a_new_organizer_is_tagged_for_good(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    ada = installation_on_both.person("ada")
    assert ada.post("/competitions/otto/teams", json={"name": "Ada"}).status_code == 201
    route = "/admin/competitions/otto/organizers"
    installation_on_both.admin.post(route, json={"user_id": ada.id})
    assert ada.get("/competitions/otto/team").json()["tags"] == ["organizer"]
    installation_on_both.admin.delete(f"{route}/{ada.id}")
    assert ada.get("/competitions/otto/team").json()["tags"] == ["organizer"]


def test_every_act_is_in_the_log_newest_first(installation_on_both: Installation) -> None:
    ada = installation_on_both.person("ada")
    installation_on_both.launched()
    installation_on_both.admin.patch("/admin/competitions/otto", json={"daily_limit": 9})
    installation_on_both.admin.post("/admin/competitions/otto/organizers", json={"user_id": ada.id})
    installation_on_both.admin.put("/admin/competitions/otto/files/a.csv", content=b"x")
    installation_on_both.admin.post("/admin/competitions/otto/close", json={"reason": "over"})
    entries = installation_on_both.admin.get("/admin/audit").json()["items"]
    assert [entry["action"] for entry in entries] == [
        "competition.close",
        "file.put",
        "organizer.add",
        "competition.change",
        "competition.launch",
        "ground-truth.store",
        "ground-truth.upload",
        "competition.create",
        "user.create",
        "administrator.token",
        "administrator.create",
    ]
    assert entries[0]["actor"]["name"] == "administrator"
    assert entries[0]["competition"] == "otto"
    assert entries[0]["address"] == "testclient"
    assert entries[0]["facts"] == {"reason": "over"}
    assert entries[3]["facts"]["before"] == {"daily_limit": 5}
    assert entries[3]["facts"]["after"] == {"daily_limit": 9}
    assert entries[-1]["actor"] == {"id": None, "name": "system"}


def test_the_log_holds_no_token(installation: Installation) -> None:
    ada = installation.person("ada")
    made = ada.post("/me/tokens", json={"label": "laptop"}).json()["token"]
    text = installation.admin.get("/admin/audit").text
    for token in (ADMIN_TOKEN, ada.token, made):
        assert token is not None
        assert token not in text


def test_organizers_read_the_log_of_their_own_competition(installation: Installation) -> None:
    grace = installation.person("grace", organizer=True)
    grace.post("/admin/competitions", json={"slug": "hers", "title": "Hers"})
    installation.draft("other")
    own = grace.get("/admin/audit?competition=hers").json()["items"]
    assert [entry["action"] for entry in own] == ["competition.create"]
    problem_of(grace.get("/admin/audit"), 403, "not-allowed")
    problem_of(grace.get("/admin/audit?competition=other"), 404, "not-found")
    problem_of(installation.person("ada").get("/admin/audit"), 403, "not-allowed")


def test_the_log_is_read_in_pages(installation_on_both: Installation) -> None:
    for number in range(2, 7):
        installation_on_both.person(f"user {number}")
    actions, query = [], "?limit=3"
    while query:
        page = installation_on_both.admin.get(f"/admin/audit{query}").json()
        actions += [entry["action"] for entry in page["items"]]
        query = f"?limit=3&cursor={page['next_cursor']}" if page["next_cursor"] else ""
    assert actions == ["user.create"] * 5 + ["administrator.token", "administrator.create"]


def test_a_former_organizers_new_team_is_tagged(installation_on_both: Installation) -> None:
    installation = installation_on_both
    ada, bob = installation.person("ada"), installation.person("bob")
    installation.launched()
    path = "/admin/competitions/otto/organizers"
    assert installation.admin.post(path, json={"user_id": ada.id}).status_code == 201
    assert installation.admin.delete(f"{path}/{ada.id}").status_code == 204
    team = ada.post("/competitions/otto/teams", json={"name": "Ada's"})
    assert team.status_code == 201
    assert ada.get("/competitions/otto/team").json()["tags"] == ["organizer"]
    other = bob.post("/competitions/otto/teams", json={"name": "Bob's"}).json()
    assert bob.get("/competitions/otto/team").json()["tags"] == []
    # Nor by being taken into another team, nor by coming and going twice.
    for _ in range(2):
        assert installation.admin.post(path, json={"user_id": ada.id}).status_code == 201
        assert installation.admin.delete(f"{path}/{ada.id}").status_code == 204
    assert ada.post("/competitions/otto/team/leave").status_code in (200, 204)
    joined = ada.post("/competitions/otto/teams/join", json={"invite_code": other["invite_code"]})
    assert joined.status_code == 200, joined.text
    assert bob.get("/competitions/otto/team").json()["tags"] == ["organizer"]


def test_after_the_reveal_a_new_organizer_takes_no_team_from_the_final_ranking(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched()
    ada = installation_on_both.person("ada")
    assert ada.post("/competitions/otto/teams", json={"name": "Ada"}).status_code == 201
    for act in ("close", "reveal"):
        assert installation_on_both.admin.post(f"/admin/competitions/otto/{act}").is_success
    route = "/admin/competitions/otto/organizers"
    assert installation_on_both.admin.post(route, json={"user_id": ada.id}).status_code == 201
    assert ada.get("/competitions/otto/team").json()["tags"] == []
    assert installation_on_both.admin.delete(f"{route}/{ada.id}").status_code == 204
    assert ada.get("/competitions/otto/team").json()["tags"] == []
