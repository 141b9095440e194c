"""Signing in at the identity provider that the operator named, and connecting an identity there
with one's account.

Signing in begins with a link, as everywhere. Connecting begins with a form of our own page and ends
for the account it began for: otherwise another site, or a planted cookie, could connect a
stranger's identity with the account of the signed-in user.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from podium.accounts.authentication import oidc
from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.accounts.pages.sign_in import end_earlier, own_path, sign_in_page
from podium.accounts.service import identities, page_sessions
from podium.application import Application
from podium.core.access import Actor
from podium.errors import NotFound, PodiumError
from podium.http.cookies import is_secure, session_cookie, set_session_cookie
from podium.http.deps import Address, App
from podium.http.errors import status_of
from podium.http.pages.addresses import full_address
from podium.http.pages.fields import FormView, SentForm
from podium.http.pages.layout import PageContext, show, visitor_of
from podium.http.threads import in_writing_thread

COOKIE = "podium_sign_in"

ACCOUNT = "/account"

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, kw_only=True)
class ElsewherePage(PageContext):
    """The link to the identity provider."""

    template: ClassVar[str] = "accounts/elsewhere.html"

    address: str
    provider: str | None


@router.get("/sign-in/elsewhere")
async def show_way(request: Request, app: App, next: str = "/") -> Response:  # noqa: A002 - a name in addresses
    """Redirects to the provider; a visitor who is signed in already goes to the page that
    follows."""
    provider = _provider(app)
    if await visitor_of(request) is not None:
        return RedirectResponse(own_path(next), status_code=303)
    pending = oidc.Pending.begun(own_path(next))
    try:
        address = await run_in_threadpool(_address_to_go, request, provider, pending)
    except PodiumError as error:
        return await _refused(request, error)
    response = RedirectResponse(address, status_code=303)
    _remember(request, response, pending.sealed(provider))
    return response


@router.post("/sign-in/elsewhere")
async def post_way(request: Request, app: App, actor: SignedIn) -> Response:
    """Leads to the provider to connect an identity with the visitor's account. Through a page: the
    policy of our pages forbids forms to end at another site, even by a redirect."""
    provider = _provider(app)
    pending = oidc.Pending.begun(ACCOUNT, connects=actor.user_id)
    try:
        address = await run_in_threadpool(_address_to_go, request, provider, pending)
    except PodiumError as error:
        return await _refused(request, error)
    page = ElsewherePage(address=address, provider=urlsplit(provider.issuer).hostname)
    response = await show(request, page)
    _remember(request, response, pending.sealed(provider))
    return response


@router.get(oidc.REDIRECT_PATH)
async def show_back(request: Request, app: App, actor: MaybeActor, address: Address) -> Response:
    """Handles the provider's redirect: completes the flow that began in this browser, and no
    other."""
    provider = _provider(app)
    try:
        pending = oidc.Pending.opened(provider, request.cookies.get(_cookie_name(request)))
        if pending.connects and (actor is None or actor.user_id != pending.connects):
            raise oidc.failed("Somebody else is signed in here by now.")
        found = await run_in_threadpool(
            oidc.recognized,
            provider,
            pending,
            full_address(request, oidc.REDIRECT_PATH),
            dict(request.query_params),
        )
        browser = request.headers.get("user-agent", "")
        connects = actor if pending.connects else None
        cookie = await in_writing_thread(partial(_begin, app, found, connects, browser, address))
    except PodiumError as error:
        return await _refused(request, error)
    response = RedirectResponse(pending.next, status_code=303)
    _forget(request, response)
    if cookie is not None:
        await end_earlier(app, session_cookie(request), address)
        set_session_cookie(request, response, cookie)
    return response


def _begin(
    app: Application, found: oidc.Identity, actor: Actor | None, browser: str, address: str | None
) -> str | None:
    """Connects the identity with the actor's account; without one, signs its person in and returns
    the cookie."""
    with app.database.write() as session:
        if actor is not None:
            identities.connect_identity(
                session, actor=actor, issuer=found.issuer, subject=found.subject
            )
            return None
        known = identities.person_recognized(
            session,
            issuer=found.issuer,
            subject=found.subject,
            suggested=found.name,
            may_sign_up=app.settings.oidc_sign_up,
            address=address,
        )
        return page_sessions.begin_session(session, actor=known, browser=browser)[1]


def _provider(app: Application) -> oidc.Provider:
    provider = oidc.Provider.of(app.settings)
    if provider is None:
        raise NotFound("This installation has no identity provider.")
    return provider


def _address_to_go(request: Request, provider: oidc.Provider, pending: oidc.Pending) -> str:
    return oidc.address_to_go(provider, pending, full_address(request, oidc.REDIRECT_PATH))


def _cookie_name(request: Request) -> str:
    """Chooses the cookie's name: with HTTPS, one that neither a subdomain nor plain HTTP can
    set."""
    return f"__Host-{COOKIE}" if is_secure(request) else COOKIE


def _remember(request: Request, response: Response, sealed: str) -> None:
    response.set_cookie(
        _cookie_name(request),
        sealed,
        max_age=oidc.SECONDS,
        path="/",
        secure=is_secure(request),
        httponly=True,
        samesite="lax",
    )


def _forget(request: Request, response: Response) -> None:
    response.delete_cookie(
        _cookie_name(request), path="/", secure=is_secure(request), httponly=True, samesite="lax"
    )


async def _refused(request: Request, error: PodiumError) -> Response:
    shown = FormView(SentForm({}), status=status_of(error), summary=error.detail)
    return await sign_in_page(request, "/", shown)
