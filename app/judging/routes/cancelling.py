"""Routes that cancel a judging."""

from __future__ import annotations

from podium.accounts.authentication.callers import SignedIn
from podium.http.schemas import problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Writing
from podium.judging.service import cancelling
from podium.submissions.routes.submissions import changed_submission
from podium.submissions.schemas import SubmissionOut

router = strict_router(tag="submissions")


@router.post(
    "/submissions/{submission_id}/cancel",
    operation_id="cancelOwnSubmission",
    summary="Take back a submission that still waits",
    responses=problems(401, 404, 409),
)
def post_own_cancel(submission_id: str, actor: SignedIn, session: Writing) -> SubmissionOut:
    """Only while it is queued; its slot of today comes back."""
    cancelling.cancel_own(session, submission_id=submission_id, actor=actor)
    return changed_submission(session, actor, submission_id)


@router.post(
    "/admin/submissions/{submission_id}/cancel",
    operation_id="cancelSubmission",
    summary="Cancel a judging that has no verdict yet",
    responses=problems(401, 404, 409),
)
def post_cancel(submission_id: str, actor: SignedIn, session: Writing) -> SubmissionOut:
    """A queued one ends at once, its slot comes back; a running one ends when its worker looks."""
    cancelling.cancel(session, submission_id=submission_id, actor=actor)
    return changed_submission(session, actor, submission_id)
