"""Applies a rejudging: one transaction that makes the new judgings effective, activates the new
ground truth and settings, and recomputes the boards. Times of submissions never change."""

from __future__ import annotations

from podium.competitions.service import announcements
from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.competition_settings import with_changes
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import RejudgingState, is_charged
from podium.core.models import Competition, Rejudging
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.rejudging.queries import rejudgings, results
from podium.rejudging.queries.results import Replaced
from podium.rejudging.service import rejudgings as rejudgings_service
from podium.rejudging.service.views import (
    count_of,
    document_of,
    is_deterministic,
    outcome_of,
    status_of,
)
from podium.standings.service import ladder, leaks, standings
from podium.submissions.service import quota

RUNNING_RETRY_SECONDS = 5
"""Seconds after which to retry applying a rejudging that still runs."""

TITLE = "Scores changed after a rejudging"

SHOWN_FAILURES = 10


def apply(session: WriteSession, *, actor: Actor, rejudging_id: str, reason: str = "") -> None:
    """Applies a rejudging as a whole.

    A submission that is a bad file under the new settings loses its score. If scores change, an
    announcement says so with the reason. Raises `NotFound` and `WrongState`: `rejudging-running`
    until everything is judged, including submissions that arrived meanwhile; `rejudging-failed`
    while we failed to judge a team's submission, which its disqualification or another rejudging
    ends; `not-deterministic`; `rejudging-applied` and `rejudging-cancelled`.
    """
    rejudgings_service.find(session, actor=actor, rejudging_id=rejudging_id)
    unfinished = results.replaced_unfinished(session, rejudging_id=rejudging_id)
    seen = rejudgings.find(session, rejudging_id=rejudging_id)
    assert seen is not None, "rejudgings are never deleted"
    competition = locks.lock_board(session, competition_id=seen[1].id)
    row = rejudgings_service.running(session, rejudging_id)
    _refuse_unready(session, row)
    outcome = outcome_of(session, row=row, competition=competition)
    documents = [document_of(change, outcome) for change in outcome.changes]
    results.keep_changes(session, rejudging_id=row.id, documents=documents)
    first_scores = results.newly_scored(session, rejudging_id=row.id)
    results.make_effective(session, competition_id=competition.id, rejudging_id=row.id)
    _end_unfinished(session, unfinished)
    _activate(session, competition, row)
    ladder.decide_by_errors(session, competition=competition, submission_ids=first_scores)
    leaks.record_all(session, competition=competition)
    standings.recompute_public_board(session, competition=competition)
    if any(change.is_change for change in outcome.changes):
        announcements.announce(
            session, competition=competition, title=TITLE, text=f"The reason: {row.reason}"
        )
    audit.record(
        session,
        actor,
        "rejudging.apply",
        row,
        reason=row.reason,
        because=reason,
        ground_truth=row.ground_truth_version,
        settings=row.settings or {},
        changed_teams=outcome.changed_teams,
        lost_scores=len(outcome.lost),
    )


def _refuse_unready(session: WriteSession, row: Rejudging) -> None:
    count = count_of(session, row)
    status = status_of(row, count)
    if status is not RejudgingState.READY:
        raise WrongState(
            f"{count.done} of {count.total} judgings have ended. Apply it when all have.",
            code=ErrorCode.REJUDGING_RUNNING,
            retry_after=RUNNING_RETRY_SECONDS,
            done=count.done,
            total=count.total,
        )
    failed = results.failures(session, rejudging_id=row.id, limit=SHOWN_FAILURES)
    if failed:
        raise WrongState(
            f"We failed to judge {failed[0]} anew. Disqualify it with a reason, or cancel this"
            " rejudging and begin another one.",
            code=ErrorCode.REJUDGING_FAILED,
            submission_ids=list(failed),
        )
    if is_deterministic(session, row, status) is False:
        raise WrongState(
            "Judging the same file again gave other numbers. This must not be published.",
            code=ErrorCode.NOT_DETERMINISTIC,
        )


def _end_unfinished(session: WriteSession, unfinished: list[Replaced]) -> None:
    """Cancels live judgings that are replaced. The verdict that takes effect decides whether the
    slot is returned."""
    if not unfinished:
        return
    results.end_judgings(
        session,
        judging_ids=[one.judging_id for one in unfinished],
        now=database_now(session),
    )
    for one in unfinished:
        if not is_charged(one.new_state, problem_code=(one.new_problem or {}).get("code")):
            quota.return_slot(session, submission_id=one.submission_id)


def _activate(session: WriteSession, competition: Competition, row: Rejudging) -> None:
    settings = with_changes(settings_of(competition), row.settings or {})
    competition.settings = settings.model_dump(mode="json")
    competition.active_ground_truth = row.ground_truth_version
    competition.version += 1
    row.state, row.finished_at = RejudgingState.APPLIED, database_now(session)
    session.flush()
