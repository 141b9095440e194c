"""Entering, joining, and what a team knows of itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from podium.core.models import Competition
from tests.builders.rows import add_user
from tests.builders.uploads.stage import Stage

TEAMS = "/competitions/otto/teams"


def post(stage: Stage, path: str, body: Any, token: str) -> Any:
    return stage.server.request("POST", path, token, json=body)


def newcomer(stage: Stage, **members: Any) -> tuple[str, str]:
    """A new account: its id and a token."""
    with stage.server.application.database.write() as session:
        actor = add_user(session, **members)
    return actor.user_id, stage.server.token(actor)


def change(stage: Stage, **members: Any) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        for name, value in members.items():
            setattr(competition, name, value)


def test_entering_makes_a_team_of_one_with_an_invite_code(stage: Stage) -> None:
    user_id, token = newcomer(stage)
    answer = post(stage, TEAMS, {"name": "  Gradient   Ascent "}, token)
    assert answer.status_code == 201
    team = answer.json()
    assert team["name"] == "Gradient Ascent"
    assert [member["id"] for member in team["members"]] == [user_id]
    assert len(team["invite_code"]) >= 16
    assert (team["submissions_left_today"], team["limited_by"]) == (100, "daily_limit")
    assert team["resets_at"].endswith("T00:00:00Z")
    assert stage.server.request("GET", "/competitions/otto/team", token).json() == team


def test_a_made_team_is_where_the_location_says(stage: Stage) -> None:
    _, token = newcomer(stage)
    entered = post(stage, TEAMS, {"name": "Gradient Ascent"}, token)
    organizer = stage.admin_token
    body = {"name": "Made", "members": [newcomer(stage)[0]]}
    made = post(stage, f"/admin{TEAMS}", body, organizer)
    baseline = post(stage, "/admin/competitions/otto/baselines", {"name": "Base"}, organizer)
    for answer, reader in ((entered, token), (made, organizer), (baseline, organizer)):
        assert answer.status_code == 201
        path = answer.headers["Location"].removeprefix("/api/v1")
        assert stage.server.request("GET", path, reader).json()["id"] == answer.json()["id"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("x", 201),
        ("x" * 64, 201),
        ("x" * 65, 422),
        ("x" * 10_000, 422),
        ("", 422),
        ("   ", 422),
        ("two\nlines", 422),
        ("\u202eright to left", 422),
        ("zero\u200bwidth", 422),
        ("🚀 team", 201),
        ("<script>alert(1)</script>", 201),
        ("=cmd|' /C calc'!A0", 201),
        ("' OR 1=1--", 201),
        ("team ada", 409),
        ("TEAM  ADA", 409),
        ("Теаm Аdа", 409),
        (5, 422),
        (None, 422),
    ],
)
def test_team_names_follow_a_rule(stage: Stage, name: Any, status: int) -> None:
    _, token = newcomer(stage)
    assert post(stage, TEAMS, {"name": name}, token).status_code == status


@pytest.mark.parametrize(
    "field", ["id", "tags", "competition_id", "disqualified_at", "invite_code"]
)
def test_members_set_no_more_than_the_name(stage: Stage, field: str) -> None:
    _, token = newcomer(stage)
    assert post(stage, TEAMS, {"name": "Mine", field: "x"}, token).status_code == 422


def test_a_person_is_in_one_team_of_a_competition(stage: Stage) -> None:
    _, other = newcomer(stage)
    code = post(stage, TEAMS, {"name": "Others"}, other).json()["invite_code"]
    again = post(stage, TEAMS, {"name": "Second"}, stage.token)
    assert (again.status_code, again.json()["code"]) == (409, "already-in-team")
    joined = post(stage, f"{TEAMS}/join", {"invite_code": code}, stage.token)
    assert (joined.status_code, joined.json()["code"]) == (409, "already-in-team")


def test_joining_at_once_never_overfills_a_team(stage: Stage) -> None:
    change(stage, settings={"team_size": 3})
    tokens = [newcomer(stage)[1] for _ in range(6)]
    body = {"invite_code": stage.team.invite_code}
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda token: post(stage, f"{TEAMS}/join", body, token), tokens))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 409, 409, 409, 409]
    refused = {answer.json()["code"] for answer in answers if answer.status_code == 409}
    assert refused == {"team-full"}


def test_an_unknown_code_is_not_found(stage: Stage) -> None:
    answer = post(stage, f"{TEAMS}/join", {"invite_code": "nothing"}, stage.stranger_token)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-code")


def test_a_code_opens_a_private_competition(stage: Stage) -> None:
    change(stage, visibility="private", settings={"registration": "invite"})
    body = {"invite_code": stage.team.invite_code}
    assert post(stage, TEAMS, {"name": "Mine"}, stage.stranger_token).status_code == 404
    assert post(stage, f"{TEAMS}/join", body, stage.stranger_token).status_code == 200


def test_who_has_not_entered_has_no_team(stage: Stage) -> None:
    answer = stage.server.request("GET", "/competitions/otto/team", stage.stranger_token)
    assert (answer.status_code, answer.json()["code"]) == (404, "no-team")


def test_what_is_left_goes_down_with_every_upload(stage: Stage) -> None:
    change(stage, settings={"daily_limit": 2})
    left = []
    for _ in range(2):
        stage.server.submit(stage.token)
        team = stage.server.request("GET", "/competitions/otto/team", stage.token).json()
        left.append(team["submissions_left_today"])
    assert left == [1, 0]


def test_nothing_is_left_after_the_close(stage: Stage) -> None:
    change(stage, closed_at=stage.competition.created_at)
    team = stage.server.request("GET", "/competitions/otto/team", stage.token).json()
    assert (team["submissions_left_today"], team["limited_by"]) == (0, "phase")
    answer = post(stage, TEAMS, {"name": "Late"}, stage.stranger_token)
    assert (answer.status_code, answer.json()["code"]) == (409, "competition-closed")


def test_with_registration_by_invitation_only_organizers_make_teams(stage: Stage) -> None:
    change(stage, settings={"registration": "invite"})
    user_id, token = newcomer(stage)
    answer = post(stage, TEAMS, {"name": "Mine"}, token)
    assert (answer.status_code, answer.json()["code"]) == (403, "registration-closed")
    body = {"name": "Mine", "members": [user_id]}
    path = "/admin/competitions/otto/teams"
    assert post(stage, path, body, token).status_code == 404
    made = post(stage, path, body, stage.admin_token)
    assert made.status_code == 201
    assert made.json()["tags"] == []
    assert stage.server.submit(token).status_code == 202


def test_organizers_cannot_put_unknown_or_taken_people_into_a_team(stage: Stage) -> None:
    path = "/admin/competitions/otto/teams"
    for members, status, code in (
        (["nobody"], 422, "unknown-user"),
        ([stage.member.user_id], 409, "already-in-team"),
        ([newcomer(stage)[0] for _ in range(6)], 422, "too-many-members"),
    ):
        answer = post(stage, path, {"name": "Made", "members": members}, stage.admin_token)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    # Nothing is left of the refused ones: the name is still free.
    assert post(stage, path, {"name": "Made"}, stage.admin_token).status_code == 201


def test_a_team_with_an_organizer_in_it_is_tagged(stage: Stage) -> None:
    answer = post(stage, TEAMS, {"name": "Staff"}, stage.admin_token)
    assert answer.json()["tags"] == ["organizer"]


def test_organizers_submit_for_baselines(stage: Stage) -> None:
    path = "/admin/competitions/otto/baselines"
    assert post(stage, path, {"name": "Popular"}, stage.token).status_code == 404
    team = post(stage, path, {"name": "Popular"}, stage.admin_token).json()
    assert team["tags"] == ["baseline"]
    query = f"?team={team['id']}"
    assert stage.server.submit(stage.admin_token, b"x", query).json()["team"] == {
        "id": team["id"],
        "name": "Popular",
    }
    assert stage.server.submit(stage.token, b"x", query).status_code == 403
    body = {"invite_code": team["invite_code"]}
    assert post(stage, f"{TEAMS}/join", body, stage.stranger_token).status_code == 404
