"""Figures for charts over HTTP: what they show, and that they show nothing that boards hide."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from podium.core.competition_settings import CompetitionSettings
from podium.core.models import Competition, Submission, Team
from podium.standings.service import standings
from tests.builders.boards import at, score, team_of
from tests.builders.databases import BOTH, url_of
from tests.builders.rows import START, add_scored
from tests.builders.uploads.changes import change
from tests.builders.uploads.stage import Stage

CHARTS = "/competitions/otto/charts"


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """Figures come from queries, so these tests run on both databases."""
    return url_of(request)


@pytest.fixture
def season(stage: Stage) -> dict[str, str]:
    """Bob is better than Ada from the 30th minute on; not every file is an improvement."""
    ids = {name: team_of(stage, name) for name in ("Ada", "Bob")}
    ids["first of Ada"] = score(stage, ids["Ada"], "0.5", 10)
    ids["first of Bob"] = score(stage, ids["Bob"], "0.4", 20)
    ids["best of Bob"] = score(stage, ids["Bob"], "0.6", 30)
    ids["last of Ada"] = score(stage, ids["Ada"], "0.45", 50)
    return ids


def figures(stage: Stage, query: str = "") -> Any:
    answer = stage.server.request("GET", f"{CHARTS}?{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def best(document: Any) -> dict[str, list[tuple[str, float]]]:
    return {
        line["team"]["name"]: [(point["at"], point["score"]) for point in line["points"]]
        for line in document["best"]
    }


def rewritten(stage: Stage, **members: Any) -> None:
    change(stage, **members)
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        if competition.revealed_at is None:
            standings.recompute_public_board(session, competition=competition)
        else:
            standings.write_private_board(session, competition=competition)


def test_best_scores_over_time_hold_every_improvement(stage: Stage, season: dict[str, str]) -> None:
    document = figures(stage)
    assert best(document) == {"Bob": [(at(20), 0.4), (at(30), 0.6)], "Ada": [(at(10), 0.5)]}
    assert [line["rank"] for line in document["best"]] == [1, 2]
    assert document["until"] == at(50)
    assert (document["competition"], document["split"], document["decimals"]) == (
        "otto",
        "public",
        5,
    )


def test_scores_are_rounded_as_everywhere(stage: Stage) -> None:
    team = team_of(stage, "Ada")
    score(stage, team, "0.571234", 10)
    score(stage, team, "0.571233", 5)
    # Both are shown as 0.57123, so that the later one is not an improvement.
    document = figures(stage)
    assert best(document) == {"Ada": [(at(5), 0.57123)]}
    assert document["ranks"] == [{"rank": 1, "score": 0.57123}]


def test_scores_are_spread_over_bins_and_ranks(stage: Stage, season: dict[str, str]) -> None:
    document = figures(stage)
    assert [(one["low"], one["high"], one["teams"]) for one in document["spread"] if one["teams"]]
    assert sum(one["teams"] for one in document["spread"]) == 2
    assert document["ranks"] == [{"rank": 1, "score": 0.6}, {"rank": 2, "score": 0.5}]


def test_the_first_ten_have_a_line_and_so_has_the_team_that_is_named(stage: Stage) -> None:
    ids = [team_of(stage, f"Team {n}") for n in range(12)]
    for number, team in enumerate(ids):
        score(stage, team, f"0.{90 - number}", 10)
    assert list(best(figures(stage))) == [f"Team {n}" for n in range(10)]
    document = figures(stage, f"team={ids[11]}")
    assert list(best(document)) == [*(f"Team {n}" for n in range(10)), "Team 11"]
    assert document["own"] == {
        "team": {"id": ids[11], "name": "Team 11"},
        "rank": 12,
        "score": 0.79,
    }
    assert len(figures(stage, f"team={ids[0]}")["best"]) == 10


@pytest.mark.parametrize("query", ["team=nobody", "split=private", "split=private&team=nobody"])
def test_what_is_on_no_board_has_no_figures(
    stage: Stage, season: dict[str, str], query: str
) -> None:
    assert stage.server.request("GET", f"{CHARTS}?{query}").status_code == 404


def test_a_freeze_hides_what_came_after_it(stage: Stage, season: dict[str, str]) -> None:
    rewritten(stage, frozen_at=START + timedelta(minutes=25))
    for query in ("", f"team={season['Bob']}"):
        document = figures(stage, query)
        assert best(document) == {"Ada": [(at(10), 0.5)], "Bob": [(at(20), 0.4)]}
        assert document["until"] == at(20)


def test_a_freeze_hides_nothing_after_the_reveal(stage: Stage, season: dict[str, str]) -> None:
    end = START + timedelta(minutes=100)
    rewritten(stage, frozen_at=START + timedelta(minutes=25), closed_at=end, revealed_at=end)
    assert best(figures(stage))["Bob"] == [(at(20), 0.4), (at(30), 0.6)]


@pytest.mark.parametrize(
    "members", [{"disqualified_at": START}, {"is_late": True}, {"is_held_back": True}]
)
def test_submissions_that_boards_do_not_show_are_in_no_figure(
    stage: Stage, season: dict[str, str], members: dict[str, Any]
) -> None:
    with stage.server.application.database.write() as session:
        found = session.query(Submission).filter_by(id=season["best of Bob"]).one()
        for name, value in members.items():
            setattr(found, name, value)
    rewritten(stage)
    assert best(figures(stage)) == {"Ada": [(at(10), 0.5)], "Bob": [(at(20), 0.4)]}


def test_hidden_teams_are_in_no_figure_and_unranked_ones_only_when_named(
    stage: Stage, season: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        session.get_one(Team, season["Ada"]).tags = ["hidden"]
        session.get_one(Team, season["Bob"]).tags = ["baseline"]
    rewritten(stage)
    document = figures(stage)
    assert (document["best"], document["spread"], document["ranks"]) == ([], [], [])
    assert list(best(figures(stage, f"team={season['Bob']}"))) == ["Bob"]
    path = f"{CHARTS}?team={season['Ada']}"
    assert stage.server.request("GET", path).status_code == 404


def test_moves_and_objectives_come_with_the_reveal(stage: Stage, season: dict[str, str]) -> None:
    teams = {name: team_of(stage, name) for name in ("Cleo", "Dan")}
    for objective_scores in ("always", "after_reveal", "organizers"):
        settings = CompetitionSettings(objective_scores=objective_scores)
        change(stage, settings=settings.model_dump(mode="json"))
        change(stage, version=stage.competition.version + len(objective_scores))
        document = figures(stage)
        assert (document["moves"], document["objectives"]) == (None, None)
    with stage.server.application.database.write() as session:
        for name, public, private in (("Cleo", "0.9", "0.1"), ("Dan", "0.8", "0.2")):
            team = session.get_one(Team, teams[name])
            add_scored(session, team, public=public, private=private)
    end = START + timedelta(minutes=100)
    rewritten(stage, closed_at=end, revealed_at=end)
    for split in ("public", "private"):
        document = figures(stage, f"split={split}")
        moves = {
            m["team"]["name"]: (m["public_rank"], m["private_rank"]) for m in document["moves"]
        }
        assert moves == {"Dan": (2, 1), "Cleo": (1, 2), "Ada": (3, 3), "Bob": (4, 4)}
        assert document["objectives"] is None
    settings = CompetitionSettings(objective_scores="after_reveal")
    rewritten(stage, settings=settings.model_dump(mode="json"))
    found = {o["team"]["name"]: o["objectives"] for o in figures(stage)["objectives"]}
    assert found["Dan"]["clicks"] == {"public": 0.8, "private": 0.2}


def test_figures_are_kept_by_the_version_of_the_board(stage: Stage, season: dict[str, str]) -> None:
    first = stage.server.request("GET", CHARTS)
    headers = {"If-None-Match": first.headers["etag"]}
    assert stage.server.request("GET", CHARTS, headers=headers).status_code == 304
    score(stage, season["Ada"], "0.7", 60)
    second = stage.server.request("GET", CHARTS, headers=headers)
    assert best(second.json())["Ada"] == [(at(10), 0.5), (at(60), 0.7)]
    other = stage.server.request("GET", f"{CHARTS}?team={season['Ada']}")
    assert other.headers["etag"] != second.headers["etag"]


def test_private_competitions_have_no_charts_for_strangers(
    stage: Stage, season: dict[str, str]
) -> None:
    change(stage, visibility="private")
    assert stage.server.request("GET", CHARTS).status_code == 404
    assert stage.server.request("GET", CHARTS, stage.stranger_token).status_code == 404
    assert stage.server.request("GET", CHARTS, stage.token).status_code == 200
