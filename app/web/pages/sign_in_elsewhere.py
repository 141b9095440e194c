"""Signing in at the identity provider that the operator named; whoever is signed in already
connects the identity with their account."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from app.application import Application
from app.domain.permissions import Actor
from app.errors import NotFound, PodiumError
from app.services import identities, page_sessions
from app.web import oidc
from app.web.cookies import is_secure, set_session_cookie
from app.web.deps import Address, App, MaybeActor
from app.web.errors import status_of
from app.web.pages.forms import Form, Shown
from app.web.pages.sign_in import own_path, sign_in_page

COOKIE = "podium_sign_in"

BACK = "/sign-in/elsewhere/back"

router = APIRouter(include_in_schema=False)


@router.get("/sign-in/elsewhere")
async def show_way(request: Request, app: App, next: str = "/") -> Response:  # noqa: A002
    """Leads to the provider. Nothing changes here until somebody comes back."""
    provider = _provider(app)
    pending = oidc.Pending.begun(own_path(next))
    try:
        address = await run_in_threadpool(
            oidc.address_to_go, provider, pending, _redirect_uri(request, app)
        )
    except PodiumError as error:
        return await _refused(request, error)
    response = RedirectResponse(address, status_code=303)
    response.set_cookie(
        COOKIE,
        pending.sealed(provider),
        max_age=oidc.SECONDS,
        path=BACK,
        secure=is_secure(request),
        httponly=True,
        samesite="lax",
    )
    return response


@router.get(BACK)
async def show_back(request: Request, app: App, actor: MaybeActor, address: Address) -> Response:
    """Where the provider sends people back: the flow that began in this browser, and no other."""
    provider = _provider(app)
    try:
        pending = oidc.Pending.opened(provider, request.cookies.get(COOKIE))
        found = await run_in_threadpool(
            oidc.recognised,
            provider,
            pending,
            _redirect_uri(request, app),
            dict(request.query_params),
        )
        browser = request.headers.get("user-agent", "")
        cookie = await run_in_threadpool(_begin, app, found, actor, browser, address)
    except PodiumError as error:
        return await _refused(request, error)
    response = RedirectResponse(pending.next, status_code=303)
    response.delete_cookie(COOKIE, path=BACK)
    if cookie is not None:
        set_session_cookie(request, response, cookie)
    return response


def _begin(
    app: Application, found: oidc.Identity, actor: Actor | None, browser: str, address: str | None
) -> str | None:
    with app.database.write() as session:
        if actor is not None:
            identities.connect_identity(
                session, actor=actor, issuer=found.issuer, subject=found.subject
            )
            return None
        known = identities.person_recognised(
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


def _redirect_uri(request: Request, app: Application) -> str:
    return f"{app.settings.base_url or str(request.base_url).rstrip('/')}{BACK}"


async def _refused(request: Request, error: PodiumError) -> Response:
    shown = Shown(Form({}), status=status_of(error), summary=error.detail)
    return await sign_in_page(request, "/", shown)
