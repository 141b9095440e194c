"""What boards are made from, and their rows as they are written. Private scores are named by one
function only, which the private board and nobody else asks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, Literal, TypeVarTuple

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.orm import Session

from app.db.engine import WriteSession
from app.db.models import (
    Competition,
    Judging,
    Membership,
    PrivateScore,
    PublicScore,
    Standing,
    Submission,
    Team,
)
from app.domain.judging import State
from app.domain.ranking import Entry

Board = Literal["public", "private"]

_Columns = TypeVarTuple("_Columns")


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


def touch_boards_of(session: WriteSession, *, user_id: str, now: datetime) -> None:
    """Gives the boards of all competitions of a person a new version: they show the name. They are
    locked one after the other, in the same order by everybody."""
    query = (
        select(Membership.competition_id)
        .where(Membership.user_id == user_id)
        .order_by(Membership.competition_id)
    )
    for competition_id in session.scalars(query).all():
        touch_board(session, competition_id=competition_id, now=now)


def public_entries(
    session: Session,
    *,
    competition_id: str,
    team_ids: Sequence[str] | None = None,
    before: datetime | None,
) -> list[Entry]:
    """The scored submissions that count on the public board, with public scores.

    `before` leaves out what was submitted at or after a freeze.
    """
    query = (
        _counting(select(*_ENTRY, PublicScore.score))
        .join(PublicScore, PublicScore.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
    )
    if team_ids is not None:
        query = query.where(Submission.team_id.in_(team_ids))
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


_ENTRY = (
    Submission.id,
    Submission.team_id,
    Submission.submitted_at,
    Submission.sequence,
    Submission.is_held_back,
)


def _counting(query: Select[*_Columns]) -> Select[*_Columns]:
    return (
        query.select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Judging.state == State.SCORED,
            Submission.disqualified_at.is_(None),
            Submission.is_late.is_(False),
        )
    )
