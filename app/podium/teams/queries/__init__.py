"""Queries of teams, their members, merges, and one-time links."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from podium.core.database.engine import WriteSession, lock_name
from podium.core.database.reading import count_where, newest_first, oldest_first
from podium.core.models import (
    AccessLink,
    Competition,
    FormerOrganizer,
    Membership,
    MergeRequest,
    OrganizerRole,
    QuotaSlot,
    Submission,
    Team,
    User,
)
from podium.teams.rules import MergeStatus


def team_named(session: Session, *, competition_id: str, name_key: str) -> Team | None:
    """Finds the team of the competition with this name key."""
    query = select(Team).where(Team.competition_id == competition_id, Team.name_key == name_key)
    return session.scalar(query)


@dataclass(frozen=True, slots=True)
class TeamInUse:
    """An existing team, and the number of its members."""

    team: Team
    members: int


def teams_named(
    session: Session, *, competition_id: str, keys: Collection[str], looks: Collection[str]
) -> list[TeamInUse]:
    """Finds the teams of a competition whose names equal or resemble one of these."""
    members = (
        select(func.count()).where(Membership.team_id == Team.id).correlate(Team).scalar_subquery()
    )
    query = select(Team, members).where(
        Team.competition_id == competition_id, Team.name_key.in_(keys) | Team.look.in_(looks)
    )
    return [TeamInUse(*row) for row in session.execute(query.order_by(Team.id))]


def teams_of_users(
    session: Session, *, competition_id: str, user_ids: Collection[str]
) -> dict[str, Team]:
    """Maps people's ids to their teams in a competition."""
    query = (
        select(Membership.user_id, Team)
        .join(Team, Team.id == Membership.team_id)
        .where(Membership.competition_id == competition_id, Membership.user_id.in_(user_ids))
    )
    return {row[0]: row[1] for row in session.execute(query)}


def looks_like_another(
    session: WriteSession, look: str, *, competition_id: str, but: str | None = None
) -> bool:
    """True if another team's name looks like this; a transaction that checks the same look
    waits."""
    lock_name(session, f"team {competition_id} {look}")
    query = select(Team.id).where(Team.competition_id == competition_id, Team.look == look).limit(1)
    if but is not None:
        query = query.where(Team.id != but)
    return session.scalar(query) is not None


def invited_team(session: WriteSession, *, slug: str, invite_code: str) -> Team | None:
    """Finds and locks the team with this code in this competition, which serializes joins."""
    query = _with_code(slug, invite_code).with_for_update(key_share=True, of=Team)
    return session.scalar(query)


def team_with_code(session: Session, *, slug: str, invite_code: str) -> Team | None:
    """Finds the team with this code in this competition, without a lock."""
    return session.scalar(_with_code(slug, invite_code))


def _with_code(slug: str, invite_code: str) -> Select[Team]:
    return (
        select(Team)
        .join(Competition, Competition.id == Team.competition_id)
        .where(Competition.slug == slug, Team.invite_code == invite_code)
    )


def members_of(session: Session, *, team_id: str) -> list[User]:
    """Lists the people of a team, in the order in which they joined."""
    query = (
        select(User)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.team_id == team_id)
        .order_by(Membership.joined_at, User.id)
    )
    return list(session.scalars(query))


def people_by_team(session: Session, *, competition_id: str) -> list[tuple[str, Team]]:
    """Lists the name of each person in a team, with the team, in the order of the teams' names."""
    query = (
        select(User.name, Team)
        .join(Membership, Membership.user_id == User.id)
        .join(Team, Team.id == Membership.team_id)
        .where(Membership.competition_id == competition_id)
        .order_by(Team.name_key, Team.id, Membership.joined_at, User.id)
    )
    return [(name, team) for name, team in session.execute(query)]


def count_members(session: Session, *, team_id: str) -> int:
    """Counts the members of a team."""
    return count_where(session, Membership.team_id == team_id)


def users_with_ids(session: Session, user_ids: Collection[str]) -> dict[str, User]:
    """Maps ids to people; unknown ids are left out."""
    query = select(User).where(User.id.in_(list(user_ids)), User.disabled_at.is_(None))
    return {user.id: user for user in session.scalars(query)}


def insider_ids(session: Session, *, competition_id: str) -> set[str]:
    """Collects the ids of present and former organizers of a competition, including the
    administrators of the installation."""
    named = select(OrganizerRole.user_id).where(OrganizerRole.competition_id == competition_id)
    former = select(FormerOrganizer.user_id).where(FormerOrganizer.competition_id == competition_id)
    administrators = select(User.id).where(User.is_administrator)
    return {
        user_id for query in (named, former, administrators) for user_id in session.scalars(query)
    }


def has_begun(session: Session, *, team_id: str) -> bool:
    """True if the team has reserved a slot that still exists, or sent a file."""
    slot = exists().where(QuotaSlot.team_id == team_id)
    sent = exists().where(Submission.team_id == team_id)
    return bool(session.scalar(select(or_(slot, sent))))


