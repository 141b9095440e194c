"""What can be done with an accepted submission: cancel its judging, disqualify it, reinstate it."""

from __future__ import annotations

from app.db import boards as db_boards
from app.db import locks
from app.db.engine import WriteSession, database_now
from app.db.queries.submissions import Found
from app.domain.judging import State
from app.domain.permissions import Actor
from app.errors import NotFound, WrongState
from app.services import audit, judging_verdicts, standings
from app.services.submissions import UNKNOWN, find_submission


def cancel(session: WriteSession, *, submission_id: str, actor: Actor) -> None:
    """Ends a judging that has no verdict yet, for organizers; a queued one at once, with its slot
    given back, a running one as soon as its worker looks. The engine's job stays: whoever takes it
    finds that nothing is left to do.

    Raises `NotFound`, and `WrongState` (`already-judged`).
    """
    found = _organized(session, submission_id, actor)
    _cancel(session, found, actor, is_organizer=True)


def cancel_own(session: WriteSession, *, submission_id: str, actor: Actor) -> None:
    """The same for the submission's own team, while it is queued; its slot comes back at once.

    Raises `NotFound`, and `WrongState` (`already-judged`, `judging-began`).
    """
    found, is_organizer = find_submission(session, submission_id=submission_id, actor=actor)
    _cancel(session, found, actor, is_organizer=is_organizer)


def disqualify(session: WriteSession, *, submission_id: str, actor: Actor, reason: str) -> None:
    """Takes a submission off the boards; it is no final any more and stays charged. Its team sees
    the reason. Raises `NotFound`, and `WrongState` (`already-disqualified`)."""
    found = _organized_locked(session, submission_id, actor)
    if found.submission.disqualified_at is not None:
        raise WrongState("It is disqualified already.", code="already-disqualified")
    found.submission.disqualified_at = database_now(session)
    found.submission.disqualified_because = reason
    _changed(session, found, actor, "disqualify", reason)


def reinstate(session: WriteSession, *, submission_id: str, actor: Actor, reason: str = "") -> None:
    """Takes a disqualification back. Raises `NotFound`, and `WrongState` (`not-disqualified`)."""
    found = _organized_locked(session, submission_id, actor)
    if found.submission.disqualified_at is None:
        raise WrongState("It is not disqualified.", code="not-disqualified")
    found.submission.disqualified_at = None
    found.submission.disqualified_because = None
    _changed(session, found, actor, "reinstate", reason)


def _organized(session: WriteSession, submission_id: str, actor: Actor) -> Found:
    found, is_organizer = find_submission(session, submission_id=submission_id, actor=actor)
    if not is_organizer:
        raise NotFound(UNKNOWN)
    return found


def _organized_locked(session: WriteSession, submission_id: str, actor: Actor) -> Found:
    """The same with its board locked first: whoever changes a submission holds the board already,
    as the application of a rejudging does, which changes all of them."""
    found = _organized(session, submission_id, actor)
    db_boards.lock_board(session, competition_id=found.competition.id)
    session.refresh(found.submission)
    return found


def _cancel(session: WriteSession, found: Found, actor: Actor, *, is_organizer: bool) -> None:
    current = locks.locked_judging(session, judging_id=found.judging.id)
    if State(current.state).is_final:
        raise WrongState("This submission has its verdict already.", code="already-judged")
    if not is_organizer and current.state != State.QUEUED:
        raise WrongState(
            "Its judging has begun. Only what still waits can be taken back.", code="judging-began"
        )
    current.cancel_requested = True
    if current.state == State.QUEUED:
        judging_verdicts.end(session, judging=current, state=State.CANCELLED)
    audit.record(
        session,
        actor=actor,
        action="submission.cancel",
        competition_id=found.competition.id,
        object_id=found.submission.id,
    )


def _changed(session: WriteSession, found: Found, actor: Actor, act: str, reason: str) -> None:
    session.flush()
    standings.refresh(session, competition_id=found.competition.id, team_id=found.team.id)
    audit.record(
        session,
        actor=actor,
        action=f"submission.{act}",
        competition_id=found.competition.id,
        object_id=found.submission.id,
        reason=reason,
    )
