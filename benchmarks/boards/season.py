"""A season of OTTO's size as rows of a database: teams, submissions, judgings and scores, written
set by set. What a board shows is then computed by the product itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from sqlalchemy import insert

from podium.core.database.engine import Database, WriteSession
from podium.core.database.types import new_id
from podium.core.models import (
    Base,
    Competition,
    Judging,
    PrivateScore,
    PublicScore,
    Submission,
    Team,
    User,
)
from podium.standings.service import standings

TEAMS, SUBMISSIONS = 2_600, 34_000
"""The numbers that OTTO had on Kaggle."""

START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS = 90

PUBLIC_DENOMINATOR, PRIVATE_DENOMINATOR = 600_011, 1_200_007
"""Denominators of the exact scores: about as many labels as OTTO's halves have."""

ROWS_AT_A_TIME = 5_000


def write_season(
    database: Database, slug: str, *, teams: int = TEAMS, submissions: int = SUBMISSIONS
) -> None:
    """Writes an open competition with so many teams and scored submissions, and its board."""
    draw = random.Random(42)
    with database.write() as session:
        owner = _insert(session, User, [_person(f"owner of {slug}")])[0]["id"]
        competition = Competition(
            slug=slug,
            title=slug,
            settings={},
            created_at=START,
            created_by=owner,
            launched_at=START,
            active_ground_truth=1,
        )
        session.add(competition)
        session.flush()
        made = _insert(session, Team, [_team(competition.id, n) for n in range(teams)])
        ids = [team["id"] for team in made]
        rows = [_submission(competition.id, owner, ids, n, submissions) for n in range(submissions)]
        _insert(session, Submission, rows)
        judgings = _insert(session, Judging, [_judging(row) for row in rows])
        for table, denominator in (
            (PublicScore, PUBLIC_DENOMINATOR),
            (PrivateScore, PRIVATE_DENOMINATOR),
        ):
            _insert(session, table, [_score(draw, row["id"], denominator) for row in judgings])
        standings.recompute_public_board(session, competition=competition)


def _person(name: str) -> dict[str, Any]:
    return {"id": new_id(), "name": name, "name_key": name, "created_at": START}


def _team(competition_id: str, number: int) -> dict[str, Any]:
    return {
        "id": new_id(),
        "competition_id": competition_id,
        "name": f"Team number {number}",
        "name_key": f"team{number}",
        "invite_code": new_id(),
        "tags": [],
        "created_at": START,
    }


def _submission(
    competition_id: str, user_id: str, teams: Sequence[str], number: int, of: int
) -> dict[str, Any]:
    at = START + timedelta(days=DAYS) * number / of
    return {
        "id": new_id(),
        "competition_id": competition_id,
        "team_id": teams[number * 7919 % len(teams)],
        "user_id": user_id,
        "filename": "submission.csv",
        "bytes": 821_000_000,
        "sha256": f"{number:064x}",
        "submitted_at": at,
        # There are only rows of it.
        "file_removed_at": at,
        "judging_id": new_id(),
    }


def _judging(submission: dict[str, Any]) -> dict[str, Any]:
    at = submission["submitted_at"]
    return {
        "id": submission["judging_id"],
        "submission_id": submission["id"],
        "competition_id": submission["competition_id"],
        "ground_truth_version": 1,
        "state": "scored",
        "priority": 1,
        "created_at": at,
        "judged_at": at + timedelta(minutes=1),
    }


def _score(draw: random.Random, judging_id: str, denominator: int) -> dict[str, Any]:
    hits = draw.randrange(denominator // 2, denominator * 3 // 5)
    return {"judging_id": judging_id, "score": Fraction(hits, denominator), "objectives": {}}


def _insert(
    session: WriteSession, table: type[Base], rows: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    for part in _parts(rows):
        session.execute(insert(table), part)
    return rows


def _parts(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), ROWS_AT_A_TIME):
        yield rows[start : start + ROWS_AT_A_TIME]
