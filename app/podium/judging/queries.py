"""Questions about judgings that workers and the reconciler ask."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, exists, false, not_, or_, select, update
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.judging_states import PrivateRun, State
from podium.core.leases import is_lapsed
from podium.core.models import Competition, Judging, JudgingPause, Submission
from podium.queue.reconciler import Unattended


def unattended(
    session: Session, *, now: datetime, after: str, limit: int, waiting: Collection[str] = ()
) -> Sequence[Unattended]:
    """Judgings without a verdict, or without the private half of one, whose lease is over or never
    began, by id, from `after` on.

    Those that no worker may take just now are left out, those of teams that are `waiting` for the
    organizers too, and those of a rejudging that were never dispatched: they get their turn from
    the rejudging.
    """
    query = (
        select(Judging.id, Judging.dispatches, Judging.worker_id)
        .where(
            or_(
                and_(
                    Judging.state.in_((State.QUEUED, State.RUNNING)),
                    or_(Judging.lease_until.is_(None), is_lapsed(Judging.lease_until, now=now)),
                ),
                # A private run that is due always has a lease, so that it is found by it.
                and_(_is_private_due(), is_lapsed(Judging.lease_until, now=now)),
            ),
            Judging.id > after,
            or_(Judging.rejudging_id.is_(None), Judging.dispatches > 0),
            not_(_is_stopped(now)),
            not_(_is_of(waiting)),
        )
        .order_by(Judging.id)
        .limit(limit)
    )
    return [
        Unattended(judging_id, dispatches, worker_id is not None)
        for judging_id, dispatches, worker_id in session.execute(query)
    ]


def is_stopped(
    session: Session, *, judging_id: str, now: datetime, waiting: Collection[str] = ()
) -> bool:
    """True if no worker may begin this judging: the organizers have switched off the judging of
    uploads, its ground truth is waiting to be readable again, or its team is one of those that are
    `waiting` for the organizers."""
    stopped = or_(_is_stopped(now), _is_of(waiting))
    query = select(Judging.id).where(Judging.id == judging_id, stopped)
    return session.scalar(query) is not None


def is_under_way() -> ColumnElement[bool]:
    """The condition on a judging that a worker may be at: for a verdict, or for the private half
    that is still due."""
    return or_(Judging.state == State.RUNNING, _is_private_due())


def end_pause(session: WriteSession, *, competition_id: str, version: int) -> bool:
    """Forgets that a ground truth could not be read; answers whether that was so."""
    gone = session.execute(
        delete(JudgingPause).where(
            JudgingPause.competition_id == competition_id,
            JudgingPause.ground_truth_version == version,
        )
    )
    return bool(gone.rowcount)  # type: ignore[attr-defined]


def retry_pauses(session: WriteSession, *, competition_id: str, now: datetime) -> bool:
    """Lets every pause of a competition end `now`; answers whether there is one. A verdict may
    remove one at the same moment."""
    paused = update(JudgingPause).where(JudgingPause.competition_id == competition_id)
    found = session.execute(paused.values(attempts=0, retry_at=now))
    return bool(found.rowcount)  # type: ignore[attr-defined]


def _is_private_due() -> ColumnElement[bool]:
    return and_(Judging.state == State.SCORED, Judging.private_run == PrivateRun.PENDING)


def _is_of(team_ids: Collection[str]) -> ColumnElement[bool]:
    """The condition on a judging that has no verdict, of an upload of one of these teams."""
    if not team_ids:
        return false()
    theirs = select(Submission.id).where(Submission.team_id.in_(list(team_ids)))
    return and_(
        Judging.rejudging_id.is_(None),
        Judging.state != State.SCORED,
        Judging.submission_id.in_(theirs),
    )


def _is_stopped(now: datetime) -> ColumnElement[bool]:
    switched_off = select(Competition.id).where(
        Competition.settings["judge_uploads"].as_boolean().is_(False)
    )
    is_paused = exists().where(
        JudgingPause.competition_id == Judging.competition_id,
        JudgingPause.ground_truth_version == Judging.ground_truth_version,
        JudgingPause.retry_at > now,
    )
    return or_(
        and_(Judging.rejudging_id.is_(None), Judging.competition_id.in_(switched_off)), is_paused
    )
