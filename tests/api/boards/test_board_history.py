"""Boards as they were, and how ranks have changed, over HTTP and on both databases."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from podium.core.database.types import new_id
from podium.core.models import Competition, Judging, PublicScore, Rejudging, Submission, Team
from podium.standings.service import standings
from tests.builders.boards import BOARD, at, board, score, team_of
from tests.builders.databases import BOTH, url_of
from tests.builders.rows import START
from tests.builders.uploads.changes import change
from tests.builders.uploads.stage import Stage


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """History is computed by queries, so these tests run on both databases."""
    return url_of(request)


def lines(stage: Stage, query: str) -> list[tuple[Any, ...]]:
    return [
        (row["rank"], row["team"]["name"], row["score"], row["submissions"])
        for row in board(stage, query)["rows"]
    ]


@pytest.fixture
def season(stage: Stage) -> dict[str, str]:
    """Ada leads until Bob passes her; the second file of Bob waits ten minutes for its verdict."""
    ids = {name: team_of(stage, name) for name in ("Ada", "Bob")}
    ids["first of Ada"] = score(stage, ids["Ada"], "0.5", 10)
    ids["first of Bob"] = score(stage, ids["Bob"], "0.4", 20)
    ids["best of Bob"] = score(stage, ids["Bob"], "0.6", 30, judged=40)
    ids["last of Ada"] = score(stage, ids["Ada"], "0.45", 50)
    return ids


@pytest.mark.parametrize(
    ("minute", "second", "expected"),
    [
        (9, 59, []),
        (10, 0, [(1, "Ada", 0.5, 1)]),
        (20, 0, [(1, "Ada", 0.5, 1), (2, "Bob", 0.4, 1)]),
        (39, 59, [(1, "Ada", 0.5, 1), (2, "Bob", 0.4, 1)]),
        (40, 0, [(1, "Bob", 0.6, 2), (2, "Ada", 0.5, 1)]),
        (50, 0, [(1, "Bob", 0.6, 2), (2, "Ada", 0.5, 2)]),
    ],
)
def test_a_board_of_the_past_holds_what_was_submitted_and_judged_by_then(
    stage: Stage, season: dict[str, str], minute: int, second: int, expected: Any
) -> None:
    assert lines(stage, f"as_of={at(minute, second)}") == expected


def test_a_row_of_the_past_has_all_fields_of_a_row(stage: Stage, season: dict[str, str]) -> None:
    document = board(stage, f"as_of={at(39)}")
    assert document["as_of"] == at(39)
    past, (now, *_) = document["rows"][1], board(stage, "")["rows"]
    assert past.keys() == now.keys()
    assert (
        past.items()
        >= {
            "rank": 2,
            "place": 2,
            "score": 0.4,
            "submission_id": season["first of Bob"],
            "submissions": 1,
            "submitted_at": at(20),
            "last_submitted_at": at(20),
        }.items()
    )


def test_the_board_as_of_now_is_the_board(stage: Stage, season: dict[str, str]) -> None:
    assert board(stage, f"as_of={at(60)}")["rows"] == board(stage, "")["rows"]


def test_rank_change_counts_the_places_that_a_team_came_up(
    stage: Stage, season: dict[str, str]
) -> None:
    score(stage, team_of(stage, "Cleo"), "0.55", 45)
    changes = {
        minute: {
            row["team"]["name"]: row["rank_change"]
            for row in board(stage, f"since={at(minute)}")["rows"]
        }
        for minute in (5, 20, 45)
    }
    assert changes[5] == {"Bob": None, "Cleo": None, "Ada": None}
    assert changes[20] == {"Bob": 1, "Cleo": None, "Ada": -2}
    assert changes[45] == {"Bob": 0, "Cleo": 0, "Ada": 0}
    then = board(stage, f"since={at(20)}&as_of={at(40)}")["rows"]
    assert [(row["team"]["name"], row["rank_change"]) for row in then] == [("Bob", 1), ("Ada", -1)]


def test_pages_of_a_past_board_follow_each_other(stage: Stage, season: dict[str, str]) -> None:
    first = board(stage, f"as_of={at(40)}&limit=1")
    assert [row["team"]["name"] for row in first["rows"]] == ["Bob"]
    second = board(stage, f"as_of={at(40)}&limit=1&cursor={first['next_cursor']}")
    assert [(row["rank"], row["team"]["name"]) for row in second["rows"]] == [(2, "Ada")]
    assert second["next_cursor"] is None


def test_every_moment_has_a_tag_of_its_own(stage: Stage, season: dict[str, str]) -> None:
    queries = ("", f"as_of={at(10)}", f"as_of={at(11)}", f"since={at(10)}", f"since={at(11)}")
    tags = {stage.server.request("GET", f"{BOARD}?{query}").headers["etag"] for query in queries}
    assert len(tags) == len(queries)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("as_of=2999-01-01T00:00:00Z", 422, "in-the-future"),
        ("since=2999-01-01T00:00:00Z", 422, "in-the-future"),
        (f"as_of={at(10)}&since={at(11)}", 422, "since-after-as-of"),
        ("as_of=2025-12-31T23:59:59Z", 404, "not-launched"),
        (f"as_of={at(10)}&split=private", 404, "not-revealed"),
        ("as_of=yesterday", 422, "invalid"),
        ("as_of=2026-01-01T00:00:00", 422, "invalid"),
    ],
)
def test_impossible_moments_get_clear_answers(
    stage: Stage, query: str, status: int, code: str
) -> None:
    answer = stage.server.request("GET", f"{BOARD}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_no_team_had_a_rank_before_the_launch(stage: Stage, season: dict[str, str]) -> None:
    rows = board(stage, "since=2025-01-01T00:00:00Z")["rows"]
    assert {row["rank_change"] for row in rows} == {None}


def test_a_freeze_hides_in_the_past_what_it_hides_today(
    stage: Stage, season: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.frozen_at = START + timedelta(minutes=25)
        standings.recompute_public_board(session, competition=competition)
    frozen = [(1, "Ada", 0.5, 1), (2, "Bob", 0.4, 1)]
    assert lines(stage, "") == frozen
    for minute in (24, 25, 45, 60):
        assert lines(stage, f"as_of={at(minute)}") == frozen


def test_after_the_reveal_the_frozen_time_stays_as_it_was(
    stage: Stage, season: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.frozen_at = START + timedelta(minutes=25)
        competition.closed_at = competition.revealed_at = START + timedelta(minutes=100)
        standings.write_private_board(session, competition=competition)
    assert lines(stage, f"as_of={at(60)}") == [(1, "Ada", 0.5, 1), (2, "Bob", 0.4, 1)]
    for split in ("public", "private"):
        past = board(stage, f"as_of={at(100)}&split={split}")
        assert past["rows"] == board(stage, f"split={split}")["rows"]
    answer = stage.server.request("GET", f"{BOARD}?as_of={at(99)}&split=private")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-revealed")


def test_what_is_disqualified_or_hidden_today_was_so_always(
    stage: Stage, season: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        best = session.query(Submission).filter_by(id=season["best of Bob"]).one()
        best.disqualified_at = START
        session.get_one(Team, season["Ada"]).tags = ["hidden"]
        competition = session.get_one(Competition, stage.competition.id)
        standings.recompute_public_board(session, competition=competition)
    assert lines(stage, f"as_of={at(60)}") == [(1, "Bob", 0.4, 1)]


def test_teams_without_a_rank_stand_in_the_past_where_they_stand_today(
    stage: Stage, season: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        session.get_one(Team, season["Bob"]).tags = ["baseline"]
        competition = session.get_one(Competition, stage.competition.id)
        standings.recompute_public_board(session, competition=competition)
    assert lines(stage, f"as_of={at(40)}") == [(None, "Bob", 0.6, 2), (1, "Ada", 0.5, 1)]
    changes = {
        row["team"]["name"]: row["rank_change"] for row in board(stage, f"since={at(40)}")["rows"]
    }
    assert changes == {"Bob": None, "Ada": 0}


def test_a_rejudging_counts_for_all_times_and_moves_nothing_in_time(
    stage: Stage, season: dict[str, str]
) -> None:
    """The new judging came much later; the submission was judged when it first was."""
    with stage.server.application.database.write() as session:
        first = session.query(Submission).filter_by(id=season["first of Ada"]).one()
        rejudging = Rejudging(
            competition_id=stage.competition.id,
            ground_truth_version=1,
            reason="a fix",
            state="applied",
            created_at=START,
            created_by=stage.competition.created_by,
        )
        session.add(rejudging)
        session.flush()
        judging = Judging(
            id=new_id(),
            submission_id=first.id,
            competition_id=stage.competition.id,
            ground_truth_version=1,
            rejudging_id=rejudging.id,
            state="scored",
            created_at=START,
            judged_at=START + timedelta(minutes=90),
        )
        session.add(judging)
        session.flush()
        session.add(PublicScore(judging_id=judging.id, score=Fraction("0.3"), objectives={}))
        first.judging_id = judging.id
        standings.refresh(session, competition_id=stage.competition.id, team_id=season["Ada"])
    assert lines(stage, f"as_of={at(10)}") == [(1, "Ada", 0.3, 1)]
    assert lines(stage, f"as_of={at(20)}") == [(1, "Bob", 0.4, 1), (2, "Ada", 0.3, 1)]


def test_private_competitions_have_no_past_for_strangers(
    stage: Stage, season: dict[str, str]
) -> None:
    change(stage, visibility="private")
    for query in (f"as_of={at(40)}", f"since={at(40)}"):
        assert stage.server.request("GET", f"{BOARD}?{query}").status_code == 404
        path = f"{BOARD}?{query}"
        assert stage.server.request("GET", path, stage.stranger_token).status_code == 404
        assert stage.server.request("GET", path, stage.token).status_code == 200
