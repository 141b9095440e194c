"""Routes by which teams become one: ask, look, accept, decline, withdraw."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request, Response
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.errors.codes import ErrorCode
from podium.http.paging import Listed, Paging, link_next
from podium.http.schemas import Input, problems
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
        400,
        401,
        404,
        409,
        ErrorCode.ALREADY_REQUESTED,
        ErrorCode.CANNOT_MERGE,
        ErrorCode.NO_TEAM,
        ErrorCode.SAME_TEAM,
        ErrorCode.TOO_MANY_REQUESTS,
        ErrorCode.UNKNOWN_TEAM,
        ErrorCode.COMPETITION_CLOSED,
        ErrorCode.COMPETITION_NOT_OPEN,
    ),
)
def post_request(
    slug: str, body: NewMergeRequest, actor: SignedIn, session: Writing
) -> MergeRequestOut:
    """If it accepts, my team becomes a part of it: people, submissions, and what was used of the
    quota."""
    wish = merging.request_merge(session, slug=slug, actor=actor, other=body.team)
    return merge_request_out(wish, own_team_id=wish[0].from_team_id)


@router.get(
    "/competitions/{slug}/team/merge-requests",
    operation_id="listMergeRequests",
    summary="My team's requests, and those of others to it",
    responses=problems(401, 404, ErrorCode.NO_TEAM),
)
def get_requests(
    slug: str,
    actor: SignedIn,
    session: Reading,
    page: Paging,
    request: Request,
    response: Response,
) -> Listed[MergeRequestOut]:
    """Newest first, answered ones included."""
    before = page.after(str)
    own, wishes = merging.list_requests(
        session,
        slug=slug,
        actor=actor,
        before_id=before[0] if before else None,
        limit=page.fetch,
    )
    shown, next_cursor = page.cut(wishes, key=lambda wish: (wish[0].id,))
    link_next(request, response, next_cursor)
    items = [merge_request_out(wish, own_team_id=own.id) for wish in shown]
    return Listed(items=items, next_cursor=next_cursor)


@router.post(
    "/competitions/{slug}/team/merge-requests/{request_id}/accept",
    operation_id="acceptMerge",
    summary="Take the other team in",
    responses=problems(
        401,
        404,
        409,
        ErrorCode.CANNOT_MERGE,
        ErrorCode.MERGE_TOO_LARGE,
        ErrorCode.MERGE_TOO_MANY_SUBMISSIONS,
        ErrorCode.NO_TEAM,
        ErrorCode.NOT_PENDING,
        ErrorCode.TEAM_CHANGED,
        ErrorCode.COMPETITION_CLOSED,
        ErrorCode.COMPETITION_NOT_OPEN,
    ),
)
def post_accept(slug: str, request_id: str, actor: SignedIn, session: Writing) -> MergeRequestOut:
    """While teams may form; together they must not have more members, nor have used more
    submissions, than one team could."""
    wish = merging.accept_merge(session, slug=slug, actor=actor, request_id=request_id)
    return merge_request_out(wish, own_team_id=wish[0].to_team_id)


@router.post(
    "/competitions/{slug}/team/merge-requests/{request_id}/decline",
    operation_id="declineMerge",
    summary="Say no to the other team",
    responses=problems(401, 404, 409, ErrorCode.NO_TEAM, ErrorCode.NOT_PENDING),
)
def post_decline(slug: str, request_id: str, actor: SignedIn, session: Writing) -> MergeRequestOut:
    """It may ask again."""
    wish = merging.decline_merge(session, slug=slug, actor=actor, request_id=request_id)
    return merge_request_out(wish, own_team_id=wish[0].to_team_id)


@router.post(
    "/competitions/{slug}/team/merge-requests/{request_id}/withdraw",
    operation_id="withdrawMerge",
    summary="Take my team's request back",
    responses=problems(401, 404, 409, ErrorCode.NO_TEAM, ErrorCode.NOT_PENDING),
)
def post_withdraw(slug: str, request_id: str, actor: SignedIn, session: Writing) -> MergeRequestOut:
    """As long as it has no answer."""
    wish = merging.withdraw_merge(session, slug=slug, actor=actor, request_id=request_id)
    return merge_request_out(wish, own_team_id=wish[0].from_team_id)
