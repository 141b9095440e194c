"""Users of an identity provider: matched by issuer and subject, and by nothing that they can choose
there, such as a name or an address."""

from __future__ import annotations

import secrets

from sqlalchemy.exc import IntegrityError

from podium.accounts import queries
from podium.accounts.service.accounts import add_user
from podium.accounts.service.descent import require_lasting, still_let_in
from podium.core import audit
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import ProvidedIdentity, User
from podium.core.names import clean_name
from podium.errors import InvalidInput, NotAllowed, WrongState
from podium.errors.codes import ErrorCode

MAX_TRIES = 20
"""Names that are tried for a new account: the suggested one, then with a number appended."""

MAX_SUGGESTED = 50
"""Maximum characters of a suggested name, so that a number can be appended."""


def person_recognized(
    session: WriteSession,
    *,
    issuer: str,
    subject: str,
    suggested: str,
    may_sign_up: bool,
    address: str | None,
) -> Actor:
    """Finds the account of this identity; creates one where that is allowed.

    Raises `NotAllowed` (`no-account`, `account-disabled`).
    """
    row = queries.identity(session, issuer=issuer, subject=subject)
    if row is not None:
        if row.user.disabled_at is not None:
            raise NotAllowed("This account is disabled.", code=ErrorCode.ACCOUNT_DISABLED)
        actor = Actor(row.user.id, row.user.name, address=address, token_id=row.token_id)
        still_let_in(session, actor=actor)
        return actor
    if not may_sign_up:
        raise NotAllowed(
            "You have no account here that is connected with this identity. Sign in otherwise and"
            " connect it on your account's page, or ask an organizer for a link.",
            code=ErrorCode.NO_ACCOUNT,
        )
    user = _new_account(session, suggested)
    actor = Actor(user.id, user.name, address=address)
    audit.record(session, actor, "user.sign-up", object_id=user.id, issuer=issuer)
    connect_identity(session, actor=actor, issuer=issuer, subject=subject)
    return actor


def connect_identity(session: WriteSession, *, actor: Actor, issuer: str, subject: str) -> None:
    """Connects an identity with the caller's account, until the token ends by which they signed in,
    if they did by one. Raises `WrongState` (`identity-taken`) and `NotAllowed` (`token-ends`)."""
    _, own = still_let_in(session, actor=actor)
    require_lasting(own)
    row = queries.identity(session, issuer=issuer, subject=subject)
    if row is not None:
        if row.user_id != actor.user_id:
            raise _taken()
        return
    row = ProvidedIdentity(
        issuer=issuer,
        subject=subject,
        user_id=actor.user_id,
        created_at=database_now(session),
        token_id=actor.token_id,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        raise _taken() from None
    audit.record(session, actor, "identity.connect", object_id=actor.user_id, issuer=issuer)


def _new_account(session: WriteSession, suggested: str) -> User:
    try:
        name = clean_name(suggested[:MAX_SUGGESTED])
    except InvalidInput:
        name = "participant"
    for number in range(1, MAX_TRIES + 1):
        try:
            return add_user(session, name=name if number == 1 else f"{name} {number}")
        except WrongState:
            continue
    return add_user(session, name=f"{name} {secrets.token_hex(4)}")


def _taken() -> WrongState:
    return WrongState(
        "This identity is connected with another account.", code=ErrorCode.IDENTITY_TAKEN
    )
