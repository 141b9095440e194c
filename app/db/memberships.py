"""Which team somebody is in. What teams may do lives with the teams."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.db.models import Membership, Organizer, Team, User


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


def surviving_team(session: Session, *, team_id: str) -> Team:
    """A team as it is now, or the one that took it in."""
    query = select(Team).where(Team.id == team_id).execution_options(populate_existing=True)
    team = session.scalars(query).one()
    return team if team.merged_into_id is None else session.get_one(Team, team.merged_into_id)


def member_ids(session: Session, *, team_id: str) -> set[str]:
    """The ids of the people of a team."""
    return set(session.scalars(select(Membership.user_id).where(Membership.team_id == team_id)))


def organizers_of(session: Session, competition_id: str) -> Sequence[User]:
    """The people who organize a competition, in the order in which they were added."""
    query = (
        select(User)
        .join(Organizer, Organizer.user_id == User.id)
        .where(Organizer.competition_id == competition_id)
        .order_by(Organizer.added_at, User.id)
    )
    return session.scalars(query).all()


def teams_of(session: Session, *, competition_id: str) -> dict[str, Team]:
    """All teams of a competition by id."""
    query = select(Team).where(Team.competition_id == competition_id)
    return {team.id: team for team in session.scalars(query)}
