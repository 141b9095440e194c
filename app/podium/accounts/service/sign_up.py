"""Registration without an organizer's link: at once for people who know the installation's code, or
as a request that an organizer approves.

A request reserves no name, and the answer to it does not depend on existing accounts: it reveals
nothing to strangers. Its state is shown at a secret address.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.accounts import queries
from podium.accounts.rules import RequestState
from podium.accounts.service.accounts import (
    FIRST_LABEL,
    add_user,
    new_token,
    require_may_see_accounts,
    sha256_of,
)
from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import SignUpRequest, User
from podium.core.names import clean_name
from podium.errors import NotFound, QuotaExhausted, WrongState
from podium.errors.codes import ErrorCode

MAX_PENDING = 1000
"""Requests that wait for an answer; more would be read by no organizer."""

RETRY_SECONDS = 3600

UNKNOWN = "There is no such request."


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request as its person sees it; `account` is the name that it became."""

    state: RequestState
    name: str
    account: str | None


def register(
    session: WriteSession, *, name: str, password_hash: str, address: str | None, by: str
) -> tuple[User, str]:
    """Creates an account and its first token, for a person who knew the `code` or has proven an
    address of `mail`, given as `by`. Raises `InvalidInput` (`bad-name`) and `WrongState`
    (`name-taken`)."""
    user = add_user(session, name=name)
    user.password_hash = password_hash
    _, token = new_token(session, user=user, label=FIRST_LABEL)
    actor = Actor(user.id, user.name, address=address)
    audit.record(session, actor, "user.sign-up", object_id=user.id, by=by)
    return user, token


def request_account(
    session: WriteSession, *, name: str, password_hash: str, note: str, address: str | None
) -> str:
    """Stores a request; returns the code of the secret address that shows its state.

    Raises `InvalidInput` (`bad-name`) and `QuotaExhausted` where too many are pending.
    """
    kept = clean_name(name)
    if queries.pending_requests(session) >= MAX_PENDING:
        raise QuotaExhausted(
            "Too many people wait for an answer already. Try again later.",
            code=ErrorCode.TOO_MANY_ATTEMPTS,
            retry_after=RETRY_SECONDS,
        )
    code = secrets.token_urlsafe(32)
    request = SignUpRequest(
        sha256=sha256_of(code),
        name=kept,
        note=note,
        password_hash=password_hash,
        state=RequestState.PENDING,
        address=address,
        created_at=database_now(session),
    )
    session.add(request)
    session.flush()
    audit.record(session, None, "sign-up.request", object_id=request.id, name=kept)
    return code


def look_at_request(session: Session, *, code: str) -> RequestView:
    """Finds the state of a request. Raises `NotFound`."""
    request = queries.request_by_sha256(session, sha256_of(code))
    if request is None:
        raise NotFound(UNKNOWN)
    user = session.get(User, request.user_id) if request.user_id else None
    return RequestView(RequestState(request.state), request.name, user.name if user else None)


def list_requests(
    session: ReadSession, *, actor: Actor, after_id: str | None, limit: int
) -> Sequence[SignUpRequest]:
    """Lists a page of the pending requests, oldest first. Raises `NotAllowed`."""
    require_may_see_accounts(session, actor=actor)
    return queries.requests_after(session, after_id, limit=limit)


def approve_request(
    session: WriteSession, *, actor: Actor, request_id: str, name: str | None = None
) -> User:
    """Creates the account, with another name where the organizer gives one.

    Raises `NotAllowed`, `NotFound`, `WrongState` (`already-decided`, `name-taken`) and
    `InvalidInput` (`bad-name`).
    """
    request = _locked(session, actor, request_id)
    user = add_user(session, name=name or request.name)
    user.password_hash, request.password_hash = request.password_hash, None
    session.flush()
    request.user_id = user.id
    _decide(session, actor, request, RequestState.APPROVED)
    return user


def decline_request(session: WriteSession, *, actor: Actor, request_id: str) -> None:
    """Declines a request for good. Raises what `approve_request` raises, except for the name."""
    request = _locked(session, actor, request_id)
    request.password_hash = None
    _decide(session, actor, request, RequestState.DECLINED)


def _locked(session: WriteSession, actor: Actor, request_id: str) -> SignUpRequest:
    require_may_see_accounts(session, actor=actor)
    request = locks.locked_row(session, SignUpRequest, request_id)
    if request is None:
        raise NotFound(UNKNOWN)
    if request.state != RequestState.PENDING:
        raise WrongState("This request was decided already.", code=ErrorCode.ALREADY_DECIDED)
    return request


def _decide(
    session: WriteSession, actor: Actor, request: SignUpRequest, state: RequestState
) -> None:
    request.state = state
    request.decided_at, request.decided_by = database_now(session), actor.user_id
    audit.record(
        session,
        actor,
        f"sign-up.{state}",
        object_id=request.id,
        user_id=request.user_id,
        name=request.name,
    )
