"""What a merge of two teams asks of the tables, and what it moves there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from podium.db.engine import WriteSession
from podium.db.models import (
    Membership,
    MergeRequest,
    OneTimeLink,
    QuotaSlot,
    Standing,
    Submission,
    Team,
)
from podium.domain.quota import free_number
from podium.domain.teams import MergeStatus


def locked_request(session: WriteSession, *, request_id: str) -> MergeRequest | None:
    """A wish as it is now, locked; after the people and teams that the caller locks."""
    query = (
        select(MergeRequest)
        .where(MergeRequest.id == request_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return session.scalar(query)


def pending_between(session: Session, *, from_team_id: str, to_team_id: str) -> bool:
    """Whether the first team already waits for the second one's answer."""
    query = select(MergeRequest.id).where(
        MergeRequest.from_team_id == from_team_id,
        MergeRequest.to_team_id == to_team_id,
        MergeRequest.status == MergeStatus.PENDING,
    )
    return session.scalar(query.limit(1)) is not None


def count_pending(session: Session, *, from_team_id: str) -> int:
    """How many answers a team waits for."""
    query = (
        select(func.count())
        .select_from(MergeRequest)
        .where(
            MergeRequest.from_team_id == from_team_id,
            MergeRequest.status == MergeStatus.PENDING,
        )
    )
    return session.scalar(query) or 0


def requests_of(
    session: Session, *, team_id: str, before_id: str | None, limit: int
) -> Sequence[tuple[MergeRequest, Team, Team]]:
    """A page of a team's own and others' wishes with both teams, newest first."""
    query = (
        select(MergeRequest)
        .where(or_(MergeRequest.from_team_id == team_id, MergeRequest.to_team_id == team_id))
        .order_by(MergeRequest.id.desc())
        .limit(limit)
    )
    if before_id is not None:
        query = query.where(MergeRequest.id < before_id)
    found = session.scalars(query).all()
    ids = {id_ for row in found for id_ in (row.from_team_id, row.to_team_id)}
    teams = {team.id: team for team in session.scalars(select(Team).where(Team.id.in_(ids)))}
    return [(row, teams[row.from_team_id], teams[row.to_team_id]) for row in found]


def move_people(session: WriteSession, *, from_team_id: str, to_team_id: str) -> None:
    """Puts everybody of one team into another."""
    session.execute(
        update(Membership).where(Membership.team_id == from_team_id).values(team_id=to_team_id)
    )


def move_slots(session: WriteSession, *, from_team_id: str, to_team_id: str) -> None:
    """Gives a team another one's quota slots, under numbers that are free on each day.

    Waits for uploads that are just becoming submissions; whatever moves those comes after this.
    """
    slots = session.scalars(
        select(QuotaSlot)
        .where(QuotaSlot.team_id == from_team_id)
        .order_by(QuotaSlot.day, QuotaSlot.number)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()
    taken: dict[object, set[int]] = {}
    for day, number in session.execute(
        select(QuotaSlot.day, QuotaSlot.number).where(QuotaSlot.team_id == to_team_id)
    ):
        taken.setdefault(day, set()).add(number)
    for slot in slots:
        of_day = taken.setdefault(slot.day, set())
        free = free_number(of_day, None)
        assert free is not None, "without a limit there is always a free number"
        slot.team_id, slot.number = to_team_id, free
        of_day.add(free)
    session.flush()


def move_submissions(session: WriteSession, *, from_team_id: str, to_team_id: str) -> None:
    """Makes a team's submissions those of another one; their choice as finals stays."""
    session.execute(
        update(Submission).where(Submission.team_id == from_team_id).values(team_id=to_team_id)
    )


def point_to_survivor(session: WriteSession, *, absorbed_id: str, survivor_id: str) -> None:
    """Turns what names the absorbed team to the other one: earlier merges and links."""
    session.execute(
        update(Team).where(Team.merged_into_id == absorbed_id).values(merged_into_id=survivor_id)
    )
    session.execute(
        update(OneTimeLink).where(OneTimeLink.team_id == absorbed_id).values(team_id=survivor_id)
    )


def void_requests(session: WriteSession, *, team_id: str, now: datetime) -> None:
    """Ends all open wishes of and to a team that is none any more."""
    session.execute(
        update(MergeRequest)
        .where(
            or_(MergeRequest.from_team_id == team_id, MergeRequest.to_team_id == team_id),
            MergeRequest.status == MergeStatus.PENDING,
        )
        .values(status=MergeStatus.VOID, decided_at=now)
    )


def delete_standings(session: WriteSession, *, team_id: str) -> None:
    """Takes a team off all boards."""
    session.execute(delete(Standing).where(Standing.team_id == team_id))
