"""Reading boards: which one somebody may see, its version, and its rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from sqlalchemy.orm import Session

from podium.boards.queries import rows
from podium.boards.queries.rows import BoardRow
from podium.core.access import Actor, competition_for_reader
from podium.core.locks import Board
from podium.core.models import Competition
from podium.errors import NotFound
from podium.errors.codes import ErrorCode
from podium.scoring.uncertainty import SIGMAS
from podium.standings.rules import shown_number

DISQUALIFIED = "disqualified"


def visible_board(session: Session, *, slug: str, actor: Actor | None, board: Board) -> Competition:
    """The competition whose board may be read. Raises `NotFound`; nobody, not even an organizer,
    sees a private board before the reveal, because there is none."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    if board == "private" and competition.revealed_at is None:
        raise NotFound(
            "The private leaderboard exists only after the reveal.", code=ErrorCode.NOT_REVEALED
        )
    return competition


def version_of(competition: Competition) -> str:
    """Changes whenever anything that a board shows may have changed; made from nothing private."""
    return f"{competition.board_version}.{competition.version}"


def updated_at(competition: Competition) -> datetime | None:
    """When the boards last changed."""
    return competition.board_updated_at


def board_rows(
    session: Session, *, competition: Competition, board: Board, limit: int | None, offset: int
) -> Sequence[BoardRow]:
    """Rows in the order of the board, from `offset` on."""
    return rows.page(
        session, competition_id=competition.id, board=board, limit=limit, offset=offset
    )


def score_of(row: BoardRow) -> Decimal:
    """The score as it is shown, with all its decimals."""
    return shown_number(row.shown, row.decimals)


def standard_error_of(row: BoardRow) -> float | None:
    """The standard error of a final score, with one digit more than the score."""
    return None if row.standard_error is None else round(row.standard_error, row.decimals + 1)


def interval_of(row: BoardRow) -> tuple[float, float] | None:
    """The 95 % interval of a final score, with the digits of the score."""
    if row.standard_error is None:
        return None
    score, reach = float(score_of(row)), SIGMAS * row.standard_error
    return round(score - reach, row.decimals), round(score + reach, row.decimals)


def tags_of(row: BoardRow) -> list[str]:
    """The team's tags; a disqualified team stays on the board, marked."""
    return [*row.tags, DISQUALIFIED] if row.is_disqualified else list(row.tags)
