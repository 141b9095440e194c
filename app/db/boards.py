"""The board of a competition as a thing that changes: its lock and its version."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from sqlalchemy import select, update

from podium.db.engine import WriteSession
from podium.db.models import Competition, Membership

Board = Literal["public", "private"]


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
