"""The route of the final ranking before it is published."""

from __future__ import annotations

from podium.accounts.authentication.callers import SignedIn
from podium.boards.schemas import FinalPreviewOut
from podium.boards.service import finale
from podium.http.schemas import OF_PHASES, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Writing

router = strict_router(tag="leaderboard")


@router.get(
    "/admin/competitions/{slug}/finale",
    operation_id="previewFinale",
    summary="The final ranking before it is published",
    responses=problems(*OF_PHASES),
)
def get_finale(session: Writing, actor: SignedIn, slug: str) -> FinalPreviewOut:
    """For organizers only; nothing is published or changed, and the request is recorded in the
    audit log."""
    return FinalPreviewOut.of(finale.preview(session, actor=actor, slug=slug))
