"""Routes that cancel a judging, and let judging go on that paused."""

from __future__ import annotations

from fastapi import APIRouter, Response

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.routes.competitions import managed_answer
from podium.competitions.schemas.competitions import Act, ManagedCompetitionOut
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
    """Only while it is queued; its slot of today comes back."""
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
    """A queued one ends at once, its slot comes back; a running one ends when its worker looks."""
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
    session: Writing, actor: SignedIn, slug: str, response: Response, body: Act | None = None
) -> ManagedCompetitionOut:
    """Judging that paused by itself goes on by itself too, a little later; this is for at once."""
    competition = pauses.resume(session, actor=actor, slug=slug, reason=body.reason if body else "")
    return managed_answer(session, actor, competition, response)
