"""Teams over HTTP: what members and organizers may do with them, and what strangers may not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from podium.core.models import Team
from tests.builders.installation import Installation, Person, problem_of

OWN = "/competitions/otto/team"
WISHES = f"{OWN}/merge-requests"


def enter(installation: Installation, name: str) -> tuple[Person, dict[str, Any]]:
    person = installation.person(name)
    answer = person.post("/competitions/otto/teams", json={"name": f"Team {name}"})
    assert answer.status_code == 201, answer.text
    return person, answer.json()


def test_two_teams_merge_over_http(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    (ada, _), (bob, bobs) = (enter(installation_on_both, name) for name in ("ada", "bob"))
    asked = ada.post(WISHES, json={"team": "team bob"})
    assert asked.status_code == 201
    wish = asked.json()
    assert (wish["direction"], wish["team"]["id"]) == ("outgoing", bobs["id"])
    problem_of(ada.post(WISHES, json={"team": bobs["id"]}), 409, "already-requested")
    listed = bob.get(WISHES).json()["items"]
    assert [(row["direction"], row["team"]["name"], row["status"]) for row in listed] == [
        ("incoming", "Team ada", "pending")
    ]
    accepted = bob.post(f"{WISHES}/{wish['id']}/accept")
    assert (accepted.status_code, accepted.json()["status"]) == (200, "accepted")
    for person in (ada, bob):
        team = person.get(OWN).json()
        assert (team["id"], len(team["members"])) == (bobs["id"], 2)
    rows = installation_on_both.admin.get("/admin/competitions/otto/teams").json()["items"]
    assert [(row["name"], row["merged_into"]) for row in rows] == [
        ("Team ada", bobs["id"]),
        ("Team bob", None),
    ]
    acts = installation_on_both.admin.get("/admin/audit").json()["items"]
    assert acts[0]["action"] == "merge.accept"


def test_only_the_asked_team_answers_and_only_the_asking_one_withdraws(
    installation: Installation,
) -> None:
    installation.launched()
    ada, _ = enter(installation, "ada")
    bob, _ = enter(installation, "bob")
    eve, _ = enter(installation, "eve")
    wish = ada.post(WISHES, json={"team": "Team bob"}).json()["id"]
    for who, act in ((ada, "accept"), (ada, "decline"), (bob, "withdraw"), (eve, "accept")):
        problem_of(who.post(f"{WISHES}/{wish}/{act}"), 404, "not-found")
    problem_of(installation.person("x").post(f"{WISHES}/{wish}/accept"), 404, "no-team")
    assert eve.get(WISHES).json()["items"] == []
    assert bob.post(f"{WISHES}/{wish}/decline").json()["status"] == "declined"
    problem_of(bob.post(f"{WISHES}/{wish}/accept"), 409, "not-pending")
    again = ada.post(WISHES, json={"team": "Team bob"}).json()["id"]
    assert ada.post(f"{WISHES}/{again}/withdraw").json()["status"] == "withdrawn"
    problem_of(bob.post(f"{WISHES}/{again}/accept"), 409, "not-pending")


def test_no_team_merges_after_the_close(installation: Installation) -> None:
    installation.launched()
    ada, _ = enter(installation, "ada")
    bob, _ = enter(installation, "bob")
    wish = ada.post(WISHES, json={"team": "Team bob"}).json()["id"]
    installation.admin.post("/admin/competitions/otto/close")
    problem_of(bob.post(f"{WISHES}/{wish}/accept"), 409, "competition-closed")
    problem_of(ada.post(WISHES, json={"team": "Team bob"}), 409, "competition-closed")
    problem_of(ada.post(f"{OWN}/leave"), 409, "competition-closed")
    problem_of(ada.patch(OWN, json={"name": "Late"}), 409, "competition-closed")


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("team b0b", 409, "name-taken"),
        ("Теаm bоb", 409, "name-taken"),
        ("\u202eabc", 422, "bad-name"),
        ("a\u200bb", 422, "bad-name"),
        ("x" * 65, 422, "bad-name"),
        ("  ", 422, "bad-name"),
        ("=cmd|' /C calc'!A0", 200, ""),
        ("<script>", 200, ""),
        ("TEAM ADA", 200, ""),
    ],
)
def test_a_new_name_follows_the_rules_of_names(
    installation: Installation, name: str, status: int, code: str
) -> None:
    installation.launched()
    ada, _ = enter(installation, "ada")
    enter(installation, "bob")
    answer = ada.patch(OWN, json={"name": name})
    if code:
        problem_of(answer, status, code)
    else:
        assert (answer.status_code, answer.json()["name"]) == (200, name)


def test_a_second_team_is_refused_for_the_first_one_whatever_its_name(
    installation: Installation,
) -> None:
    installation.launched()
    ada, _ = enter(installation, "ada")
    for name in ("Team ada", "Another"):
        again = ada.post("/competitions/otto/teams", json={"name": name})
        problem_of(again, 409, "already-in-team")


def test_a_renamed_team_is_renamed_on_the_kept_board_at_once(installation: Installation) -> None:
    installation.launched()
    ada, _ = enter(installation, "ada")
    before = installation.anonymous.get("/competitions/otto/leaderboard")
    tag = before.headers["etag"]
    ada.patch(OWN, json={"name": "Countess"})
    after = installation.anonymous.get(
        "/competitions/otto/leaderboard", headers={"If-None-Match": tag}
    )
    assert after.status_code == 200
    assert after.headers["etag"] != tag


def test_the_last_place_of_a_team_has_one_winner(installation_on_both: Installation) -> None:
    installation_on_both.launched(team_size=2)
    _, team = enter(installation_on_both, "ada")
    people = [installation_on_both.person(f"user {n}x") for n in range(20)]
    body = {"invite_code": team["invite_code"]}
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda who: who.post("/competitions/otto/teams/join", json=body), people)
        )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19


def test_a_member_renews_the_code_and_leaves(installation: Installation) -> None:
    installation.launched()
    ada, team = enter(installation, "ada")
    renewed = ada.post(f"{OWN}/invite-code").json()
    assert renewed["invite_code"] != team["invite_code"]
    body = {"invite_code": team["invite_code"]}
    bob = installation.person("bob")
    problem_of(bob.post("/competitions/otto/teams/join", json=body), 404, "unknown-code")
    assert ada.post(f"{OWN}/leave").status_code == 204
    problem_of(ada.get(OWN), 404, "no-team")
    with installation.application.database.read() as session:
        assert session.query(Team).count() == 0


def test_a_disqualified_team_learns_why(installation: Installation) -> None:
    installation.launched()
    ada, team = enter(installation, "ada")
    path = f"/admin/teams/{team['id']}"
    problem_of(installation.admin.post(f"{path}/disqualify", json={}), 422, "invalid")
    body = {"reason": "two accounts of one person"}
    shown = installation.admin.post(f"{path}/disqualify", json=body).json()
    assert shown["disqualified"]["reason"] == body["reason"]
    own = ada.get(OWN).json()
    assert own["disqualified"]["reason"] == body["reason"]
    assert (own["submissions_left_today"], own["limited_by"]) == (0, "phase")
    sent = ada.post("/competitions/otto/submissions?filename=s.csv", content=b"x")
    problem_of(sent, 403, "team-disqualified")
    assert (
        installation.admin.post(f"{path}/reinstate", json={"reason": "it was not so"}).json()[
            "disqualified"
        ]
        is None
    )
    assert ada.get(OWN).json()["disqualified"] is None


def test_organizers_list_move_tag_and_merge_teams(installation: Installation) -> None:
    installation.launched()
    ada, adas = enter(installation, "ada")
    _, bobs = enter(installation, "bob")
    reason = {"reason": "asked for it"}
    path = f"/admin/teams/{bobs['id']}"
    moved = installation.admin.post(f"{path}/put-member", json=reason | {"user_id": ada.id})
    assert [member["name"] for member in moved.json()["members"]] == ["bob", "ada"]
    taken = installation.admin.post(f"{path}/remove-member", json=reason | {"user_id": ada.id})
    assert [member["name"] for member in taken.json()["members"]] == ["bob"]
    changed = installation.admin.patch(path, json={"name": "The others", "tags": ["hidden"]})
    assert (changed.json()["name"], changed.json()["tags"]) == ("The others", ["hidden"])
    problem_of(installation.admin.patch(path, json={"tags": ["baseline"]}), 422, "bad-tags")
    problem_of(installation.admin.patch(path, json={"tags": ["winner"]}), 422, "invalid")
    merged = installation.admin.post(f"{path}/merge", json=reason | {"team_id": adas["id"]})
    assert (merged.status_code, merged.json()["tags"]) == (200, ["hidden"])
    gone = installation.admin.post(f"/admin/teams/{adas['id']}/disqualify", json=reason)
    problem_of(gone, 404, "not-found")
    page = installation.admin.get("/admin/competitions/otto/teams?limit=1").json()
    assert (len(page["items"]), page["next_cursor"] is not None) == (1, True)
    assert page["items"][0]["submissions"] == 0


def test_strangers_do_nothing_with_teams(installation: Installation) -> None:
    installation.launched()
    member, team = enter(installation, "ada")
    stranger, other = enter(installation, "eve")
    grace = installation.person("grace", organizer=True)
    grace.post("/admin/competitions", json={"slug": "hers", "title": "Hers", "preset": "otto"})
    path = f"/admin/teams/{team['id']}"
    reason = {"reason": "x"}
    acts: list[tuple[str, str, dict[str, Any]]] = [
        ("PATCH", path, {"name": "x"}),
        ("POST", f"{path}/disqualify", reason),
        ("POST", f"{path}/reinstate", reason),
        ("POST", f"{path}/put-member", reason | {"user_id": grace.id}),
        ("POST", f"{path}/remove-member", reason | {"user_id": member.id}),
        ("POST", f"{path}/merge", reason | {"team_id": other["id"]}),
    ]
    for method, address, body in acts:
        for who in (member, grace, stranger):
            problem_of(who.send(method, address, json=body), 404, "not-found")
        problem_of(
            installation.anonymous.send(method, address, json=body), 401, "not-authenticated"
        )
    problem_of(member.get("/admin/competitions/otto/teams"), 404, "not-found")
    assert member.get(OWN).json()["members"] == [{"id": member.id, "name": "ada"}]


def test_who_has_no_team_changes_none(installation: Installation) -> None:
    installation.launched()
    eve = installation.person("eve")
    for method, path, body in (
        ("PATCH", OWN, {"name": "x"}),
        ("POST", f"{OWN}/invite-code", None),
        ("POST", f"{OWN}/leave", None),
        ("POST", WISHES, {"team": "x"}),
    ):
        problem_of(eve.send(method, path, json=body), 404, "no-team")
    problem_of(eve.get(WISHES), 404, "no-team")


def test_a_private_competition_says_nothing_of_its_teams_to_strangers(
    installation: Installation,
) -> None:
    installation.launched(visibility="private")
    eve = installation.person("eve")
    for method, path, body in (
        ("PATCH", OWN, {"name": "x"}),
        ("POST", f"{OWN}/leave", None),
        ("POST", WISHES, {"team": "x"}),
        ("GET", WISHES, None),
    ):
        problem_of(eve.send(method, path, json=body), 404, "not-found")
