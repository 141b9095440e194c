"""Questions about teams and their members."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from podium.db.engine import WriteSession, lock_name
from podium.db.models import (
    Competition,
    FormerOrganizer,
    Membership,
    MergeRequest,
    OneTimeLink,
    Organizer,
    QuotaSlot,
    Submission,
    Team,
    User,
)


def team_named(session: Session, *, competition_id: str, name_key: str) -> Team | None:
    """The team of the competition whose name reads like this."""
    query = select(Team).where(Team.competition_id == competition_id, Team.name_key == name_key)
    return session.scalar(query)


def looks_like_another(
    session: WriteSession, look: str, *, competition_id: str, but: str | None = None
) -> bool:
    """Whether another team's name looks like this; whoever asks for the same look waits."""
    lock_name(session, f"team {competition_id} {look}")
    query = select(Team.id).where(Team.competition_id == competition_id, Team.look == look).limit(1)
    if but is not None:
        query = query.where(Team.id != but)
    return session.scalar(query) is not None


def invited_team(session: WriteSession, *, slug: str, invite_code: str) -> Team | None:
    """The team with this code in this competition, locked, so that joins follow each other."""
    query = (
        select(Team)
        .join(Competition, Competition.id == Team.competition_id)
        .where(Competition.slug == slug, Team.invite_code == invite_code)
        .with_for_update(key_share=True, of=Team)
    )
    return session.scalar(query)


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


def insider_ids(session: Session, *, competition_id: str) -> set[str]:
    """Who organizes a competition or ever did, the administrators of the installation included."""
    named = select(Organizer.user_id).where(Organizer.competition_id == competition_id)
    former = select(FormerOrganizer.user_id).where(FormerOrganizer.competition_id == competition_id)
    administrators = select(User.id).where(User.is_administrator)
    return {
        user_id for query in (named, former, administrators) for user_id in session.scalars(query)
    }


def has_begun(session: Session, *, team_id: str) -> bool:
    """Whether the team has ever reserved a slot that was kept, or sent a file."""
    slot = exists().where(QuotaSlot.team_id == team_id)
    sent = exists().where(Submission.team_id == team_id)
    return bool(session.scalar(select(or_(slot, sent))))


def delete_team(session: WriteSession, *, team: Team) -> None:
    """Removes a team that never began, with the wishes and links that name it."""
    session.flush()
    session.execute(
        delete(MergeRequest).where(
            or_(MergeRequest.from_team_id == team.id, MergeRequest.to_team_id == team.id)
        )
    )
    session.execute(delete(OneTimeLink).where(OneTimeLink.team_id == team.id))
    session.execute(update(Team).where(Team.merged_into_id == team.id).values(merged_into_id=None))
    session.delete(team)
    session.flush()


@dataclass(frozen=True, slots=True)
class Listed:
    """A team as organizers see it in a list."""

    team: Team
    members: list[User]
    submissions: int


def teams_after(
    session: Session, *, competition_id: str, text: str | None, after_id: str | None, limit: int
) -> Sequence[Listed]:
    """A page of all teams, merged and hidden ones included, in the order of their creation; with
    `text`, those that have it in their name, or in that of one of their people."""
    query = select(Team).where(Team.competition_id == competition_id).order_by(Team.id)
    if text is not None:
        has_such_a_member = exists().where(
            Membership.team_id == Team.id,
            Membership.user_id == User.id,
            User.name.icontains(text, autoescape=True),
        )
        query = query.where(Team.name.icontains(text, autoescape=True) | has_such_a_member)
    if after_id is not None:
        query = query.where(Team.id > after_id)
    found = session.scalars(query.limit(limit)).all()
    ids = [team.id for team in found]
    members: dict[str, list[User]] = {}
    people = (
        select(Membership.team_id, User)
        .join(User, User.id == Membership.user_id)
        .where(Membership.team_id.in_(ids))
        .order_by(Membership.joined_at, User.id)
    )
    for team_id, user in session.execute(people):
        members.setdefault(team_id, []).append(user)
    counted = (
        select(Submission.team_id, func.count())
        .where(Submission.team_id.in_(ids))
        .group_by(Submission.team_id)
    )
    counts: dict[str, int] = {row[0]: row[1] for row in session.execute(counted)}
    return [Listed(team, members.get(team.id, []), counts.get(team.id, 0)) for team in found]
