"""Routes of registration: at once with a code, or by a request that an organizer approves."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn, refuse_bad_token
from podium.accounts.authentication.credentials import Checks
from podium.accounts.authentication.sign_up import (
    Newcomer,
    SignUpLimits,
    register_with_code,
    request_account,
    sign_up_mode,
)
from podium.accounts.schemas import (
    AccountRequestOut,
    AccountRequestState,
    MadeAccountRequest,
    SignedUp,
    SignUpWay,
    UserOut,
    user_out,
)
from podium.accounts.service import sign_up
from podium.core.competition_settings.texts import Note
from podium.errors.codes import ErrorCode
from podium.http.deps import Address, App
from podium.http.paging import Listed, Paging
from podium.http.schemas import Input, PersonOut, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing

router = strict_router(tag="accounts")

GivenName = Annotated[
    str,
    Field(
        description="The name of the new account: 1 to 64 visible characters, unique.",
        max_length=1000,
        examples=["ada"],
    ),
]
GivenPassword = Annotated[
    str,
    Field(
        description="The password that it signs in with: 10 to 256 characters.",
        max_length=1000,
        examples=["correct horse battery"],
    ),
]


class NewSignUp(Input):
    """An account to make with the installation's code."""

    name: GivenName
    password: GivenPassword
    code: Annotated[str, Field(max_length=1000, examples=["spring-26"])]
    """The account code of the installation."""


class NewAccountRequest(Input):
    """A request for an account, which an organizer has to approve."""

    name: GivenName
    password: GivenPassword
    note: Annotated[Note, Field(examples=["Ada Lovelace, course of spring"])] = ""
    """Tells the organizers who asks."""


class Approval(Input):
    """An approval of a request for an account."""

    name: GivenName | None = None
    """Another name for the account, where the wanted one is taken. Null: the wanted one."""


def _limits(request: Request) -> SignUpLimits:
    found: SignUpLimits = request.app.state.sign_up_limits
    return found


Limits = Annotated[SignUpLimits, Depends(_limits)]


@router.get(
    "/sign-up",
    operation_id="getSignUp",
    summary="How people register here",
    dependencies=[Depends(refuse_bad_token)],
)
def get_sign_up(app: App) -> SignUpWay:
    """`off`: by an organizer's link only."""
    return SignUpWay(mode=sign_up_mode(app.settings))


@router.post(
    "/sign-up",
    operation_id="signUp",
    summary="Register with the installation's code",
    status_code=201,
    responses=problems(
        ErrorCode.BAD_NAME,
        ErrorCode.BAD_PASSWORD,
        ErrorCode.NAME_TAKEN,
        ErrorCode.SIGN_UP_OFF,
        ErrorCode.WRONG_CODE,
        ErrorCode.TOO_MANY_ATTEMPTS,
    ),
    dependencies=[Depends(refuse_bad_token)],
)
async def post_sign_up(
    body: NewSignUp, app: App, checks: Checks, limits: Limits, address: Address
) -> SignedUp:
    """Where `mode` is `code`. Wrong codes are counted by network."""
    person = Newcomer(body.name, body.password, address=address)
    user, token, _ = await register_with_code(app, checks, limits, person=person, code=body.code)
    return SignedUp(account=PersonOut(id=user.id, name=user.name), token=token)


@router.post(
    "/sign-up/requests",
    operation_id="requestAccount",
    summary="Ask for an account",
    status_code=202,
    responses=problems(
        ErrorCode.BAD_NAME,
        ErrorCode.BAD_PASSWORD,
        ErrorCode.SIGN_UP_OFF,
        ErrorCode.TOO_MANY_ATTEMPTS,
    ),
    dependencies=[Depends(refuse_bad_token)],
)
async def post_request(
    body: NewAccountRequest, app: App, checks: Checks, limits: Limits, address: Address
) -> MadeAccountRequest:
    """Where `mode` is `approval`. The answer is the same whether the name is free or not; `code`,
    which is shown only here, tells later what became of it."""
    person = Newcomer(body.name, body.password, body.note, address)
    code = await request_account(app, checks, limits, person=person)
    return MadeAccountRequest(code=code, address=f"{app.settings.base_url}/sign-up/requests/{code}")


@router.get(
    "/sign-up/requests/{code}",
    operation_id="getAccountRequest",
    summary="What became of my request for an account",
    dependencies=[Depends(refuse_bad_token)],
)
def get_request(session: Reading, code: str) -> AccountRequestState:
    """`account` is the name to sign in with, once it is approved."""
    return AccountRequestState.of(sign_up.look_at_request(session, code=code))


@router.get(
    "/admin/sign-up/requests",
    operation_id="listAccountRequests",
    summary="Requests for an account that wait",
    responses=problems(403),
)
def get_requests(session: Reading, actor: SignedIn, page: Paging) -> Listed[AccountRequestOut]:
    """Oldest first; for organizers and the administrator."""
    rows = sign_up.list_requests(session, actor=actor, after_id=page.after_text, limit=page.fetch)
    return page.listed(rows, key=lambda row: (row.id,), show=AccountRequestOut.of)


@router.post(
    "/admin/sign-up/requests/{request_id}/approve",
    operation_id="approveAccountRequest",
    summary="Approve a request for an account",
    responses=problems(403, ErrorCode.BAD_NAME, ErrorCode.NAME_TAKEN, ErrorCode.ALREADY_DECIDED),
)
def post_approve(
    session: Writing, actor: SignedIn, request_id: str, body: Approval | None = None
) -> UserOut:
    """Makes the account; 409 `name-taken` where its name is in use, then send another `name`."""
    name = body.name if body else None
    user = sign_up.approve_request(session, actor=actor, request_id=request_id, name=name)
    return user_out(user)


@router.post(
    "/admin/sign-up/requests/{request_id}/decline",
    operation_id="declineAccountRequest",
    summary="Decline a request for an account",
    status_code=204,
    responses=problems(403, ErrorCode.ALREADY_DECIDED),
)
def post_decline(session: Writing, actor: SignedIn, request_id: str) -> None:
    """For good. The person sees it under the address of the request."""
    sign_up.decline_request(session, actor=actor, request_id=request_id)
