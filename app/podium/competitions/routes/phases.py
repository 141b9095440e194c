"""Routes of the explicit acts in the life of a competition. The launch has its own file."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Response

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.routes.competitions import managed_answer
from podium.competitions.schemas.acts import ActReason
from podium.competitions.schemas.competitions import ManagedCompetitionOut
from podium.competitions.service import phases
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import Competition
from podium.errors.codes import ErrorCode
from podium.http.schemas import OF_PHASES, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Writing

router = strict_router(tag="competitions")


@router.post(
    "/admin/competitions/{slug}/freeze",
    operation_id="freezeCompetition",
    summary="Leave the public board as it is",
    responses=problems(*OF_PHASES),
)
def post_freeze(
    session: Writing, actor: SignedIn, slug: str, response: Response, reason: ActReason
) -> ManagedCompetitionOut:
    """Uploads go on. Teams see the state, but not the score, of what they send from now on;
    organizers see all. The reveal ends it."""
    return _act(phases.freeze, session, actor, slug, reason, response)


@router.post(
    "/admin/competitions/{slug}/unfreeze",
    operation_id="unfreezeCompetition",
    summary="Take a freeze back",
    responses=problems(*OF_PHASES, ErrorCode.NOT_FROZEN),
)
def post_unfreeze(
    session: Writing, actor: SignedIn, slug: str, response: Response, reason: ActReason
) -> ManagedCompetitionOut:
    """The public board shows everything again; possible until the reveal, also when closed."""
    return _act(phases.unfreeze, session, actor, slug, reason, response)


@router.post(
    "/admin/competitions/{slug}/close",
    operation_id="closeCompetition",
    summary="End submitting now",
    responses=problems(*OF_PHASES),
)
def post_close(
    session: Writing, actor: SignedIn, slug: str, response: Response, reason: ActReason
) -> ManagedCompetitionOut:
    """Also happens by itself at `ends_at`."""
    return _act(phases.close, session, actor, slug, reason, response)


@router.post(
    "/admin/competitions/{slug}/reopen",
    operation_id="reopenCompetition",
    summary="Take a close back",
    responses=problems(*OF_PHASES),
)
def post_reopen(
    session: Writing, actor: SignedIn, slug: str, response: Response, reason: ActReason
) -> ManagedCompetitionOut:
    """Only from closed, never from revealed."""
    return _act(phases.reopen, session, actor, slug, reason, response)


@router.post(
    "/admin/competitions/{slug}/reveal",
    operation_id="revealCompetition",
    summary="Publish the final ranking",
    responses=problems(*OF_PHASES, ErrorCode.STILL_JUDGING),
)
def post_reveal(
    session: Writing, actor: SignedIn, slug: str, response: Response, reason: ActReason
) -> ManagedCompetitionOut:
    """For good; only once everything that was accepted in time has been judged."""
    return _act(phases.reveal, session, actor, slug, reason, response)


def _act(
    act: Callable[..., Competition],
    session: WriteSession,
    actor: Actor,
    slug: str,
    reason: str,
    response: Response,
) -> ManagedCompetitionOut:
    competition = act(session, actor=actor, slug=slug, reason=reason)
    return managed_answer(session, actor, competition, response)
