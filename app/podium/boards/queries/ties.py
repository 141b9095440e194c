"""Ties on a final board: rows with their exact scores. The only queries of boards that read private
scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import and_, exists, func, select, update
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.database.prechecks import Precheck
from podium.core.models import (
    Competition,
    Judging,
    PrivateScore,
    PublicScore,
    Run,
    Standing,
    Submission,
)
from podium.core.visibility import Board

_SCORES: dict[Board, type[PublicScore] | type[PrivateScore]] = {
    "public": PublicScore,
    "private": PrivateScore,
}

_IS_OPEN = (Standing.is_ranked, Standing.is_tied.is_(None), Standing.standard_error.is_not(None))

MAY_BE_UNSETTLED = Precheck(exists().where(*_IS_OPEN))


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A ranked row of a final board, with its exact score."""

    team_id: str
    submission_id: str
    is_tied: bool | None
    score: Fraction
    standard_error: float | None
    hits_sha256: str | None
    ground_truth_version: int


def unsettled(session: Session) -> list[tuple[Competition, Board]]:
    """Finds the final boards with ranked rows whose ties are not known yet."""
    # Rows of settings cannot be compared on every database, so boards are found before them.
    open_boards = (
        select(Standing.competition_id, Standing.board).where(*_IS_OPEN).distinct().subquery()
    )
    query = (
        select(Competition, open_boards.c.board)
        .join(open_boards, open_boards.c.competition_id == Competition.id)
        .where(Competition.revealed_at.is_not(None), Competition.deleted_at.is_(None))
        .order_by(Competition.id, open_boards.c.board)
    )
    boards: dict[str, Board] = {"public": "public", "private": "private"}
    return [(competition, boards[board]) for competition, board in session.execute(query)]


def final_rows(session: Session, *, competition_id: str, board: Board) -> list[FinalRow]:
    """Lists the ranked rows of a board, from the first rank on."""
    table = _SCORES[board]
    query = (
        select(
            Standing.team_id,
            Standing.submission_id,
            Standing.is_tied,
            table.score,
            table.standard_error,
            func.coalesce(Run.hits_sha256, Judging.hits_sha256),
            Judging.ground_truth_version,
        )
        .join(Submission, Submission.id == Standing.submission_id)
        .join(Judging, Judging.id == Submission.judging_id)
        .join(table, table.judging_id == Judging.id)
        .outerjoin(Run, and_(Run.judging_id == Judging.id, Run.is_private))
        .where(
            Standing.competition_id == competition_id,
            Standing.board == board,
            Standing.is_ranked,
        )
        .order_by(
            Standing.position, Standing.shown.desc(), Standing.submitted_at, Standing.sequence
        )
    )
    return [FinalRow(*row) for row in session.execute(query)]


def settle(
    session: WriteSession,
    *,
    competition_id: str,
    board: Board,
    rows: Sequence[FinalRow],
    tied: Mapping[str, bool],
) -> None:
    """Stores for teams, by their id, whether they are tied. A row that shows another submission by
    now is left unchanged."""
    for row in rows:
        if row.team_id in tied:
            session.execute(
                update(Standing)
                .where(
                    Standing.competition_id == competition_id,
                    Standing.board == board,
                    Standing.team_id == row.team_id,
                    Standing.submission_id == row.submission_id,
                )
                .values(is_tied=tied[row.team_id])
            )
