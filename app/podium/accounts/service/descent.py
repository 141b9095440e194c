"""Descent of credentials: everything created with a token ends with it, namely tokens and links,
browser sessions, identities, a first password.

A token that leaked can therefore be revoked for good. Every credential is created under a lock on
the account, after another check that the caller is still authenticated: one that ends meanwhile
leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from podium.accounts import queries
from podium.core import locks
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import AccessToken, PageSession, User
from podium.errors import NotAllowed, NotAuthenticated
from podium.errors.codes import ErrorCode

ENDED = "This token or session is no longer valid."


def still_let_in(session: WriteSession, *, actor: Actor) -> tuple[User, AccessToken | None]:
    """Locks the caller's account until the commit; returns it with the token of the caller, if
    there is one.

    Raises `NotAuthenticated` where that token, the browser's session or the account ended since the
    request began.
    """
    user = locks.locked_user(session, actor.user_id)
    if user is None or user.disabled_at is not None:
        raise NotAuthenticated(ENDED)
    if actor.page_session_id is not None:
        row = session.get(PageSession, actor.page_session_id, populate_existing=True)
        if row is None or row.revoked_at is not None:
            raise NotAuthenticated(ENDED)
    if actor.token_id is None:
        return user, None
    token = session.get(AccessToken, actor.token_id, populate_existing=True)
    if token is None or token.revoked_at is not None:
        raise NotAuthenticated(ENDED)
    if token.expires_at is not None and database_now(session) >= token.expires_at:
        raise NotAuthenticated(ENDED)
    return user, token


def require_lasting(token: AccessToken | None) -> None:
    """Raises `NotAllowed` (`token-ends`) for a token that expires: a password or an identity does
    not, and would remain after the token's end."""
    if token is not None and token.expires_at is not None:
        raise NotAllowed(
            "This token expires, so it can't be used to set a password or link an identity. Use a"
            " token without an expiry date, or ask the administrator for a reset link.",
            code=ErrorCode.TOKEN_ENDS,
        )


def with_descendants(session: WriteSession, tokens: Iterable[AccessToken]) -> list[AccessToken]:
    """Collects these tokens of one person and all that descend from them, except for revoked
    ones."""
    found = {token.id: token for token in tokens}
    if not found:
        return []
    owner = next(iter(found.values())).user_id
    left = [row for row in queries.living_tokens(session, owner) if row.id not in found]
    while children := [row for row in left if row.parent_id in found]:
        found.update((row.id, row) for row in children)
        left = [row for row in left if row.id not in found]
    return list(found.values())


def end_tokens(session: WriteSession, tokens: Iterable[AccessToken], *, now: datetime) -> None:
    """Revokes tokens of one person with everything that descends from them."""
    ended = with_descendants(session, tokens)
    for token in ended:
        token.revoked_at = token.revoked_at or now
    ids = [token.id for token in ended]
    queries.end_sessions_of_tokens(session, ids, now=now)
    queries.remove_identities_of_tokens(session, ids)
    queries.end_links_of_tokens(session, ids, now=now)
    if any(token.set_password for token in ended):
        user = locks.locked_user(session, ended[0].user_id)
        if user is not None:
            user.password_hash = None
        for token in ended:
            token.set_password = False
    session.flush()


def hand_over(session: WriteSession, *, old: AccessToken, new: AccessToken, now: datetime) -> None:
    """Replaces a token by another one of the same person: what came of the old one remains valid,
    and ends with the new one, when that expires or is revoked."""
    session.flush()
    queries.move(session, old_id=old.id, new_id=new.id)
    new.set_password = new.set_password or old.set_password
    old.set_password = False
    old.revoked_at = old.revoked_at or now
    session.flush()
    session.expire_all()
    if new.expires_at is not None:
        ids = [token.id for token in with_descendants(session, [new])]
        queries.end_by(session, ids, latest=new.expires_at)


def has_lasting(session: WriteSession, token: AccessToken) -> bool:
    """True if a credential that does not expire came of a token: the password, or an identity."""
    found = with_descendants(session, [token])
    ids = [each.id for each in found]
    return any(each.set_password for each in found) or queries.any_of_tokens(session, ids)


def password_came_of(session: WriteSession, *, user_id: str) -> str | None:
    """Finds the id of the token that the person's password ends with; None for an independent
    password."""
    living = queries.living_tokens(session, user_id)
    return next((token.id for token in living if token.set_password), None)
