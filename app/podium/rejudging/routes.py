"""Routes of rejudgings: begin, view, apply or cancel a set. For organizers only."""

from __future__ import annotations

from typing import Annotated

from fastapi import Response
from pydantic import Field, StringConstraints, create_model
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.schemas.acts import ActReason
from podium.competitions.schemas.competitions import CompetitionChanges, given_changes
from podium.core.access import Actor
from podium.core.competition_settings import ONLY_BY_REJUDGING
from podium.core.competition_settings.texts import NeededReason
from podium.core.models import Rejudging
from podium.errors.codes import ErrorCode
from podium.http.paging import LARGEST_INTEGER, Listed, Page, Paging
from podium.http.schemas import Input, OpenApi, PersonOut, example, problems
from podium.http.streaming.strict_json import strict_router, takes_long_json
from podium.http.transactions import Reading, Writing
from podium.rejudging.schemas import LostScoreOut, RejudgingDocument, RejudgingOut
from podium.rejudging.service import application, rejudgings
from podium.rejudging.service import views as views_service
from podium.rejudging.service.views import RejudgingView

router = strict_router(tag="rejudgings")

MAX_NAMED = 1000
"""Submissions that one request may name; a request without any judges all anew."""

RETRY_AFTER_SECONDS = 5

_SETTINGS: OpenApi = {
    name: (CompetitionChanges.model_fields[name].annotation, CompetitionChanges.model_fields[name])
    for name in sorted(ONLY_BY_REJUDGING)
}

RejudgedSettings = create_model(
    "RejudgedSettings",
    __base__=Input,
    __doc__="Settings that change when it is applied; those not given stay as they are.",
    **_SETTINGS,
)


class NewRejudging(Input):
    """A rejudging to begin."""

    model_config = example(reason="session 17 had a wrong label", ground_truth_version=2)

    reason: Annotated[NeededReason, Field(examples=["session 17 had a wrong label"])]
    """Why; announced to everybody once it is applied."""
    ground_truth_version: Annotated[int | None, Field(ge=1, le=LARGEST_INTEGER)] = None
    """The version to judge with. Null: the active one."""
    submission_ids: Annotated[
        list[Annotated[str, StringConstraints(max_length=64)]] | None,
        Field(min_length=1, max_length=MAX_NAMED),
    ] = None
    """The submissions to judge anew. Null: all that were accepted."""
    times: Annotated[int, Field(ge=1, le=3)] = 1
    """The number of judgings of each file; two or three show whether scores repeat."""
    settings: RejudgedSettings | None = None
    """Settings that change when it is applied. Null: none."""


@router.post(
    "/admin/competitions/{slug}/rejudgings",
    operation_id="startRejudging",
    summary="Judge submissions anew",
    status_code=202,
    responses=problems(
        ErrorCode.ITEM_FILE_LACKS,
        ErrorCode.METRIC_ARGUMENTS,
        ErrorCode.NOT_REJUDGEABLE,
        ErrorCode.OBJECTIVES_FIXED,
        ErrorCode.REJUDGING_UNFINISHED,
        ErrorCode.UNKNOWN_GROUND_TRUTH,
        ErrorCode.UNKNOWN_METRIC,
        ErrorCode.UNKNOWN_METRIC_VERSION,
        ErrorCode.WOULD_MIX_VERSIONS,
    ),
)
@takes_long_json
def post_rejudging(
    slug: str, body: NewRejudging, actor: SignedIn, session: Writing, response: Response
) -> RejudgingDocument:
    """Inserts new judgings beside the old ones, behind all uploads; submissions that arrive
    meanwhile are included. Nothing that others see changes before the rejudging is applied."""
    row = rejudgings.start(
        session,
        actor=actor,
        slug=slug,
        reason=body.reason,
        ground_truth_version=body.ground_truth_version,
        submission_ids=body.submission_ids,
        times=body.times,
        settings=given_changes(body.settings) if body.settings is not None else None,
    )
    session.flush()
    response.headers["Location"] = f"/api/v1/admin/rejudgings/{row.id}"
    response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return _document(session, actor, row.id, Page(limit=1))


