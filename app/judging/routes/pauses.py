"""The route that tries a ground truth again that could not be read."""

from __future__ import annotations

from fastapi import Response

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.routes.competitions import managed_answer
from podium.competitions.schemas.competitions import Act, ManagedCompetitionOut
from podium.http.schemas import problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Writing
from podium.judging.service import pauses

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
    competition = pauses.resume(session, actor=actor, slug=slug, reason=body.reason if body else "")
    return managed_answer(session, actor, competition, response)
