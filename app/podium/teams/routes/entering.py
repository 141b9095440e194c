"""Routes that enter a competition, and that request entry where organizers approve each
participant."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.accounts.rules import RequestState
from podium.core.competition_settings.texts import Note, Reason
from podium.errors.codes import ErrorCode
from podium.http.paging import Listed, Paging
from podium.http.schemas import OF_ITS_TIME, Input, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing
from podium.teams.schemas.teams import (
    EntryOut,
    JoinRequestOut,
    ListedJoinRequestOut,
    listed_join_request_out,
)
from podium.teams.service import entering

router = strict_router(tag="teams")


class NewJoinRequest(Input):
    """A request to enter."""

    note: Annotated[Note, Field(examples=["Ada Lovelace, course of spring"])] = ""
    """A note by which organizers recognize the person."""


class Decision(Input):
    """An organizer's decision."""

    reason: Reason = ""
    """The reason; shown to the person who asked."""


@router.get(
    "/competitions/{slug}/registration",
    operation_id="getRegistration",
    summary="How to enter a competition",
)
def get_registration(session: Reading, actor: SignedIn, slug: str) -> EntryOut:
    """For every account, also about a private competition that it may enter."""
    found = entering.describe_entry(session, slug=slug, actor=actor)
    return EntryOut.of(found, found.competition, competition=slug)


@router.post(
    "/competitions/{slug}/join-request",
    operation_id="requestToJoin",
    summary="Ask to enter a competition",
    responses=problems(ErrorCode.WRONG_STATE, ErrorCode.ALREADY_IN_TEAM, *OF_ITS_TIME),
)
def post_request(
    session: Writing, actor: SignedIn, slug: str, body: NewJoinRequest | None = None
) -> JoinRequestOut:
    """Where `registration` is `approval`. Once it is approved, create or join a team. Asking again
    returns the same request."""
    note = body.note if body else ""
    return JoinRequestOut.of(entering.ask_to_join(session, slug=slug, actor=actor, note=note))


@router.get(
    "/competitions/{slug}/join-request",
    operation_id="getJoinRequest",
    summary="What became of my request to enter",
)
def get_request(session: Reading, actor: SignedIn, slug: str) -> JoinRequestOut:
    """404 for a person who has not asked."""
    return JoinRequestOut.of(entering.own_request(session, slug=slug, actor=actor))


@router.delete(
    "/competitions/{slug}/join-request",
    operation_id="withdrawJoinRequest",
    summary="Take my request to enter back",
    status_code=204,
    responses=problems(ErrorCode.ALREADY_DECIDED),
)
def delete_request(session: Writing, actor: SignedIn, slug: str) -> None:
    """Only while it is pending."""
    entering.withdraw_request(session, slug=slug, actor=actor)


@router.get(
    "/admin/competitions/{slug}/join-requests",
    operation_id="listJoinRequests",
    summary="Requests to enter",
)
def get_requests(
    session: Reading,
    actor: SignedIn,
    slug: str,
    page: Paging,
    state: Annotated[RequestState | None, Query(description="Only those in this state.")] = None,
) -> Listed[ListedJoinRequestOut]:
    """Oldest first, for organizers."""
    rows = entering.list_join_requests(
        session, slug=slug, actor=actor, state=state, after_id=page.after_text, limit=page.fetch
    )
    return page.listed(
        rows, key=lambda row: (row[0].id,), show=lambda row: listed_join_request_out(*row)
    )


@router.post(
    "/admin/join-requests/{request_id}/approve",
    operation_id="approveJoinRequest",
    summary="Approve a request to enter",
    responses=problems(ErrorCode.ALREADY_IN_TEAM),
)
def post_approve(
    session: Writing, actor: SignedIn, request_id: str, body: Decision | None = None
) -> ListedJoinRequestOut:
    """Also one that was declined before."""
    return _decided(session, actor, request_id, RequestState.APPROVED, body)


@router.post(
    "/admin/join-requests/{request_id}/decline",
    operation_id="declineJoinRequest",
    summary="Decline a request to enter",
    responses=problems(ErrorCode.ALREADY_IN_TEAM),
)
def post_decline(
    session: Writing, actor: SignedIn, request_id: str, body: Decision | None = None
) -> ListedJoinRequestOut:
    """Also one that was approved before, unless the person is in a team by now."""
    return _decided(session, actor, request_id, RequestState.DECLINED, body)


def _decided(
    session: Writing, actor: SignedIn, request_id: str, state: RequestState, body: Decision | None
) -> ListedJoinRequestOut:
    reason = body.reason if body else ""
    decided = entering.decide_join_request(
        session, actor=actor, request_id=request_id, state=state, reason=reason
    )
    return listed_join_request_out(*decided)
