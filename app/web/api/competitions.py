"""Routes about competitions: read by everybody, made and changed by organizers."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request, Response
from sqlalchemy.orm import Session

from app.db.engine import WriteSession
from app.db.models import Competition
from app.domain.permissions import Actor
from app.services import competitions, competitions_changes, phases
from app.services.competitions import Described
from app.web.api.competition_schemas import (
    Act,
    CompetitionChanges,
    CompetitionOut,
    ManagedCompetitionOut,
    NewCompetition,
    etag_of,
    expected_versions,
    given_changes,
    present,
)
from app.web.api.paging import Listed, Paging, link_next
from app.web.api.schemas import problems
from app.web.deps import MaybeActor, Reading, SignedIn, Writing
from app.web.strict_json import strict_router

router = strict_router(tag="competitions")

Shown = ManagedCompetitionOut | CompetitionOut


@router.get(
    "/competitions",
    operation_id="listCompetitions",
    summary="Competitions that I may see",
    responses=problems(401),
)
def get_competitions(
    session: Reading, actor: MaybeActor, page: Paging, request: Request, response: Response
) -> Listed[CompetitionOut]:
    """Newest first."""
    after = page.after(str)
    rows = competitions.list_competitions(
        session, actor=actor, after_id=after[0] if after else None, limit=page.fetch
    )
    shown, next_cursor = page.cut(rows, key=lambda row: (row.competition.id,))
    link_next(request, response, next_cursor)
    return Listed(items=[present(row) for row in shown], next_cursor=next_cursor)


@router.get(
    "/competitions/{slug}",
    operation_id="getCompetition",
    summary="One competition",
    responses=problems(401, 404),
)
def get_competition(session: Reading, actor: MaybeActor, slug: str, response: Response) -> Shown:
    """Organizers see the settings and the state of the ground truth besides."""
    return _answer(competitions.describe(session, actor=actor, slug=slug), response)


@router.post(
    "/admin/competitions",
    operation_id="createCompetition",
    summary="Make a competition",
    status_code=201,
    responses=problems(400, 401, 403, 409),
)
def post_competition(
    session: Writing, actor: SignedIn, body: NewCompetition, response: Response
) -> ManagedCompetitionOut:
    """A draft, which only its organizers see until the launch."""
    competition = competitions.create_competition(
        session, actor=actor, texts=body.texts(), settings=body.settings()
    )
    response.headers["Location"] = f"/api/v1/competitions/{competition.slug}"
    return _managed(session, actor, competition, response)


@router.patch(
    "/admin/competitions/{slug}",
    operation_id="changeCompetition",
    summary="Change settings",
    responses=problems(400, 401, 404, 409, 412),
)
def patch_competition(
    session: Writing,
    actor: SignedIn,
    slug: str,
    body: CompetitionChanges,
    request: Request,
    response: Response,
) -> ManagedCompetitionOut:
    """All of it or nothing. `If-Match` with the `ETag` of what you read keeps two organizers from
    undoing each other's changes."""
    competition = competitions_changes.change_competition(
        session,
        actor=actor,
        slug=slug,
        changes=given_changes(body),
        expected_versions=expected_versions(request),
    )
    return _managed(session, actor, competition, response)


@router.post(
    "/admin/competitions/{slug}/close",
    operation_id="closeCompetition",
    summary="End submitting now",
    responses=problems(400, 401, 404, 409),
)
def post_close(
    session: Writing, actor: SignedIn, slug: str, response: Response, body: Act | None = None
) -> ManagedCompetitionOut:
    """Also happens by itself at `ends_at`."""
    return _act(phases.close, session, actor, slug, body, response)


@router.post(
    "/admin/competitions/{slug}/reopen",
    operation_id="reopenCompetition",
    summary="Take a close back",
    responses=problems(400, 401, 404, 409),
)
def post_reopen(
    session: Writing, actor: SignedIn, slug: str, response: Response, body: Act | None = None
) -> ManagedCompetitionOut:
    """Only from closed, never from revealed."""
    return _act(phases.reopen, session, actor, slug, body, response)


@router.post(
    "/admin/competitions/{slug}/reveal",
    operation_id="revealCompetition",
    summary="Publish the final ranking",
    responses=problems(400, 401, 404, 409),
)
def post_reveal(
    session: Writing, actor: SignedIn, slug: str, response: Response, body: Act | None = None
) -> ManagedCompetitionOut:
    """For good; only once everything that was accepted has been judged."""
    return _act(phases.reveal, session, actor, slug, body, response)


def _act(
    act: Callable[..., Competition],
    session: WriteSession,
    actor: Actor,
    slug: str,
    body: Act | None,
    response: Response,
) -> ManagedCompetitionOut:
    competition = act(session, actor=actor, slug=slug, reason=body.reason if body else "")
    return _managed(session, actor, competition, response)


def _managed(
    session: Session, actor: Actor, competition: Competition, response: Response
) -> ManagedCompetitionOut:
    described = competitions.describe_found(session, actor=actor, competition=competition)
    shown = _answer(described, response)
    assert isinstance(shown, ManagedCompetitionOut), "whoever may act organizes the competition"
    return shown


def _answer(described: Described, response: Response) -> Shown:
    response.headers["ETag"] = etag_of(described.competition.version)
    return present(described)
