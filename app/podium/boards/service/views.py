"""Reading boards: access, version and rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from podium.boards.queries import rows
from podium.boards.queries.rows import BoardRow
from podium.core.access import Actor, competition_for_reader, organizes
from podium.core.configuration import settings_of
from podium.core.models import Competition, Membership
from podium.core.visibility import Board
from podium.errors import NotFound
from podium.errors.codes import ErrorCode


def visible_board(session: Session, *, slug: str, actor: Actor | None, board: Board) -> Competition:
    """Finds the competition whose board may be read. Raises `NotFound`; no user, not even an
    organizer, sees a private board before the reveal, because there is none."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    if board == "private" and competition.revealed_at is None:
        raise NotFound(
            "The private leaderboard exists only after the reveal.", code=ErrorCode.NOT_REVEALED
        )
    return competition


def may_see_members(session: Session, *, competition: Competition, actor: Actor | None) -> bool:
    """True if a reader of the board may see the account names of teams' members."""
    readers = settings_of(competition).member_names
    if readers in (None, "everyone") or organizes(session, competition, actor):
        return True
    if readers == "organizers" or actor is None:
        return False
    return session.get(Membership, (competition.id, actor.user_id)) is not None


def version_of(competition: Competition) -> str:
    """Computes the version of a competition's boards, which changes whenever anything that they
    show may have changed; independent of private data."""
    return f"{competition.board_version}.{competition.version}"


def updated_at(competition: Competition) -> datetime | None:
    """Finds the time at which the boards last changed."""
    return competition.board_updated_at


def board_rows(
    session: Session, *, competition: Competition, board: Board, limit: int | None, offset: int
) -> Sequence[BoardRow]:
    """Lists rows in the order of the board, from `offset` on."""
    return rows.page(
        session, competition_id=competition.id, board=board, limit=limit, offset=offset
    )
