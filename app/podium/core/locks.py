"""Rows that a transaction locks so that others wait: people, teams, links, judgings, each by id,
then quota slots by team, day and number, then the competition with its board. All callers lock in
this order, which rules out deadlocks.

The name of a person or team is a key: to write one is to wait for every transaction that has stored
a row which refers to it. Such a transaction may have locked a board, so names are written after the
boards are locked.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, select, update

from podium.core.access import UNKNOWN
from podium.core.database.engine import WriteSession
from podium.core.models import AccessLink, Competition, Judging, Membership, Team, User
from podium.core.models.base import Base
from podium.errors import NotFound

T = TypeVar("T", bound=Base)


def locked_row(
    session: WriteSession, rows: type[T], row_id: str, *, key_share: bool = False
) -> T | None:
    """Reads the current row and locks it until the commit; with `key_share` other transactions may
    go on to store rows that refer to it."""
    lock = {"key_share": key_share}
    return session.get(rows, row_id, populate_existing=True, with_for_update=lock)


def lock_person(session: WriteSession, *, user_id: str) -> None:
    """Serializes the begin and end of one person's uploads on PostgreSQL; SQLite's write sessions
    are exclusive anyway."""
    session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))


def lock_people(session: WriteSession, *, user_ids: Iterable[str]) -> None:
    """Locks several people, in the order of their ids."""
    people = select(User.id).where(User.id.in_(set(user_ids))).order_by(User.id)
    session.execute(people.with_for_update(key_share=True))


def lock_links(session: WriteSession, concerned: ColumnElement[bool]) -> None:
    """Locks some links, so that none of them is used, ended or moved meanwhile."""
    links = select(AccessLink.id).where(concerned).order_by(AccessLink.id)
    session.execute(links.with_for_update())


def lock_acts(session: WriteSession, *, competition_id: str) -> Competition:
    """Reads the current competition and locks it, so that no organizer changes it until the commit.
    Raises `NotFound` for one that was deleted meanwhile."""
    query = select(Competition).where(Competition.id == competition_id)
    locked = query.with_for_update(read=True).execution_options(populate_existing=True)
    competition = session.scalars(locked).one_or_none()
    if competition is None or competition.deleted_at is not None:
        raise NotFound(UNKNOWN)
    return competition


def locked_judging(session: WriteSession, *, judging_id: str) -> Judging | None:
    """Reads the current judging and locks it until the commit."""
    return locked_row(session, Judging, judging_id)


def locked_team(session: WriteSession, *, team_id: str) -> Team | None:
    """Reads the current team and locks it until the commit, which serializes its reservations."""
    return locked_row(session, Team, team_id, key_share=True)


def locked_teams(session: WriteSession, team_ids: Iterable[str]) -> dict[str, Team]:
    """Locks several teams, in the order of their ids; those that no longer exist are left out."""
    found = {each: locked_team(session, team_id=each) for each in sorted(set(team_ids))}
    return {each: team for each, team in found.items() if team is not None}


def locked_user(session: WriteSession, user_id: str) -> User | None:
    """Reads the current account and locks it until the commit."""
    return locked_row(session, User, user_id, key_share=True)


def lock_board(session: WriteSession, *, competition_id: str) -> Competition:
    """Locks a competition until the commit, which serializes changes of its boards. Raises
    `NotFound` for one that was removed meanwhile."""
    competition = locked_row(session, Competition, competition_id, key_share=True)
    if competition is None:
        raise NotFound(UNKNOWN)
    return competition


def touch_board(session: WriteSession, *, competition_id: str, now: datetime) -> None:
    """Increments the version of a competition's boards."""
    session.execute(
        update(Competition)
        .where(Competition.id == competition_id)
        .values(board_version=Competition.board_version + 1, board_updated_at=now)
    )


def touch_boards_of(session: WriteSession, *, user_id: str, now: datetime) -> None:
    """Increments the version of the boards of all competitions of a person, which show the name.
    They are locked in the order of their ids by every caller."""
    query = (
        select(Membership.competition_id)
        .where(Membership.user_id == user_id)
        .order_by(Membership.competition_id)
    )
    for competition_id in session.scalars(query).all():
        touch_board(session, competition_id=competition_id, now=now)
