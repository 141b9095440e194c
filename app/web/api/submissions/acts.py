"""Routes of what can be done with an accepted submission: cancel, disqualify, reinstate."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.domain.competition_texts import NeededReason
from podium.services import submission_acts
from podium.web.api.competitions.documents import Act
from podium.web.api.schemas import Input, problems
from podium.web.api.submissions.documents import SubmissionOut, shown
from podium.web.bodies.strict_json import strict_router
from podium.web.deps import SignedIn
from podium.web.transactions import Writing

router = strict_router(tag="submissions")


class Disqualification(Input):
    """Why; the team sees it too."""

    reason: Annotated[NeededReason, Field(examples=["made by hand"])]


@router.post(
    "/admin/submissions/{submission_id}/disqualify",
    operation_id="disqualifySubmission",
    summary="Take a submission off the boards",
    responses=problems(400, 401, 404, 409),
)
def post_disqualify(
    submission_id: str, body: Disqualification, actor: SignedIn, session: Writing
) -> SubmissionOut:
    """At once, on both boards; it cannot be a final any more. Its slot stays used."""
    submission_acts.disqualify(
        session, submission_id=submission_id, actor=actor, reason=body.reason
    )
    return shown(session, actor, submission_id)


@router.post(
    "/admin/submissions/{submission_id}/reinstate",
    operation_id="reinstateSubmission",
    summary="Take a disqualification back",
    responses=problems(400, 401, 404, 409),
)
def post_reinstate(
    submission_id: str, actor: SignedIn, session: Writing, body: Act | None = None
) -> SubmissionOut:
    """The submission counts again, as if nothing had been."""
    submission_acts.reinstate(
        session,
        submission_id=submission_id,
        actor=actor,
        reason=body.reason if body else "",
    )
    return shown(session, actor, submission_id)
