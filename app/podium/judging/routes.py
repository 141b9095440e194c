"""Routes that cancel a judging, and resume judging after a pause."""

from __future__ import annotations

from fastapi import APIRouter, Response

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.routes.competitions import managed_answer
from podium.competitions.schemas.acts import ActReason
from podium.competitions.schemas.competitions import ManagedCompetitionOut
from podium.errors.codes import ErrorCode
from podium.http.schemas import problems
from podium.http.streaming.strict_json import StrictRoute
from podium.http.transactions import Writing
from podium.judging.service import cancelling, pauses
from podium.submissions.routes.submissions import changed_submission
from podium.submissions.schemas import SubmissionOut

router = APIRouter(route_class=StrictRoute)


@router.post(
    "/submissions/{submission_id}/cancel",
    operation_id="cancelOwnSubmission",
    summary="Take back a submission that still waits",
    tags=["submissions"],
    responses=problems(ErrorCode.JUDGING_BEGAN, ErrorCode.ALREADY_JUDGED),
)
def post_own_cancel(submission_id: str, actor: SignedIn, session: Writing) -> SubmissionOut:
    """Only while it is queued. Its slot of today is returned."""
    cancelling.cancel_own(session, submission_id=submission_id, actor=actor)
    return changed_submission(session, actor, submission_id)


@router.post(
    "/admin/submissions/{submission_id}/cancel",
    operation_id="cancelSubmission",
    summary="Cancel a judging that has no verdict yet",
    tags=["submissions"],
    responses=problems(ErrorCode.JUDGING_BEGAN, ErrorCode.ALREADY_JUDGED),
)
def post_cancel(submission_id: str, actor: SignedIn, session: Writing) -> SubmissionOut:
    """A queued judging ends at once and returns its slot; a running one ends within a second or
    so."""
    cancelling.cancel(session, submission_id=submission_id, actor=actor)
    return changed_submission(session, actor, submission_id)


@router.post(
    "/admin/competitions/{slug}/resume-judging",
    operation_id="resumeJudging",
    summary="Try a ground truth again that could not be read",
    tags=["competitions"],
    responses=problems(ErrorCode.NOT_PAUSED),
)
def post_resume_judging(
    session: Writing, actor: SignedIn, slug: str, response: Response, reason: ActReason
) -> ManagedCompetitionOut:
    """Judging that has paused by itself resumes by itself, too, a little later; this resumes it at
    once."""
    competition = pauses.resume(session, actor=actor, slug=slug, reason=reason)
    return managed_answer(session, actor, competition, response)
