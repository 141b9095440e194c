"""Pages of a board that are read while it changes, over HTTP and on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from podium.core.models import Competition, Submission, Team
from podium.standings.service import standings
from tests.builders.boards import BOARD, board, score, team_of
from tests.builders.databases import BOTH, url_of
from tests.builders.rows import START
from tests.builders.uploads.stage import Stage

NAMES = ("Ada", "Bob", "Cleo", "Dora", "Emil")


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """Pages of a board are read by queries, so these tests run on both databases."""
    return url_of(request)


@pytest.fixture
def ids(stage: Stage) -> dict[str, str]:
    """Five teams in the order of the alphabet, from 0.9 to 0.5."""
    found = {name: team_of(stage, name) for name in NAMES}
    for number, name in enumerate(NAMES):
        score(stage, found[name], f"0.{9 - number}", number + 1)
    return found


def later() -> int:
    """A minute after every board of this test: an hour from now."""
    return (datetime.now(UTC) - START) // timedelta(minutes=1) + 60


def names(document: Any) -> list[str]:
    return [row["team"]["name"] for row in document["rows"]]


def rest(stage: Stage, first: Any, query: str = "limit=2") -> list[str]:
    """The teams of all pages, the first of which was read before."""
    found, cursor = names(first), first["next_cursor"]
    while cursor is not None:
        page = board(stage, f"{query}&cursor={cursor}")
        found += names(page)
        cursor = page["next_cursor"]
    return found


@pytest.mark.parametrize("query", ["limit=2", "limit=2&since=2026-01-01T00:03:00Z"])
def test_a_team_that_comes_between_makes_no_other_come_twice(
    stage: Stage, ids: dict[str, str], query: str
) -> None:
    first = board(stage, query)
    score(stage, team_of(stage, "Newcomer"), "0.85", later())
    assert rest(stage, first, query) == list(NAMES)
    second = board(stage, f"{query}&cursor={first['next_cursor']}")
    assert first["as_of"] is None
    assert (second["total"], second["as_of"]) == (5, first["updated_at"])
    assert rest(stage, board(stage, query), query) == ["Ada", "Newcomer", *NAMES[1:]]


def test_a_team_that_passes_those_on_the_first_page_is_not_left_out(
    stage: Stage, ids: dict[str, str]
) -> None:
    first = board(stage, "limit=2")
    score(stage, ids["Emil"], "0.95", later())
    assert rest(stage, first) == list(NAMES)


def test_rows_that_were_chosen_and_ordered_follow_each_other_too(
    stage: Stage, ids: dict[str, str]
) -> None:
    query = "limit=1&q=o&sort=-team"
    first = board(stage, query)
    score(stage, team_of(stage, "Zoe"), "0.1", later())
    assert rest(stage, first, query) == ["Dora", "Cleo", "Bob"]


def test_what_changes_elsewhere_is_seen_at_once(stage: Stage, ids: dict[str, str]) -> None:
    """Only the order of the first two has changed, and a team is behind them."""
    first = board(stage, "limit=2")
    score(stage, ids["Bob"], "0.99", later())
    score(stage, team_of(stage, "Newcomer"), "0.65", later())
    second = board(stage, f"limit=2&cursor={first['next_cursor']}")
    assert (names(second), second["as_of"], second["total"]) == (["Cleo", "Newcomer"], None, 6)


@pytest.mark.parametrize("query", ["limit=2", "limit=2&as_of=2026-01-01T01:00:00Z"])
def test_a_change_of_the_past_between_two_pages_is_refused(
    stage: Stage, ids: dict[str, str], query: str
) -> None:
    first = board(stage, query)
    with stage.server.application.database.write() as session:
        [of_ada] = session.query(Submission).filter_by(team_id=ids["Ada"])
        of_ada.disqualified_at = START
        competition = session.get_one(Competition, stage.competition.id)
        standings.recompute_public_board(session, competition=competition)
    answer = stage.server.request("GET", f"{BOARD}?{query}&cursor={first['next_cursor']}")
    assert (answer.status_code, answer.json()["code"]) == (409, "board-changed")
    assert rest(stage, board(stage, query), query) == list(NAMES[1:])


def test_pages_go_on_over_a_freeze_and_over_the_reveal(stage: Stage, ids: dict[str, str]) -> None:
    first, minute = board(stage, "limit=2"), later()
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.frozen_at = START + timedelta(minutes=minute - 1)
    score(stage, team_of(stage, "Newcomer"), "0.95", minute)
    assert rest(stage, first) == list(NAMES)
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.closed_at = competition.revealed_at = START + timedelta(minutes=minute + 1)
        standings.write_private_board(session, competition=competition)
    assert names(board(stage, ""))[0] == "Newcomer"
    assert rest(stage, first) == list(NAMES)


def test_a_final_board_that_changes_between_two_pages_is_refused(
    stage: Stage, ids: dict[str, str]
) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.closed_at = competition.revealed_at = START + timedelta(minutes=9)
        standings.write_private_board(session, competition=competition)
    query = "limit=2&split=private"
    first = board(stage, query)
    assert rest(stage, first, query) == list(NAMES)
    with stage.server.application.database.write() as session:
        session.get_one(Team, ids["Ada"]).tags = ["hidden"]
        competition = session.get_one(Competition, stage.competition.id)
        standings.recompute_public_board(session, competition=competition)
    answer = stage.server.request("GET", f"{BOARD}?{query}&cursor={first['next_cursor']}")
    assert (answer.status_code, answer.json()["code"]) == (409, "board-changed")
