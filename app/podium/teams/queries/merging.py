"""Updates of rows by which one team hands everything it has over to another."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, or_, select, update

from podium.core.database.engine import WriteSession
from podium.core.models import (
    AccessLink,
    Membership,
    MergeRequest,
    QuotaSlot,
    Standing,
    Submission,
    Team,
)
from podium.submissions.rules import free_number
from podium.teams.rules import MergeStatus


def move_people(session: WriteSession, *, from_team_id: str, to_team_id: str) -> None:
    """Moves the members of one team to another."""
    session.execute(
        update(Membership).where(Membership.team_id == from_team_id).values(team_id=to_team_id)
    )


def lock_slots(session: WriteSession, *, team_id: str) -> None:
    """Waits for uploads of a team that are just becoming submissions."""
    query = select(QuotaSlot.id).where(QuotaSlot.team_id == team_id)
    session.execute(query.order_by(QuotaSlot.day, QuotaSlot.number).with_for_update())


def move_slots(session: WriteSession, *, from_team_id: str, to_team_id: str) -> None:
    """Moves the quota slots of one team, which are locked, to another, under numbers that are free
    on each day."""
    slots = session.scalars(
        select(QuotaSlot)
        .where(QuotaSlot.team_id == from_team_id)
        .order_by(QuotaSlot.day, QuotaSlot.number)
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
    """Moves a team's submissions to another one; their choice as finals stays."""
    session.execute(
        update(Submission).where(Submission.team_id == from_team_id).values(team_id=to_team_id)
    )


def point_to_survivor(session: WriteSession, *, absorbed_id: str, survivor_id: str) -> None:
    """Redirects references to the absorbed team to the other one: earlier merges and links."""
    session.execute(
        update(Team).where(Team.merged_into_id == absorbed_id).values(merged_into_id=survivor_id)
    )
    session.execute(
        update(AccessLink).where(AccessLink.team_id == absorbed_id).values(team_id=survivor_id)
    )


def void_requests(session: WriteSession, *, team_id: str, now: datetime) -> None:
    """Voids all pending requests from and to a team that was merged."""
    session.execute(
        update(MergeRequest)
        .where(
            or_(MergeRequest.from_team_id == team_id, MergeRequest.to_team_id == team_id),
            MergeRequest.status == MergeStatus.PENDING,
        )
        .values(status=MergeStatus.VOID, decided_at=now)
    )


def delete_standings(session: WriteSession, *, team_id: str) -> None:
    """Removes a team from all boards."""
    session.execute(delete(Standing).where(Standing.team_id == team_id))
