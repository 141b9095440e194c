"""What boards are made from, and their rows as they are written. Private scores are named by one
function only, which the private board and nobody else asks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, TypeVarTuple

from sqlalchemy import Select, delete, insert, select
from sqlalchemy.orm import Session

from podium.db.boards import Board
from podium.db.engine import WriteSession
from podium.db.models import Judging, PrivateScore, PublicScore, Standing, Submission
from podium.domain.judging import State
from podium.domain.ranking import Entry

_Columns = TypeVarTuple("_Columns")


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


def standard_errors(session: Session, competition_id: str, board: Board) -> dict[str, float | None]:
    """The standard error of every scored submission on the split of this board."""
    table = PrivateScore if board == "private" else PublicScore
    query = (
        select(Submission.id, table.standard_error)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(table, table.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
    )
    return {row.id: row.standard_error for row in session.execute(query)}


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
