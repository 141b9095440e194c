"""Routes about competitions: read by everybody, made and changed by organizers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.competitions.schemas.competitions import (
    CompetitionChanges,
    CompetitionDeletion,
    CompetitionOut,
    ManagedCompetitionOut,
    given_changes,
    present,
)
from podium.competitions.schemas.versions import etag_of, expected_versions
from podium.competitions.service import competitions, deletion
from podium.competitions.service.competitions import CompetitionView
from podium.core.access import Actor
from podium.core.models import Competition
from podium.errors.codes import ErrorCode
from podium.http.paging import Listed, Paging
from podium.http.schemas import problems
from podium.http.streaming.strict_json import strict_router, takes_long_json
from podium.http.transactions import Reading, Writing

router = strict_router(tag="competitions")

Shown = ManagedCompetitionOut | CompetitionOut


@router.get("/competitions", operation_id="listCompetitions", summary="Competitions that I may see")
def get_competitions(
    session: Reading,
    actor: MaybeActor,
    page: Paging,
    organized: Annotated[bool, Query(description="Only those that I organize.")] = False,
    q: Annotated[
        str, Query(max_length=200, description="Only those with this in their title or slug.")
    ] = "",
) -> Listed[CompetitionOut]:
    """Newest first."""
    rows = competitions.list_competitions(
        session,
        actor=actor,
        after_id=page.after_text,
        limit=page.fetch,
        organized=organized,
        named=q.strip(),
    )
    return page.listed(rows, key=lambda row: (row.competition.id,), show=present)


@router.get("/competitions/{slug}", operation_id="getCompetition", summary="One competition")
def get_competition(session: Reading, actor: MaybeActor, slug: str, response: Response) -> Shown:
    """Organizers see the settings and the state of the ground truth besides. The `ETag` names the
    version of the settings, for `If-Match` only: phases, counts and readers change the answer
    without it, so `If-None-Match` is not looked at."""
    return _answer(competitions.describe(session, actor=actor, slug=slug), response)


@router.patch(
    "/admin/competitions/{slug}",
    operation_id="changeCompetition",
    summary="Change settings",
    responses=problems(
        412,
        ErrorCode.FIXED_AT_LAUNCH,
        ErrorCode.NEEDS_REJUDGING,
        ErrorCode.SLUG_TAKEN,
        ErrorCode.BAD_DATE,
        ErrorCode.METRIC_ARGUMENTS,
        ErrorCode.UNKNOWN_METRIC,
        ErrorCode.UNKNOWN_METRIC_VERSION,
        ErrorCode.INVALID,
    ),
)
@takes_long_json
def patch_competition(
    session: Writing,
    actor: SignedIn,
    slug: str,
    body: CompetitionChanges,
    request: Request,
    response: Response,
) -> ManagedCompetitionOut:
    """All of it or nothing. `If-Match` with the `ETag` of what you read keeps two organizers from
    undoing each other's changes. Another `slug` is another address, of this operation too; it is
    fixed at the launch."""
    competition = competitions.change_competition(
        session,
        actor=actor,
        slug=slug,
        changes=given_changes(body),
        expected_versions=expected_versions(request),
    )
    return managed_answer(session, actor, competition, response)


@router.delete(
    "/admin/competitions/{slug}",
    operation_id="deleteCompetition",
    summary="Delete a competition",
    status_code=204,
    responses=problems(
        ErrorCode.COMPETITION_UPCOMING,
        ErrorCode.COMPETITION_OPEN,
        ErrorCode.COMPETITION_FROZEN,
        ErrorCode.ALREADY_LAUNCHED,
        ErrorCode.REJUDGING_RUNNING,
        ErrorCode.STILL_JUDGING,
        ErrorCode.NOT_CONFIRMED,
    ),
)
def delete_competition(
    session: Writing, actor: SignedIn, slug: str, body: CompetitionDeletion | None = None
) -> None:
    """Organizers delete drafts, for which no body is needed. A launched one is deleted by the
    administrator, once it is closed or revealed: download its full archive before. It is gone at
    once for everybody, with all submissions, scores and teams, and its slug is free; accounts and
    the audit log stay. A worker then removes its rows, and its files after a day."""
    deletion.delete_competition(
        session, actor=actor, slug=slug, confirm=body.confirm if body else None
    )


def managed_answer(
    session: Session, actor: Actor, competition: Competition, response: Response
) -> ManagedCompetitionOut:
    """The competition after an act of this organizer's, with its `ETag`."""
    described = competitions.describe_found(session, actor=actor, competition=competition)
    shown = _answer(described, response)
    assert isinstance(shown, ManagedCompetitionOut), "whoever may act organizes the competition"
    return shown


def _answer(described: CompetitionView, response: Response) -> Shown:
    response.headers["ETag"] = etag_of(described.competition)
    return present(described)
