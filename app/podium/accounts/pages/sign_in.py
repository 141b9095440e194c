"""Signing in and out: with a password, or with a pasted token. The browser gets a cookie; its pages
never store the token or password."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from podium.accounts.authentication.callers import MaybeActor
from podium.accounts.authentication.credentials import (
    Checks,
    Credentials,
    browse_with_password,
    browse_with_token,
)
from podium.accounts.authentication.sign_up import sign_up_mode
from podium.accounts.service import page_sessions
from podium.application import Application
from podium.core.access import Actor
from podium.errors import NotAuthenticated, NotFound, PodiumError
from podium.errors.codes import ErrorCode
from podium.http.cookies import forget_session_cookie, session_cookie, set_session_cookie
from podium.http.deps import Address, App
from podium.http.errors import status_of
from podium.http.pages.fields import EMPTY, FormView, SentForm, after, read_form
from podium.http.pages.layout import PageContext, show, visitor_of
from podium.http.threads import in_writing_thread
from podium.http.transactions import read_with

OWN_PATH = re.compile(r"^/(?![/\\])[\x21-\x5b\x5d-\x7e]*$")
"""An address of this installation: one slash, so that it names no host, and no characters that
browsers take for another slash or drop."""

MISSING = "Type your name and your password, or paste a token."

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class SignInPage(PageContext):
    """The form to sign in, the page that follows, alternative ways, and whether mail can reset a
    forgotten password."""

    template: ClassVar[str] = "accounts/sign_in.html"

    next_address: str
    provider: str | None
    signup: str
    sends_mail: bool


@router.get("/sign-in")
async def show_sign_in(request: Request, next: str = "/") -> Response:  # noqa: A002 - a name in addresses
    """Shows the form; a visitor who is signed in already is redirected."""
    if await visitor_of(request) is not None:
        return RedirectResponse(own_path(next), status_code=303)
    return await sign_in_page(request, next)


@router.post("/sign-in")
async def post_sign_in(request: Request, app: App, checks: Checks, address: Address) -> Response:
    """Begins a session, always a new one, and ends the browser's previous one."""
    form = await read_form(request)
    browser = request.headers.get("user-agent", "")
    try:
        cookie = await _begin(app, checks, form, browser, address)
    except PodiumError as error:
        name = "token" if form.text("token").strip() else "password"
        shown = FormView(form, name, status_of(error), error.detail)
        return await sign_in_page(request, form.text("next"), shown)
    await end_earlier(app, session_cookie(request), address)
    response = RedirectResponse(own_path(form.text("next")), status_code=303)
    set_session_cookie(request, response, cookie)
    return response


@router.post("/sign-out")
async def post_sign_out(request: Request, app: App, actor: MaybeActor) -> Response:
    """Ends the session of this browser, on the server too."""
    await _end_current(app, actor)
    response = after("/", "signed-out")
    forget_session_cookie(request, response)
    return response


def own_path(address: str) -> str:
    """Returns an address of this installation unchanged; the first page for any other."""
    return address if OWN_PATH.match(address) else "/"


async def end_earlier(app: Application, cookie: str | None, address: str | None) -> None:
    """Ends the session that a browser had before it got another one."""
    if cookie is not None:
        found = await read_with(app, page_sessions.recognize, cookie=cookie, address=address)
        await _end_current(app, found[0] if found else None)


async def _end_current(app: Application, actor: Actor | None) -> None:
    """Ends the session with which the request was sent, if there is one."""
    if actor is None or actor.page_session_id is None:
        return
    session_id = actor.page_session_id

    def end() -> None:
        # It may have ended since the request began.
        with suppress(NotFound), app.database.write() as session:
            page_sessions.end_session(session, actor=actor, session_id=session_id)

    await in_writing_thread(end)


async def _begin(
    app: Application, checks: Credentials, form: SentForm, browser: str, address: str | None
) -> str:
    token = form.text("token").strip()
    if token:
        return await browse_with_token(app, token=token, browser=browser, address=address)
    name, password = form.text("name"), form.text("password")
    if not name.strip() or not password:
        raise NotAuthenticated(MISSING, code=ErrorCode.WRONG_CREDENTIALS)
    return await browse_with_password(
        app, checks, name=name, password=password, browser=browser, address=address
    )


async def sign_in_page(request: Request, next_address: str, form: FormView = EMPTY) -> Response:
    """Renders the form, with a link to the identity provider where there is one."""
    settings = request.app.state.application.settings
    page = SignInPage(
        next_address=own_path(next_address),
        provider=urlsplit(settings.oidc_issuer).hostname,
        signup=sign_up_mode(settings),
        sends_mail=request.app.state.application.mailer is not None,
    )
    return await show(request, page, form=form)
