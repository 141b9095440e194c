"""Boards over rows that a test writes: teams, scores at minutes, and what is shown of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from podium.core.models import Competition, Team
from tests.builders.rows import START, add_scored, add_team
from tests.builders.uploads.stage import Stage


def team_of(stage: Stage, name: str) -> str:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        return add_team(session, competition, name)[0].id


def score(
    stage: Stage, team_id: str, public: str, minute: int, *, judged: int | None = None
) -> str:
    """A submission of this minute after the start, judged in the given minute (or the same)."""
    judged_at = START + timedelta(minutes=minute if judged is None else judged)
    with stage.server.application.database.write() as session:
        team = session.get_one(Team, team_id)
        return add_scored(session, team, public=public, minute=minute, judged_at=judged_at)


def at(minute: int, second: int = 0) -> str:
    return f"2026-01-01T{minute // 60:02}:{minute % 60:02}:{second:02}Z"


def board(stage: Stage, query: str) -> Any:
    answer = stage.server.request("GET", f"{BOARD}?{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


BOARD = "/competitions/otto/leaderboard"


def enters(stage: Stage, name: str, public: str, minute: int = 0, private: str = "0.1") -> str:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        team, _ = add_team(session, competition, name)
        return add_scored(session, team, public=public, private=private, minute=minute)
