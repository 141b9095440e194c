"""Cancelling a judging that has no verdict yet, for its team and for organizers."""

from __future__ import annotations

from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.core.models import Run
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.judging.service import verdicts
from podium.judging.service.verdicts import Verdict, Work
from podium.submissions.service.submissions import Found, find_organized_submission, find_submission


def cancel(session: WriteSession, *, submission_id: str, actor: Actor) -> None:
    """Cancels a judging without a verdict, for organizers: a queued one at once, with its slot
    returned, a running one as soon as its worker notices. The engine's job stays: the worker that
    takes it finds nothing to do.

    Raises `NotFound`, and `WrongState` (`already-judged`).
    """
    found = find_organized_submission(session, submission_id, actor)
    _cancel(session, found, actor, is_organizer=True)


def cancel_own(session: WriteSession, *, submission_id: str, actor: Actor) -> None:
    """Cancels a queued judging for the submission's own team; its slot is returned at once.

    Raises `NotFound`, and `WrongState` (`already-judged`, `judging-began`).
    """
    found, is_organizer = find_submission(session, submission_id=submission_id, actor=actor)
    _cancel(session, found, actor, is_organizer=is_organizer)


def _cancel(session: WriteSession, found: Found, actor: Actor, *, is_organizer: bool) -> None:
    judging = locks.locked_judging(session, judging_id=found.judging.id)
    assert judging is not None, "judgings are never deleted"
    if State(judging.state).is_final:
        raise WrongState("This submission has its verdict already.", code=ErrorCode.ALREADY_JUDGED)
    if not is_organizer and judging.state != State.QUEUED:
        raise WrongState(
            "Its judging has begun. Only what still waits can be taken back.",
            code=ErrorCode.JUDGING_BEGAN,
        )
    run = locks.locked_row(session, Run, judging.id)
    assert run is not None, "an upload's judging has its run from the start"
    run.cancel_requested = True
    if judging.state == State.QUEUED:
        verdicts.record(session, Work(judging, run), Verdict(state=State.CANCELLED))
    audit.record(session, actor, "submission.cancel", found.submission)
