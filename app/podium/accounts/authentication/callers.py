"""Dependencies of endpoints besides a session of the database: the caller, above all.
Authentication uses a short read session of its own, so that no transaction is open while a body is
read."""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from typing import Annotated

from fastapi import Depends, Request, Security

from podium.accounts.service import accounts, page_sessions
from podium.application import Application
from podium.core.access import Actor
from podium.errors import NotAllowed, NotAuthenticated
from podium.http.cookies import session_cookie
from podium.http.deps import Address, App, client_address
from podium.http.openapi import REQUIRES_TOKEN, TAKES_TOKEN
from podium.http.origins import READING, require_own_origin
from podium.http.streaming.strict_json import looked_at_first
from podium.http.threads import in_writing_thread
from podium.http.transactions import get_application, read_with
from podium.logs import get_logger

_log = get_logger("accounts")
_noting = set[asyncio.Task[None]]()
"""Running tasks that record uses; the event loop itself holds only weak references."""

SIGN_IN = "Sign in, or send a token: “Authorization: Bearer <token>”."


def bearer_token(request: Request) -> str | None:
    """Reads the token of the `Authorization` header; None without one. Raises on any other
    scheme."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NotAuthenticated("Use the header “Authorization: Bearer <token>”.")
    if token.strip().lower().startswith("bearer "):
        raise NotAuthenticated(
            "The header says “Bearer” twice. Send it as “Authorization: Bearer <token>”."
        )
    return token.strip()


async def _optional_actor(
    request: Request,
    application: App,
    address: Address,
    _described: Annotated[object, Security(TAKES_TOKEN)] = None,
) -> Actor | None:
    token = bearer_token(request)
    if token is None:
        return await _browsing(request, application, address)
    return await read_with(application, accounts.authenticate, token=token, address=address)


async def _browsing(request: Request, application: App, address: Address) -> Actor | None:
    """Authenticates the owner of the cookie; an expired one counts as none, so that public pages
    still work."""
    cookie = session_cookie(request)
    if cookie is None:
        return None
    if request.method not in READING:
        require_own_origin(request, base_url=application.settings.base_url)
    found = await read_with(application, page_sessions.recognize, cookie=cookie, address=address)
    if found is None:
        return None
    actor, is_to_be_noted = found
    if is_to_be_noted:
        noting = asyncio.create_task(_note_use(application, actor))
        _noting.add(noting)
        noting.add_done_callback(_noting.discard)
    return actor


async def _note_use(application: Application, actor: Actor) -> None:
    """Records the use of a browser's session, beside the request: the request does not wait for a
    writer, nor fail with it."""

    def note() -> None:
        with application.database.write(is_minor=True) as session:
            page_sessions.note_use(session, actor=actor)

    try:
        await in_writing_thread(note)
    except Exception as error:  # noqa: BLE001 - the request does not depend on the note
        _log.warning("use.not-noted", error=type(error).__name__)


MaybeActor = Annotated[Actor | None, Depends(_optional_actor)]


async def recognize_again(request: Request, application: Application) -> None:
    """Authenticates the caller once more, for answers that take long. Raises `NotAuthenticated`
    once the token was revoked, the browser signed out or the account disabled."""
    if await _optional_actor(request, application, client_address(request)) is None:
        raise NotAuthenticated("You were signed out.")


def refuse_bad_token(actor: MaybeActor) -> None:
    """Refuses a bad token on routes that need none, through its dependency."""


def _actor(
    actor: MaybeActor, _described: Annotated[object, Security(REQUIRES_TOKEN)] = None
) -> Actor:
    if actor is None:
        raise NotAuthenticated(SIGN_IN)
    return actor


async def has_actor(request: Request) -> bool:
    """True if the request comes from a known user: for decisions before the body is read. Raises
    `NotAuthenticated` for a bad token, and `NotAllowed` for a page of another site."""
    application = get_application(request)
    return await _optional_actor(request, application, client_address(request)) is not None


async def _is_known(request: Request) -> bool:
    if not await has_actor(request):
        raise NotAuthenticated(SIGN_IN)
    return True


looked_at_first(_optional_actor, has_actor)
looked_at_first(_actor, _is_known)

SignedIn = Annotated[Actor, Depends(_actor)]


def _administrator(actor: SignedIn) -> Actor:
    if not actor.is_administrator:
        raise NotAllowed("Only the administrator of this installation may do this.")
    return actor


Administrator = Annotated[Actor, Depends(_administrator)]


async def _require_metrics_reader(
    request: Request,
    application: App,
    address: Address,
    _described: Annotated[object, Security(REQUIRES_TOKEN)] = None,
) -> None:
    expected, given = application.settings.given_metrics_token, bearer_token(request)
    if expected and given and compare_digest(expected.encode(), given.encode()):
        return
    _administrator(_actor(await _optional_actor(request, application, address)))


MetricsReader = Annotated[None, Depends(_require_metrics_reader)]
"""A caller with the token for metrics, which grants nothing else, or the administrator."""
