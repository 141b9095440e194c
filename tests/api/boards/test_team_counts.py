"""Teams are counted alike everywhere: baselines, hidden, organizers' and disqualified ones are no
competitors, and no rank is out of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from podium.core.models import Competition, Team
from tests.builders.page import Page
from tests.builders.rows import add_scored, add_team
from tests.builders.uploads.stage import Stage

COMPETITION = "/admin/competitions/otto"


@pytest.fixture
def counted(stage: Stage) -> Stage:
    """Three competitors with scores, two of which are equal on the private board, one without, and
    one team of each kind that does not compete, all of them better."""
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        ada = session.get_one(Team, stage.team.id)
        add_scored(session, ada, public="0.3", private="0.5", minute=1)
        for minute, (name, private) in enumerate([("Bob", "0.4"), ("Cat", "0.4")], start=2):
            team, _ = add_team(session, competition, name)
            add_scored(session, team, public="0.2", private=private, minute=minute)
        add_team(session, competition, "Idle")
        others: dict[str, Team] = {}
        for minute, name in enumerate(["baseline", "organizer", "hidden", "cheat"], start=5):
            others[name], _ = add_team(session, competition, name)
            others[name].tags = ["baseline"] if name == "baseline" else []
            add_scored(session, others[name], public="0.9", private="0.9", minute=minute)
        ids = {name: team.id for name, team in others.items()}
    for name in ("organizer", "hidden"):
        request(stage, "PATCH", f"/admin/teams/{ids[name]}", json={"tags": [name]})
    request(stage, "POST", f"/admin/teams/{ids['cheat']}/disqualify", json={"reason": "copied"})
    return stage


def request(stage: Stage, method: str, path: str, **arguments: Any) -> Any:
    answer = stage.server.request(method, path, stage.admin_token, **arguments)
    assert answer.status_code < 400, answer.text
    return answer.json()


def page(stage: Stage, path: str) -> str:
    """The text of a page as Team Ada reads it."""
    headers = {"Authorization": f"Bearer {stage.token}"}
    answer = stage.server.client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return words(answer.text)


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def board(stage: Stage, split: str, **more: str) -> tuple[int, int]:
    """The ranked teams, and the rows."""
    params = {"split": split, "limit": "1", **more}
    found = stage.server.request("GET", "/competitions/otto/leaderboard", params=params).json()
    return found["ranked"], found["total"]


def test_competitors_alone_are_counted_while_it_is_open(counted: Stage) -> None:
    assert request(counted, "GET", "/competitions/otto")["counts"]["teams"] == 4
    [listed] = request(counted, "GET", "/competitions")["items"]
    assert listed["counts"]["teams"] == 4
    assert board(counted, "public") == (3, 6)
    assert board(counted, "public", team=counted.team.id) == (3, 1)
    assert board(counted, "public", as_of="2026-01-02T00:00:00Z") == (3, 6)
    text = page(counted, "/competitions/otto/leaderboard")
    assert "4 teams entered" in text
    assert "Your rank #1 of 3" in text
    assert "Ranked teams 3 of 4 that entered" in text
    assert "My rank 1 of 3" in page(counted, "/")
    assert "1 team has no score" in words(page_of_preview(counted))


def test_the_days_of_the_dashboard_count_the_files_of_all_and_the_teams_that_compete(
    counted: Stage,
) -> None:
    counted.server.submit(counted.token)
    teams = request(counted, "GET", f"{COMPETITION}/teams?limit=100")["items"]
    [baseline] = [each["id"] for each in teams if each["name"] == "baseline"]
    path = f"/competitions/otto/submissions?team={baseline}"
    request(counted, "POST", path, content=b"session_type,labels\n1_clicks,1")
    days = request(counted, "GET", f"{COMPETITION}/activity")["days"]
    assert sum(each["submissions"] for each in days) == 2
    assert sum(each["teams"] for each in days) == 1


def test_the_end_names_competitors_alone_and_marks_scores_that_read_alike(counted: Stage) -> None:
    preview = page_of_preview(counted)
    for act in ("close", "reveal"):
        request(counted, "POST", f"{COMPETITION}/{act}", json={})
    assert board(counted, "private") == (3, 6)
    assert "#1 of 3" in page(counted, "/competitions/otto/finale")
    picture = counted.server.client.get("/competitions/otto/finale.svg").text
    assert "Final ranking of 3 teams" in picture
    final = counted.server.client.get("/competitions/otto/leaderboard").text
    assert equal_rows(preview) == equal_rows(final) == ["Bob", "Cat"]
    sorted_by_name = counted.server.client.get("/competitions/otto/leaderboard?sort=team").text
    assert equal_rows(sorted_by_name) == []
    steps = counted.server.client.get("/competitions/otto/finale").text.split('class="podium"')[1]
    assert steps.split("</ol>")[0].count(">equal<") == 2


def page_of_preview(stage: Stage) -> str:
    headers = {"Authorization": f"Bearer {stage.admin_token}"}
    return str(stage.server.client.get("/organize/otto/finale", headers=headers).text)


def equal_rows(text: str) -> list[str]:
    """The teams whose score is marked, in the order of the table."""
    rows = [row for row in Page(text).rows if any(cell.endswith("equal") for cell in row)]
    return [name for row in rows for name in ("Bob", "Cat", "Team Ada") if name in row[1] + row[2]]
