"""Pauses of judging: while the stored bytes of a ground truth are missing or damaged, nothing is
judged against it. Submissions wait uncharged, and judging is retried again and again."""

from __future__ import annotations

from datetime import timedelta

from podium.core import audit
from podium.core.access import Actor, competition_for_organizer
from podium.core.database.engine import WriteSession, database_now, lock_name
from podium.core.models import Competition, JudgingPause
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.judging import queries
from podium.judging.rules import seconds_until_retry
from podium.logs import get_logger

_log = get_logger("judging")


def pause(session: WriteSession, *, competition_id: str, version: int, because: str) -> None:
    """Pauses judging against this version, longer each time."""
    # Two workers may find it unreadable at the same time.
    lock_name(session, f"pause {competition_id} {version}")
    now = database_now(session)
    row = session.get(JudgingPause, (competition_id, version), with_for_update=True)
    is_new = row is None
    if row is None:
        row = JudgingPause(competition_id=competition_id, ground_truth_version=version, since=now)
        row.attempts, row.retry_at = 0, now
        session.add(row)
    if row.retry_at <= now:
        row.attempts += 1
        row.retry_at = now + timedelta(seconds=seconds_until_retry(row.attempts))
    row.because = because
    session.flush()
    if is_new:
        audit.record(
            session,
            None,
            "judging.pause",
            competition_id=competition_id,
            ground_truth=version,
            because=because,
        )
    _log.error("judging.paused", competition=competition_id, version=version, because=because)


def end(session: WriteSession, *, competition_id: str, version: int) -> None:
    """Ends the pause of this version, which could be read."""
    if queries.end_pause(session, competition_id=competition_id, version=version):
        audit.record(
            session, None, "judging.resume", competition_id=competition_id, ground_truth=version
        )


def resume(session: WriteSession, *, actor: Actor, slug: str, reason: str = "") -> Competition:
    """Retries every paused ground truth of a competition at once.

    Raises `NotFound`, and `WrongState` (`not-paused`).
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    now = database_now(session)
    if not queries.retry_pauses(session, competition_id=competition.id, now=now):
        raise WrongState("Judging has not paused by itself.", code=ErrorCode.NOT_PAUSED)
    audit.record(session, actor, "judging.resume", competition, reason=reason)
    return competition