@router.get(
    "/admin/competitions/{slug}/rejudgings",
    operation_id="listRejudgings",
    summary="A competition's rejudgings",
)
def get_rejudgings(
    slug: str, actor: SignedIn, session: Reading, page: Paging
) -> Listed[RejudgingOut]:
    """Newest first."""
    competition, rows = rejudgings.list_rejudgings(
        session, actor=actor, slug=slug, before_id=page.after_text, limit=page.fetch
    )

    def show(row: Rejudging) -> RejudgingOut:
        return _summary(views_service.summary(session, row=row, competition=competition))

    return page.listed(rows, key=lambda row: (row.id,), show=show)


@router.get(
    "/admin/rejudgings/{rejudging_id}",
    operation_id="getRejudging",
    summary="One rejudging, with what it changes",
)
def get_rejudging(
    rejudging_id: str, actor: SignedIn, session: Reading, page: Paging
) -> RejudgingDocument:
    """Teams with the biggest moves come first; `limit` and `cursor` page through them."""
    document = _document(session, actor, rejudging_id, page)
    page.link_next(document.next_cursor)
    return document


@router.post(
    "/admin/rejudgings/{rejudging_id}/apply",
    operation_id="applyRejudging",
    summary="Publish a rejudging",
    responses=problems(
        ErrorCode.NOT_DETERMINISTIC,
        ErrorCode.REJUDGING_APPLIED,
        ErrorCode.REJUDGING_CANCELLED,
        ErrorCode.REJUDGING_FAILED,
        ErrorCode.REJUDGING_RUNNING,
    ),
)
def post_apply(
    rejudging_id: str, actor: SignedIn, session: Writing, reason: ActReason
) -> RejudgingDocument:
    """As a whole or not at all: ground truth, settings, verdicts and boards change together."""
    application.apply(session, actor=actor, rejudging_id=rejudging_id, reason=reason)
    return _document(session, actor, rejudging_id, Page(limit=50))


@router.post(
    "/admin/rejudgings/{rejudging_id}/cancel",
    operation_id="cancelRejudging",
    summary="Give a rejudging up",
    responses=problems(ErrorCode.REJUDGING_APPLIED, ErrorCode.REJUDGING_CANCELLED),
)
def post_cancel_rejudging(
    rejudging_id: str, actor: SignedIn, session: Writing, reason: ActReason
) -> RejudgingDocument:
    """Everything stays as it is."""
    rejudgings.cancel(session, actor=actor, rejudging_id=rejudging_id, reason=reason)
    return _document(session, actor, rejudging_id, Page(limit=50))


def _document(session: Session, actor: Actor, rejudging_id: str, page: Page) -> RejudgingDocument:
    row, competition = rejudgings.find(session, actor=actor, rejudging_id=rejudging_id)
    after = page.after(int)
    offset = min(max(after[0], 0), LARGEST_INTEGER - page.fetch) if after else 0
    view = views_service.present(
        session, row=row, competition=competition, offset=offset, limit=page.fetch
    )
    shown, next_cursor = page.cut(view.changes, key=lambda _: (offset + page.limit,))
    return RejudgingDocument.of(
        _summary(view),
        view,
        changes=shown,
        next_cursor=next_cursor,
        lost_scores=[
            LostScoreOut.of(one, team=PersonOut(id=one.team_id, name=one.team_name))
            for one in view.lost_scores
        ],
        lost_score_count=view.lost_count,
    )


def _summary(view: RejudgingView) -> RejudgingOut:
    row = view.rejudging
    return RejudgingOut.of(
        view,
        view.count,
        row,
        competition=view.slug,
        settings=row.settings or {},
        only_some_submissions=row.is_partial,
    )
