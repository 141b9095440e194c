"""Disqualifying an accepted submission, reinstating it, and giving its slot back."""

from __future__ import annotations

from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.standings.service import standings
from podium.submissions.service import quota
from podium.submissions.service.submissions import Found, find_organized_submission


def disqualify(session: WriteSession, *, submission_id: str, actor: Actor, reason: str) -> None:
    """Takes a submission off the boards; it is no longer final and stays charged. Its team sees
    the reason. Raises `NotFound`, and `WrongState` (`already-disqualified`)."""
    found = _organized_locked(session, submission_id, actor)
    if found.submission.disqualified_at is not None:
        raise WrongState("It is disqualified already.", code=ErrorCode.ALREADY_DISQUALIFIED)
    found.submission.disqualified_at = database_now(session)
    found.submission.disqualified_because = reason
    _changed(session, found, actor, "disqualify", reason)


def reinstate(session: WriteSession, *, submission_id: str, actor: Actor, reason: str = "") -> None:
    """Takes a disqualification back. Raises `NotFound`, and `WrongState` (`not-disqualified`)."""
    found = _organized_locked(session, submission_id, actor)
    if found.submission.disqualified_at is None:
        raise WrongState("It is not disqualified.", code=ErrorCode.NOT_DISQUALIFIED)
    found.submission.disqualified_at = None
    found.submission.disqualified_because = None
    _changed(session, found, actor, "reinstate", reason)


def return_slot(
    session: WriteSession, *, submission_id: str, actor: Actor, reason: str = ""
) -> None:
    """Gives a team the slot of a submission back that was judged and has no score. A team that
    waits because the metric failed with its last files goes on. Raises `NotFound`, and `WrongState`
    (`no-slot-to-return`)."""
    found = find_organized_submission(session, submission_id, actor)
    state = State(found.judging.state)
    if (
        not state.is_final
        or state is State.SCORED
        or not quota.return_slot(session, submission_id=found.submission.id)
    ):
        raise WrongState(
            "It uses no slot that could be given back: it has a score, is not judged yet, or does"
            " not count.",
            code=ErrorCode.NO_SLOT_TO_RETURN,
        )
    audit.record(session, actor, "submission.return-slot", found.submission, reason=reason)


def _organized_locked(session: WriteSession, submission_id: str, actor: Actor) -> Found:
    """The same with its board locked first: a transaction that changes a submission has locked the
    board already, as the application of a rejudging does, which changes all of them."""
    found = find_organized_submission(session, submission_id, actor)
    locks.lock_board(session, competition_id=found.competition.id)
    session.refresh(found.submission)
    return found


def _changed(session: WriteSession, found: Found, actor: Actor, act: str, reason: str) -> None:
    session.flush()
    standings.refresh(session, competition_id=found.competition.id, team_id=found.team.id)
    audit.record(session, actor, f"submission.{act}", found.submission, reason=reason)
