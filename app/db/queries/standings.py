"""What boards are made from and what they show. Private scores are named by one function only,
which the private board and nobody else asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, Literal

from sqlalchemy import Row, case, delete, func, insert, select, update
from sqlalchemy.orm import Session

from app.db.engine import WriteSession
from app.db.models import (
    Competition,
    Judging,
    PrivateScore,
    PublicScore,
    Standing,
    Submission,
    Team,
)
from app.domain.judging import State
from app.domain.ranking import Entry

Board = Literal["public", "private"]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line of a board: `rank` counts ranked teams only and is None for the others."""

    rank: int | None
    team_id: str
    team_name: str
    tags: list[str]
    is_disqualified: bool
    shown: int
    decimals: int
    submission_id: str
    submissions: int
    submitted_at: datetime
    last_submitted_at: datetime
    standard_error: float | None = None
    is_tied: bool | None = None


def lock_board(session: WriteSession, *, competition_id: str) -> Competition:
    """The competition, locked until the commit, so that changes of its boards follow each other."""
    query = (
        select(Competition)
        .where(Competition.id == competition_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return session.scalars(query).one()


def touch_board(session: WriteSession, *, competition_id: str, now: datetime) -> None:
    """Gives the boards of a competition a new version."""
    session.execute(
        update(Competition)
        .where(Competition.id == competition_id)
        .values(board_version=Competition.board_version + 1, board_updated_at=now)
    )


def public_entries(
    session: Session, *, competition_id: str, team_id: str | None = None, before: datetime | None
) -> list[Entry]:
    """The scored submissions that count on the public board, with public scores.

    `before` leaves out what was submitted at or after a freeze.
    """
    query = (
        _counting(select(*_ENTRY, PublicScore.score))
        .join(PublicScore, PublicScore.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
    )
    if team_id is not None:
        query = query.where(Submission.team_id == team_id)
    if before is not None:
        query = query.where(Submission.submitted_at < before)
    return [
        Entry(i, t, score, at, seq, is_shown=not held_back)
        for i, t, at, seq, held_back, score in session.execute(query)
    ]


def private_scores(session: Session, *, competition_id: str) -> dict[str, Fraction]:
    """The exact private score of every submission that counts. For the private board alone."""
    query = (
        _counting(select(Submission.id, PrivateScore.score))
        .join(PrivateScore, PrivateScore.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
    )
    return {row.id: row.score for row in session.execute(query)}


def chosen_finals(session: Session, *, competition_id: str) -> set[str]:
    """Ids of all submissions that teams have selected."""
    query = select(Submission.id).where(
        Submission.competition_id == competition_id, Submission.is_selected
    )
    return set(session.scalars(query))


def teams_of(session: Session, *, competition_id: str) -> dict[str, Team]:
    """All teams of a competition by id."""
    query = select(Team).where(Team.competition_id == competition_id)
    return {team.id: team for team in session.scalars(query)}


def replace_board(
    session: WriteSession, *, competition_id: str, board: Board, rows: Sequence[dict[str, Any]]
) -> None:
    """Puts these rows, given by their columns, in the place of all rows of one board."""
    session.execute(
        delete(Standing).where(Standing.competition_id == competition_id, Standing.board == board)
    )
    if rows:
        whose = {"competition_id": competition_id, "board": board}
        session.execute(insert(Standing), [whose | row for row in rows])


def page(
    session: Session, *, competition_id: str, board: Board, limit: int | None, offset: int
) -> list[BoardRow]:
    """Rows of a board in its order, numbered, in one query; unranked teams stand at the place of
    their score without taking a rank."""
    order: Sequence[Any] = (Standing.shown.desc(), Standing.submitted_at, Standing.sequence)
    if board == "private":
        # Exact scores decided the positions; the shown value only tells where an unranked team
        # stands, after the ranked ones that show the same.
        order = (Standing.shown.desc(), Standing.position.is_(None), Standing.position, *order[1:])
    number = func.sum(case((Standing.is_ranked, 1), else_=0)).over(order_by=order)
    place = func.row_number().over(order_by=order)
    # The page is cut before teams are joined, and only columns are fetched: a board is read often.
    part = (
        select(*_COLUMNS, number.label("number"), place.label("place"))
        .where(Standing.competition_id == competition_id, Standing.board == board)
        .order_by(*order)
        .offset(offset)
        .limit(limit)
        .subquery()
    )
    query = (
        select(part, Team.name, Team.tags, Team.disqualified_at)
        .join(Team, Team.id == part.c.team_id)
        .order_by(part.c.place)
    )
    return [_row(found) for found in session.execute(query)]


_COLUMNS = (
    Standing.team_id,
    Standing.is_ranked,
    Standing.shown,
    Standing.decimals,
    Standing.submission_id,
    Standing.submissions,
    Standing.submitted_at,
    Standing.last_submitted_at,
    Standing.standard_error,
    Standing.is_tied,
)

_ENTRY = (
    Submission.id,
    Submission.team_id,
    Submission.submitted_at,
    Submission.sequence,
    Submission.is_held_back,
)


def _counting(query: Any) -> Any:
    return (
        query.select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Judging.state == State.SCORED,
            Submission.disqualified_at.is_(None),
            Submission.is_late.is_(False),
        )
    )


def _row(found: Row[Any]) -> BoardRow:
    return BoardRow(
        rank=int(found.number) if found.is_ranked else None,
        team_id=found.team_id,
        team_name=found.name,
        tags=found.tags,
        is_disqualified=found.disqualified_at is not None,
        shown=found.shown,
        decimals=found.decimals,
        submission_id=found.submission_id,
        submissions=found.submissions,
        submitted_at=found.submitted_at,
        last_submitted_at=found.last_submitted_at,
        standard_error=found.standard_error,
        is_tied=found.is_tied,
    )
