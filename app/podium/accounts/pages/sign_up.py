"""Registration: the form, the page of a request's state, and the organizers' list of requests.

The form sends a name, and a password with the code or a note, or a mail address. All ways lead back
to the page that the visitor came from, such as an invitation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from podium.accounts.authentication.credentials import Checks
from podium.accounts.authentication.mail import MailApplicant, ask_for_account
from podium.accounts.authentication.sign_up import (
    Newcomer,
    SignUpLimits,
    SignUpMode,
    register_with_code,
    request_account,
    sign_up_mode,
)
from podium.accounts.pages.sign_in import end_earlier, own_path
from podium.accounts.schemas import AccountRequestOut, AccountRequestState
from podium.core.competition_settings.texts import MAX_NOTE_CHARACTERS
from podium.errors import NotFound, PodiumError
from podium.errors.codes import ErrorCode
from podium.http.cookies import session_cookie, set_session_cookie
from podium.http.deps import Address, App
from podium.http.pages.acts import FormAction, act_named, carry_out
from podium.http.pages.api_calls import at, document_of
from podium.http.pages.fields import EMPTY, FormView, read_form, refusal_of
from podium.http.pages.layout import PageContext, require_organizer, show, visitor_of
from podium.http.pages.lists import listed_of
from podium.http.paging import Listed

router = APIRouter(include_in_schema=False)


LIMIT = 100

_COMPETITION = re.compile(r"(/competitions/[a-z0-9-]+)(/[a-z-]*)?")
"""A page of a competition; those with an invite code need no other."""

FIELDS: Mapping[str, str] = {
    ErrorCode.NAME_TAKEN: "name",
    ErrorCode.BAD_NAME: "name",
    ErrorCode.BAD_PASSWORD: "password",
    ErrorCode.WRONG_CODE: "code",
    ErrorCode.BAD_MAIL: "mail",
}
"""The field of the form that each refusal belongs to."""


@dataclass(frozen=True, kw_only=True)
class SignUpPage(PageContext):
    """The form to register, and the page that follows."""

    template: ClassVar[str] = "accounts/sign_up.html"

    next_address: str
    mode: SignUpMode
    asks_class_code: bool
    """True where the next page is a competition's, which may have a code of its own."""


@dataclass(frozen=True, kw_only=True)
class RequestPage(PageContext):
    """The state of a request for an account."""

    template: ClassVar[str] = "accounts/sign_up_request.html"

    asked: AccountRequestState
    next_address: str


@dataclass(frozen=True, kw_only=True)
class RequestsPage(PageContext):
    """The requests that wait for an organizer."""

    template: ClassVar[str] = "accounts/organizer/sign_ups.html"

    listed: Listed[AccountRequestOut]


ACTS = {
    "approve": FormAction(
        "/admin/sign-up/requests/{}/approve",
        "account-approved",
        lambda form: {"name": form.text_or_none("name")},
        {ErrorCode.NAME_TAKEN: "name", ErrorCode.BAD_NAME: "name"},
    ),
    "decline": FormAction("/admin/sign-up/requests/{}/decline", "account-declined"),
}


@router.get("/sign-up")
async def show_sign_up(request: Request, app: App, next: str = "/") -> Response:  # noqa: A002 - a name in addresses
    """Shows the form; a visitor who is signed in already is redirected."""
    if await visitor_of(request) is not None:
        return RedirectResponse(own_path(next), status_code=303)
    return await _form(request, sign_up_mode(app.settings), next)


@router.post("/sign-up")
async def post_sign_up(request: Request, app: App, checks: Checks, address: Address) -> Response:
    """Registers the visitor and signs them in, stores their request, or has a link sent to them."""
    form, mode = await read_form(request), sign_up_mode(app.settings)
    limits: SignUpLimits = request.app.state.sign_up_limits
    person = Newcomer(
        form.text("name"),
        form.text("password"),
        form.text("note").strip()[:MAX_NOTE_CHARACTERS],
        address,
    )
    target = _entered_with(form.text("class_code").strip(), own_path(form.text("next")))
    try:
        if mode == "open":
            applicant = MailApplicant(form.text("mail"), address, person.name, target)
            await ask_for_account(app, limits, applicant)
            return RedirectResponse("/sign-up/sent", status_code=303)
        if mode == "approval":
            code = await request_account(app, checks, limits, person=person)
            query = urlencode({"next": target})
            return RedirectResponse(f"/sign-up/requests/{code}?{query}", status_code=303)
        browser = request.headers.get("user-agent", "")
        _, _, cookie = await register_with_code(
            app, checks, limits, person=person, code=form.text("code"), browser=browser
        )
    except PodiumError as error:
        return await _form(request, mode, form.text("next"), refusal_of(form, error, FIELDS))
    await end_earlier(app, session_cookie(request), address)
    response = RedirectResponse(target, status_code=303)
    if cookie is not None:
        set_session_cookie(request, response, cookie)
    return response


@router.get("/sign-up/requests/{code}")
async def show_request(request: Request, code: str, next: str = "/") -> Response:  # noqa: A002 - a name in addresses
    """Shows the state of a request, at an address that only its person knows."""
    asked = await document_of(request, at("/sign-up/requests/{}", code), AccountRequestState)
    return await show(request, RequestPage(asked=asked, next_address=own_path(next)))


@router.get("/organizers/sign-ups")
async def show_requests(request: Request) -> Response:
    """Requests for an account, oldest first."""
    return await _requests(request)


@router.post("/organizers/sign-ups/{request_id}/{name}")
async def post_decision(request: Request, request_id: str, name: str) -> Response:
    """Approves or declines a request."""
    return await carry_out(
        request,
        act_named(ACTS, name),
        request_id,
        back="/organizers/sign-ups",
        again=partial(_requests, request),
        name=request_id,
    )


def _entered_with(class_code: str, target: str) -> str:
    """Builds the address that enters the competition with this code, if the target leads to one."""
    found = _COMPETITION.fullmatch(target)
    if not (class_code and found):
        return target
    return f"{found[1]}/team?{urlencode({'class_code': class_code})}"


async def _form(
    request: Request, mode: SignUpMode, next_address: str, form: FormView = EMPTY
) -> Response:
    if mode == "off":
        raise NotFound("This installation has no registration. Ask an organizer for a link.")
    target = own_path(next_address)
    leads_to_competition = _COMPETITION.fullmatch(target) is not None
    page = SignUpPage(next_address=target, mode=mode, asks_class_code=leads_to_competition)
    return await show(request, page, form=form)


async def _requests(request: Request, *, form: FormView = EMPTY) -> Response:
    await require_organizer(request)
    path = "/api/v1/admin/sign-up/requests"
    listed = await listed_of(request, path, Listed[AccountRequestOut], limit=LIMIT)
    return await show(request, RequestsPage(listed=listed), form=form)
