"""SQL of judging: which runs workers may begin, and pauses of judging."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, exists, false, not_, or_, select, update
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.core.lookups import lacking_add_ons, waiting_teams
from podium.core.models import Competition, Judging, JudgingPause, Run, Submission


def may_take(session: Session) -> ColumnElement[bool]:
    """Builds the SQL condition for runs that this worker may begin now: none that is stopped, and
    none whose competition needs an add-on that this process lacks."""
    is_stopped = _is_stopped(database_now(session), waiting_teams(session))
    lacking = list(lacking_add_ons(session))
    if not lacking:
        return not_(is_stopped)
    judgings = select(Judging.id).where(Judging.competition_id.in_(lacking))
    return not_(or_(is_stopped, Run.judging_id.in_(judgings)))


def is_stopped(session: Session, run_id: str, *, waiting: Collection[str]) -> bool:
    """True if no worker may begin this run: the organizers have switched off the judging of
    uploads, judging is paused because the ground truth is unreadable, or the team is one of those
    `waiting` for the organizers."""
    query = select(Run.id).where(Run.id == run_id, _is_stopped(database_now(session), waiting))
    return session.scalar(query) is not None


def end_pause(session: WriteSession, *, competition_id: str, version: int) -> bool:
    """Deletes the pause of this version of the ground truth; returns whether there was one."""
    gone = session.execute(
        delete(JudgingPause).where(
            JudgingPause.competition_id == competition_id,
            JudgingPause.ground_truth_version == version,
        )
    )
    return bool(gone.rowcount)  # type: ignore[attr-defined]


def retry_pauses(session: WriteSession, *, competition_id: str, now: datetime) -> bool:
    """Makes every pause of a competition end `now`; returns whether there is one. A verdict may
    delete one at the same moment."""
    paused = update(JudgingPause).where(JudgingPause.competition_id == competition_id)
    found = session.execute(paused.values(attempts=0, retry_at=now))
    return bool(found.rowcount)  # type: ignore[attr-defined]


def _is_stopped(now: datetime, waiting: Collection[str]) -> ColumnElement[bool]:
    switched_off = select(Competition.id).where(
        Competition.settings["judge_uploads"].as_boolean().is_(False)
    )
    is_paused = exists().where(
        JudgingPause.competition_id == Judging.competition_id,
        JudgingPause.ground_truth_version == Judging.ground_truth_version,
        JudgingPause.retry_at > now,
    )
    is_switched_off = and_(Judging.rejudging_id.is_(None), Judging.competition_id.in_(switched_off))
    stopped = or_(is_paused, is_switched_off, _is_of(waiting))
    return exists().where(Judging.id == Run.judging_id, stopped).correlate(Run)


def _is_of(team_ids: Collection[str]) -> ColumnElement[bool]:
    """Builds the SQL condition for judgings without a score, of uploads by one of these teams."""
    if not team_ids:
        return false()
    theirs = select(Submission.id).where(Submission.team_id.in_(list(team_ids)))
    return and_(
        Judging.rejudging_id.is_(None),
        Judging.state != State.SCORED,
        Judging.submission_id.in_(theirs),
    )
