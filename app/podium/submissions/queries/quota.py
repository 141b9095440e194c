"""Questions about quota slots and keys of retries."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.database.prechecks import Precheck
from podium.core.database.reading import count_where
from podium.core.judging_states import State
from podium.core.leases import is_lapsed
from podium.core.models import IdempotencyKey, Judging, QuotaSlot, Submission

IS_UPLOADING = Precheck(exists().where(QuotaSlot.submission_id.is_(None)))


def numbers_taken(session: Session, *, team_id: str, day: date) -> list[int]:
    """The slot numbers that a team uses on a day."""
    query = select(QuotaSlot.number).where(QuotaSlot.team_id == team_id, QuotaSlot.day == day)
    return list(session.scalars(query))


def slots_undecided(session: Session, *, team_id: str, day: date) -> int:
    """The number of these whose files have no verdict yet: each is given back if its file is
    rejected."""
    query = (
        select(func.count())
        .select_from(QuotaSlot)
        .join(Submission, Submission.id == QuotaSlot.submission_id)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            QuotaSlot.team_id == team_id,
            QuotaSlot.day == day,
            Judging.state.in_((State.QUEUED, State.RUNNING)),
        )
    )
    return session.scalar(query) or 0


def slots_to_be_judged(session: Session, *, team_id: str) -> int:
    """The number of a team's files that are under way or have no verdict yet, late ones left
    out."""
    query = (
        select(func.count())
        .select_from(QuotaSlot)
        .outerjoin(Submission, Submission.id == QuotaSlot.submission_id)
        .outerjoin(Judging, Judging.id == Submission.judging_id)
        .where(
            QuotaSlot.team_id == team_id,
            QuotaSlot.is_late.is_(False),
            or_(
                QuotaSlot.submission_id.is_(None),
                Judging.state.in_((State.QUEUED, State.RUNNING)),
            ),
        )
    )
    return session.scalar(query) or 0


def slots_in_all(session: Session, *, team_id: str) -> int:
    """The number of slots that a team uses over the whole competition."""
    return count_where(session, QuotaSlot.team_id == team_id)


def uploads_under_way(session: Session, *, user_id: str) -> int:
    """The number of a person's slots that belong to running uploads."""
    return count_where(session, QuotaSlot.user_id == user_id, QuotaSlot.submission_id.is_(None))


def uploads_of_team(session: Session, *, team_id: str) -> int:
    """The number of a team's slots that belong to running uploads."""
    return count_where(session, QuotaSlot.team_id == team_id, QuotaSlot.submission_id.is_(None))


def rejections_since(session: Session, *, team_id: str, since: datetime) -> list[datetime]:
    """The times at which a team's files were rejected or cancelled after `since`, oldest first:
    both are free, and verdicts of a rejudging do not count."""
    query = (
        select(Judging.judged_at)
        .join(Submission, Submission.judging_id == Judging.id)
        .where(
            Submission.team_id == team_id,
            Judging.rejudging_id.is_(None),
            Judging.state.in_((State.REJECTED, State.CANCELLED)),
            Judging.judged_at > since,
        )
        .order_by(Judging.judged_at)
    )
    return [moment for moment in session.scalars(query) if moment is not None]


def renew(session: WriteSession, *, slot_id: str, lapses_at: datetime) -> bool:
    """Extends the lease of an upload's slot; False when the slot is gone or was used."""
    changed = session.execute(
        update(QuotaSlot)
        .where(QuotaSlot.id == slot_id, QuotaSlot.submission_id.is_(None))
        .values(lapses_at=lapses_at)
    )
    return _count(changed) == 1


def delete_unused(session: WriteSession, *, slot_id: str) -> bool:
    """Removes an upload's slot and its key, unless a submission uses it."""
    gone = session.execute(
        delete(QuotaSlot).where(QuotaSlot.id == slot_id, QuotaSlot.submission_id.is_(None))
    )
    if _count(gone) == 0:
        return False
    session.execute(delete(IdempotencyKey).where(IdempotencyKey.slot_id == slot_id))
    return True


def key_with_lapse(
    session: Session, *, user_id: str, competition_id: str, key: str
) -> tuple[IdempotencyKey, datetime | None] | None:
    """A key of retries as it is now, with the end of its upload's lease: of one moment, because an
    upload that is accepted between two looks has a lease no more, and a submission not yet."""
    query = (
        select(IdempotencyKey, QuotaSlot.lapses_at)
        .outerjoin(QuotaSlot, QuotaSlot.id == IdempotencyKey.slot_id)
        .where(_is_key(user_id, competition_id, key))
    )
    found = session.execute(query).one_or_none()
    return None if found is None else (found[0], found[1])


def delete_dead_key(session: WriteSession, *, user_id: str, competition_id: str, key: str) -> None:
    """Frees a key of retries, unless it stands for a submission."""
    session.execute(
        delete(IdempotencyKey)
        .where(_is_key(user_id, competition_id, key), IdempotencyKey.submission_id.is_(None))
        .execution_options(synchronize_session="fetch")
    )


def _is_key(user_id: str, competition_id: str, key: str) -> ColumnElement[bool]:
    return and_(
        IdempotencyKey.user_id == user_id,
        IdempotencyKey.competition_id == competition_id,
        IdempotencyKey.key == key,
    )


def delete_of_submission(session: WriteSession, *, submission_id: str) -> bool:
    """Removes the slot that a submission uses; False when it has none any more."""
    gone = session.execute(delete(QuotaSlot).where(QuotaSlot.submission_id == submission_id))
    return _count(gone) == 1


def charged(session: Session, *, submission_ids: Collection[str]) -> set[str]:
    """The submissions that use a slot, of these."""
    query = select(QuotaSlot.submission_id).where(QuotaSlot.submission_id.in_(submission_ids))
    return {each for each in session.scalars(query) if each is not None}


def lapsed(
    session: Session, *, now: datetime, user_id: str | None = None, team_id: str | None = None
) -> list[str]:
    """Slots of uploads that sent no heartbeat until their lease ended, by id; of all users, or of
    one person and one team."""
    query = (
        select(QuotaSlot.id)
        .where(
            QuotaSlot.submission_id.is_(None),
            is_lapsed(QuotaSlot.lapses_at, now=now),
        )
        .order_by(QuotaSlot.id)
    )
    if user_id is not None:
        query = query.where(or_(QuotaSlot.user_id == user_id, QuotaSlot.team_id == team_id))
    return list(session.scalars(query))


def _count(result: object) -> int:
    return result.rowcount if isinstance(result, CursorResult) else 0
