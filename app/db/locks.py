"""Rows that a transaction locks so that others wait: a person, then the team, then the competition,
then a submission's judging. Everybody takes them in this order, so that nobody waits in a ring."""

from __future__ import annotations

from sqlalchemy import select

from podium.db.engine import WriteSession
from podium.db.models import Competition, Judging, Team, User


def lock_person(session: WriteSession, *, user_id: str) -> None:
    """Makes reservations of one person follow each other on PostgreSQL; SQLite's write sessions
    are alone anyway. Always before `lock_team`, so that nobody waits in a ring."""
    session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))


def lock_team(session: WriteSession, *, team_id: str) -> None:
    """Makes reservations of one team follow each other."""
    session.execute(select(Team.id).where(Team.id == team_id).with_for_update(key_share=True))


def lock_acts(session: WriteSession, *, competition_id: str) -> Competition:
    """The competition as it is now, which no act of an organizer changes until the commit."""
    query = select(Competition).where(Competition.id == competition_id)
    locked = query.with_for_update(read=True).execution_options(populate_existing=True)
    return session.scalars(locked).one()


def locked_judging(session: WriteSession, *, judging_id: str) -> Judging:
    """A judging, locked until the commit, as it is now."""
    query = (
        select(Judging)
        .where(Judging.id == judging_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return session.scalars(query).one()


def locked_team(session: WriteSession, *, team_id: str) -> Team | None:
    """A team as it is now, locked until the commit; after the people whom the caller locks."""
    query = (
        select(Team)
        .where(Team.id == team_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return session.scalar(query)


def locked_user(session: WriteSession, user_id: str) -> User | None:
    """A person as the account is now, locked until the commit."""
    query = (
        select(User)
        .where(User.id == user_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return session.scalar(query)


def find_locked_judging(session: WriteSession, *, judging_id: str) -> Judging | None:
    """The judging, which nobody else changes until the transaction ends."""
    query = select(Judging).where(Judging.id == judging_id).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))
