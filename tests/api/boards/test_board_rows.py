"""Rows of a board by name, by team and in other orders, over HTTP and on both databases; and that a
board changes with the people whom it names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from podium.accounts.service import accounts
from podium.accounts.service.deletion import delete_account
from podium.core.access import Actor
from podium.core.models import Competition, Membership, Team
from podium.core.names import name_key
from podium.standings.service import standings
from podium.teams.queries import members_of
from podium.teams.service import organizing, teams
from tests.builders.boards import BOARD, at, board, score, team_of
from tests.builders.databases import BOTH, url_of
from tests.builders.rows import START, add_user
from tests.builders.uploads.stage import Stage


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """Databases compare and order texts in ways of their own, so these tests run on both."""
    return url_of(request)


@pytest.fixture
def ids(stage: Stage) -> dict[str, str]:
    """Three teams in the order of the board: 100% Bob, Ada, under_score."""
    found = {name: team_of(stage, name) for name in ("Ada", "100% Bob", "under_score")}
    score(stage, found["Ada"], "0.5", 10)
    score(stage, found["100% Bob"], "0.6", 20)
    score(stage, found["under_score"], "0.4", 30)
    score(stage, found["under_score"], "0.3", 40)
    return found


def names(document: Any) -> list[tuple[int | None, int, str]]:
    return [(row["rank"], row["place"], row["team"]["name"]) for row in document["rows"]]


CHOSEN: dict[str, list[tuple[int, str]]] = {
    "q=a": [(2, "Ada")],
    "q=ÂDA": [(2, "Ada")],
    "q=%25": [(1, "100% Bob")],
    "q=_": [(3, "under_score")],
    "q=cleo": [],
    "q=%20": [(1, "100% Bob"), (2, "Ada"), (3, "under_score")],
    "sort=-rank": [(3, "under_score"), (2, "Ada"), (1, "100% Bob")],
    "sort=-team&limit=1": [(3, "under_score")],
    "sort=-submissions&limit=2": [(3, "under_score"), (1, "100% Bob")],
    "sort=last&limit=1": [(2, "Ada")],
    "sort=-last&limit=1": [(3, "under_score")],
}


@pytest.mark.parametrize("moment", ["", f"&as_of={at(60)}"])
def test_rows_are_chosen_and_ordered_and_keep_their_ranks(
    stage: Stage, ids: dict[str, str], moment: str
) -> None:
    for query, expected in CHOSEN.items():
        found = names(board(stage, query + moment))
        assert found == [(rank, rank, name) for rank, name in expected], query


def test_one_team_is_found_by_its_id(stage: Stage, ids: dict[str, str]) -> None:
    assert names(board(stage, f"team={ids['Ada']}")) == [(2, 2, "Ada")]
    assert names(board(stage, f"team={ids['Ada']}&as_of={at(60)}")) == [(2, 2, "Ada")]
    assert names(board(stage, "team=nobody")) == []


def test_all_wanted_rows_are_counted_and_pages_of_them_follow_each_other(
    stage: Stage, ids: dict[str, str]
) -> None:
    first = board(stage, "q=d&limit=1")
    assert (names(first), first["total"]) == ([(2, 2, "Ada")], 2)
    second = board(stage, f"q=d&limit=1&cursor={first['next_cursor']}")
    assert (names(second), second["next_cursor"]) == ([(3, 3, "under_score")], None)
    assert board(stage, "limit=1")["total"] == 3
    assert board(stage, f"limit=1&as_of={at(15)}")["total"] == 1


def test_every_question_has_a_tag_of_its_own(stage: Stage, ids: dict[str, str]) -> None:
    queries = ("", "q=a", "q=b", "sort=team", "sort=-team", f"team={ids['Ada']}")
    tags = {stage.server.request("GET", f"{BOARD}?{query}").headers["etag"] for query in queries}
    assert len(tags) == len(queries)


def test_nothing_but_what_is_shown_orders_a_board(stage: Stage) -> None:
    for sort in ("private_score", "score", "-private", "position", "shown", ""):
        assert stage.server.request("GET", f"{BOARD}?sort={sort}").status_code == 422


def test_a_final_board_tells_where_the_same_submission_stood(
    stage: Stage, ids: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        session.get_one(Team, ids["under_score"]).tags = ["baseline"]
        competition.closed_at = competition.revealed_at = START + timedelta(minutes=100)
        standings.write_private_board(session, competition=competition)
    rows = board(stage, "split=private")["rows"]
    # All private scores are 0, so that the first who sent something is the first.
    assert [(row["team"]["name"], row["rank"], row["public_rank"]) for row in rows] == [
        ("Ada", 1, 2),
        ("100% Bob", 2, 1),
        ("under_score", None, None),
    ]
    assert {row["public_rank"] for row in board(stage, "")["rows"]} == {None}


def members(stage: Stage, team: str) -> list[str]:
    (row,) = board(stage, f"team={team}")["rows"]
    return list(row["members"])


def test_the_people_of_a_team_are_named_in_the_order_in_which_they_joined(
    stage: Stage, ids: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        for number, name in enumerate(("zoe", "bea")):
            session.add(
                Membership(
                    competition_id=stage.competition.id,
                    user_id=add_user(session, name).user_id,
                    team_id=ids["Ada"],
                    joined_at=START + timedelta(days=9_999 + number),
                )
            )
    assert members(stage, ids["Ada"])[1:] == ["zoe", "bea"]


Act = Callable[[Any, Actor, Team], None]


def join(session: Any, root: Actor, team: Team) -> None:
    newcomer = add_user(session, "newcomer")
    teams.join_team(session, slug="otto", actor=newcomer, invite_code=team.invite_code)


def rename(session: Any, root: Actor, team: Team) -> None:
    (user,) = members_of(session, team_id=team.id)
    accounts.change_user(session, actor=root, user_id=user.id, changes={"name": "renamed"})


def delete(session: Any, root: Actor, team: Team) -> None:
    (user,) = members_of(session, team_id=team.id)
    user.name_key = name_key(user.name)
    delete_account(session, actor=root, user_id=user.id, confirm=user.name)


def remove(session: Any, root: Actor, team: Team) -> None:
    (user,) = members_of(session, team_id=team.id)
    organizing.remove_member(session, actor=root, team_id=team.id, user_id=user.id, reason="x")


@pytest.mark.parametrize("act", [join, rename, delete, remove])
def test_a_board_changes_with_the_people_that_it_names(
    stage: Stage, ids: dict[str, str], act: Act
) -> None:
    before = stage.server.request("GET", f"{BOARD}?team={ids['Ada']}")
    tag = before.headers["etag"]
    with stage.server.application.database.write() as session:
        root = add_user(session, is_administrator=True)
        act(session, root, session.get_one(Team, ids["Ada"]))
    headers = {"If-None-Match": tag}
    after = stage.server.request("GET", f"{BOARD}?team={ids['Ada']}", headers=headers)
    assert after.status_code == 200
    assert after.json()["rows"][0]["members"] != before.json()["rows"][0]["members"]
