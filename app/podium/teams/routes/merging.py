"""Routes of merges of teams: request, read, accept, decline, withdraw."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.errors.codes import ErrorCode
from podium.http.paging import Listed, Paging
from podium.http.schemas import OF_ITS_TIME, Input, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing
from podium.teams.schemas.teams import MergeRequestOut, merge_request_out
from podium.teams.service import merging

router = strict_router(tag="teams")


class NewMergeRequest(Input):
    """The other team, by its id or its name."""

    team: Annotated[str, Field(max_length=1000, examples=["Team Bob"])]
    """The team to merge with, by its id or its name."""


@router.post(
    "/competitions/{slug}/team/merge-requests",
    operation_id="requestMerge",
    summary="Ask another team to merge",
    status_code=201,
    responses=problems(
        404,
        422,
        ErrorCode.ALREADY_REQUESTED,
        ErrorCode.CANNOT_MERGE,
        ErrorCode.NO_TEAM,
        ErrorCode.SAME_TEAM,
        ErrorCode.TOO_MANY_REQUESTS,
        ErrorCode.UNKNOWN_TEAM,
        *OF_ITS_TIME,
    ),
)
def post_request(
    slug: str, body: NewMergeRequest, actor: SignedIn, session: Writing
) -> MergeRequestOut:
    """If it accepts, my team is merged into it, with its people, its submissions, and its used
    quota."""
    wish = merging.request_merge(session, slug=slug, actor=actor, other=body.team)
    return merge_request_out(wish, own_team_id=wish[0].from_team_id)


@router.get(
    "/competitions/{slug}/team/merge-requests",
    operation_id="listMergeRequests",
    summary="My team's requests, and those of others to it",
    responses=problems(ErrorCode.NO_TEAM),
)
def get_requests(
    slug: str, actor: SignedIn, session: Reading, page: Paging
) -> Listed[MergeRequestOut]:
    """Newest first, including answered ones."""
    own, wishes = merging.list_requests(
        session, slug=slug, actor=actor, before_id=page.after_text, limit=page.fetch
    )
    show = partial(merge_request_out, own_team_id=own.id)
    return page.listed(wishes, key=lambda wish: (wish[0].id,), show=show)


@router.post(
    "/competitions/{slug}/team/merge-requests/{request_id}/accept",
    operation_id="acceptMerge",
    summary="Take the other team in",
    responses=problems(
        ErrorCode.CANNOT_MERGE,
        ErrorCode.MERGE_TOO_LARGE,
        ErrorCode.MERGE_TOO_MANY_SUBMISSIONS,
        ErrorCode.NO_TEAM,
        ErrorCode.NOT_PENDING,
        ErrorCode.TEAM_CHANGED,
        *OF_ITS_TIME,
    ),
)
def post_accept(slug: str, request_id: str, actor: SignedIn, session: Writing) -> MergeRequestOut:
    """Only while teams may form; together the teams must not have more members, nor have used more
    submissions, than one team could."""
    wish = merging.accept_merge(session, slug=slug, actor=actor, request_id=request_id)
    return merge_request_out(wish, own_team_id=wish[0].to_team_id)


@router.post(
    "/competitions/{slug}/team/merge-requests/{request_id}/decline",
    operation_id="declineMerge",
    summary="Say no to the other team",
    responses=problems(ErrorCode.NO_TEAM, ErrorCode.NOT_PENDING),
)
def post_decline(slug: str, request_id: str, actor: SignedIn, session: Writing) -> MergeRequestOut:
    """It may ask again."""
    wish = merging.decline_merge(session, slug=slug, actor=actor, request_id=request_id)
    return merge_request_out(wish, own_team_id=wish[0].to_team_id)


@router.post(
    "/competitions/{slug}/team/merge-requests/{request_id}/withdraw",
    operation_id="withdrawMerge",
    summary="Take my team's request back",
    responses=problems(ErrorCode.NO_TEAM, ErrorCode.NOT_PENDING),
)
def post_withdraw(slug: str, request_id: str, actor: SignedIn, session: Writing) -> MergeRequestOut:
    """Only while it is pending."""
    wish = merging.withdraw_merge(session, slug=slug, actor=actor, request_id=request_id)
    return merge_request_out(wish, own_team_id=wish[0].from_team_id)
