"""Questions about teams and their members."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.db.engine import WriteSession
from app.db.models import Competition, Membership, Organizer, Team, User


def team_of(session: Session, *, competition_id: str, user_id: str) -> Team | None:
    """The team of a person in a competition."""
    query = (
        select(Team)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.competition_id == competition_id, Membership.user_id == user_id)
    )
    return session.scalar(query)


def team_in(session: Session, *, competition_id: str, team_id: str) -> Team | None:
    """A team by its id, if it belongs to the competition."""
    team = session.get(Team, team_id)
    return team if team is not None and team.competition_id == competition_id else None


def invited_team(session: WriteSession, *, slug: str, invite_code: str) -> Team | None:
    """The team with this code in this competition, locked, so that joins follow each other."""
    query = (
        select(Team)
        .join(Competition, Competition.id == Team.competition_id)
        .where(Competition.slug == slug, Team.invite_code == invite_code)
        .with_for_update(key_share=True, of=Team)
    )
    return session.scalar(query)


def has_name(session: Session, *, competition_id: str, name_key: str) -> bool:
    """Whether a team of the competition has a name that reads the same."""
    query = select(Team.id).where(Team.competition_id == competition_id, Team.name_key == name_key)
    return session.scalar(query) is not None


def members_of(session: Session, *, team_id: str) -> list[User]:
    """The people of a team, in the order in which they joined."""
    query = (
        select(User)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.team_id == team_id)
        .order_by(Membership.joined_at, User.id)
    )
    return list(session.scalars(query))


def count_members(session: Session, *, team_id: str) -> int:
    """How many people a team has."""
    query = select(func.count()).select_from(Membership).where(Membership.team_id == team_id)
    return session.scalar(query) or 0


def users_with_ids(session: Session, user_ids: Collection[str]) -> dict[str, User]:
    """People by their ids; unknown ids are left out."""
    query = select(User).where(User.id.in_(list(user_ids)), User.disabled_at.is_(None))
    return {user.id: user for user in session.scalars(query)}


def organizer_ids(session: Session, *, competition_id: str) -> set[str]:
    """Who organizes a competition, the administrators of the installation included."""
    named = select(Organizer.user_id).where(Organizer.competition_id == competition_id)
    administrators = select(User.id).where(User.is_administrator)
    return set(session.scalars(named)) | set(session.scalars(administrators))


def member_ids(session: Session, *, team_id: str) -> set[str]:
    """The ids of the people of a team."""
    return set(session.scalars(select(Membership.user_id).where(Membership.team_id == team_id)))
