"""The route that tries a ground truth again that could not be read."""

from __future__ import annotations

from fastapi import Response

from podium.services import judging_pauses
from podium.web.api.competitions.competitions import managed_answer
from podium.web.api.competitions.documents import Act, ManagedCompetitionOut
from podium.web.api.schemas import problems
from podium.web.bodies.strict_json import strict_router
from podium.web.deps import SignedIn
from podium.web.transactions import Writing

router = strict_router(tag="competitions")


@router.post(
    "/admin/competitions/{slug}/resume-judging",
    operation_id="resumeJudging",
    summary="Try a ground truth again that could not be read",
    responses=problems(400, 401, 404, 409),
)
def post_resume_judging(
    session: Writing, actor: SignedIn, slug: str, response: Response, body: Act | None = None
) -> ManagedCompetitionOut:
    """Judging that paused by itself goes on by itself too, a little later; this is for at once."""
    competition = judging_pauses.resume(
        session, actor=actor, slug=slug, reason=body.reason if body else ""
    )
    return managed_answer(session, actor, competition, response)
