"""Routes of what can be done with an accepted submission: disqualify, reinstate, give its slot
back."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.schemas.acts import ActReason
from podium.core.competition_settings.texts import NeededReason
from podium.errors.codes import ErrorCode
from podium.http.schemas import Input, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Writing
from podium.submissions.routes.submissions import changed_submission
from podium.submissions.schemas import SubmissionOut
from podium.submissions.service import disqualification

router = strict_router(tag="submissions")


class Disqualification(Input):
    """A disqualification of a submission."""

    reason: Annotated[NeededReason, Field(examples=["made by hand"])]
    """Why; shown to the team too."""


@router.post(
    "/admin/submissions/{submission_id}/disqualify",
    operation_id="disqualifySubmission",
    summary="Take a submission off the boards",
    responses=problems(ErrorCode.ALREADY_DISQUALIFIED),
)
def post_disqualify(
    submission_id: str, body: Disqualification, actor: SignedIn, session: Writing
) -> SubmissionOut:
    """At once, on both boards; it cannot be a final any more. Its slot stays used."""
    disqualification.disqualify(
        session, submission_id=submission_id, actor=actor, reason=body.reason
    )
    return changed_submission(session, actor, submission_id)


@router.post(
    "/admin/submissions/{submission_id}/reinstate",
    operation_id="reinstateSubmission",
    summary="Take a disqualification back",
    responses=problems(ErrorCode.NOT_DISQUALIFIED),
)
def post_reinstate(
    submission_id: str, actor: SignedIn, session: Writing, reason: ActReason
) -> SubmissionOut:
    """The submission counts again, as if nothing had been."""
    disqualification.reinstate(session, submission_id=submission_id, actor=actor, reason=reason)
    return changed_submission(session, actor, submission_id)


@router.post(
    "/admin/submissions/{submission_id}/return-slot",
    operation_id="returnSlot",
    summary="Give a team the slot of a submission back",
    responses=problems(ErrorCode.NO_SLOT_TO_RETURN),
)
def post_return_slot(
    submission_id: str, actor: SignedIn, session: Writing, reason: ActReason
) -> SubmissionOut:
    """Of one that was judged and has no score. A team that waits because the custom metric
    failed with its last files goes on."""
    disqualification.return_slot(session, submission_id=submission_id, actor=actor, reason=reason)
    return changed_submission(session, actor, submission_id)