def delete_team(session: WriteSession, *, team: Team) -> None:
    """Removes a team that never began, with the merge requests and links that refer to it."""
    session.flush()
    session.execute(
        delete(MergeRequest).where(
            or_(MergeRequest.from_team_id == team.id, MergeRequest.to_team_id == team.id)
        )
    )
    session.execute(delete(AccessLink).where(AccessLink.team_id == team.id))
    session.execute(update(Team).where(Team.merged_into_id == team.id).values(merged_into_id=None))
    session.delete(team)
    session.flush()


@dataclass(frozen=True, slots=True)
class TeamInList:
    """A team as organizers see it in a list."""

    team: Team
    members: list[User]
    submissions: int


def teams_after(
    session: Session, *, competition_id: str, text: str | None, after_id: str | None, limit: int
) -> Sequence[TeamInList]:
    """Lists a page of all teams, including merged and hidden ones, in the order of their creation;
    with `text`, those whose name, or a member's name, contains it."""
    query = select(Team).where(Team.competition_id == competition_id)
    if text is not None:
        has_such_a_member = exists().where(
            Membership.team_id == Team.id,
            Membership.user_id == User.id,
            User.name.icontains(text, autoescape=True),
        )
        query = query.where(Team.name.icontains(text, autoescape=True) | has_such_a_member)
    found = session.scalars(oldest_first(query, Team.id, after_id, limit)).all()
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
    return [TeamInList(team, members.get(team.id, []), counts.get(team.id, 0)) for team in found]


def pending_between(session: Session, *, from_team_id: str, to_team_id: str) -> bool:
    """True if the first team has a pending request to the second one."""
    query = select(MergeRequest.id).where(
        MergeRequest.from_team_id == from_team_id,
        MergeRequest.to_team_id == to_team_id,
        MergeRequest.status == MergeStatus.PENDING,
    )
    return session.scalar(query.limit(1)) is not None


def count_pending(session: Session, *, from_team_id: str) -> int:
    """Counts the pending requests of a team."""
    is_pending = MergeRequest.status == MergeStatus.PENDING
    return count_where(session, MergeRequest.from_team_id == from_team_id, is_pending)


def requests_of(
    session: Session, *, team_id: str, before_id: str | None, limit: int
) -> Sequence[tuple[MergeRequest, Team, Team]]:
    """Lists a page of a team's sent and received requests with both teams, newest first."""
    query = select(MergeRequest).where(
        or_(MergeRequest.from_team_id == team_id, MergeRequest.to_team_id == team_id)
    )
    found = session.scalars(newest_first(query, MergeRequest.id, before_id, limit)).all()
    ids = {id_ for row in found for id_ in (row.from_team_id, row.to_team_id)}
    teams = {team.id: team for team in session.scalars(select(Team).where(Team.id.in_(ids)))}
    return [(row, teams[row.from_team_id], teams[row.to_team_id]) for row in found]


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link with the rows that it refers to."""

    link: AccessLink
    creator: User
    competition: Competition | None
    team: Team | None
    account: User | None


def link_by_sha256(session: Session, sha256: str) -> FoundLink | None:
    """Finds the link with this hash."""
    rows = session.execute(_query().where(AccessLink.sha256 == sha256)).all()
    return FoundLink(*rows[0]) if rows else None


def link_with_id(session: Session, link_id: str) -> FoundLink | None:
    """Finds the link with this id."""
    rows = session.execute(_query().where(AccessLink.id == link_id)).all()
    return FoundLink(*rows[0]) if rows else None


def links_before(
    session: Session, *, created_by: str | None, before_id: str | None, limit: int
) -> Sequence[FoundLink]:
    """Lists a page of links, newest first; of all creators, or of one."""
    query = _query()
    if created_by is not None:
        query = query.where(AccessLink.created_by == created_by)
    page = newest_first(query, AccessLink.id, before_id, limit)
    return [FoundLink(*row) for row in session.execute(page)]


def open_links(session: Session, *, created_by: str, now: datetime) -> int:
    """Counts a creator's links that still work."""
    return count_where(
        session,
        AccessLink.created_by == created_by,
        AccessLink.used_at.is_(None),
        AccessLink.revoked_at.is_(None),
        AccessLink.expires_at > now,
    )


def _query() -> Select[AccessLink, User, Competition, Team, User]:
    account = aliased(User)
    return (
        select(AccessLink, User, Competition, Team, account)
        .join(User, User.id == AccessLink.created_by)
        .outerjoin(Competition, Competition.id == AccessLink.competition_id)
        .outerjoin(Team, Team.id == AccessLink.team_id)
        .outerjoin(account, account.id == AccessLink.user_id)
        .where(Competition.deleted_at.is_(None))
    )
