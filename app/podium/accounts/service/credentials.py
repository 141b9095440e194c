"""An account's credentials: a password set by its person, or all of them replaced.

Hashing happens elsewhere.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from podium.accounts import queries
from podium.accounts.service.accounts import FIRST_LABEL, new_token
from podium.accounts.service.descent import end_tokens, require_lasting, still_let_in
from podium.accounts.service.sign_in import LABEL
from podium.core import audit
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import User
from podium.errors import WrongState
from podium.errors.codes import ErrorCode


def set_password(
    session: WriteSession, *, actor: Actor, password_hash: str, before: str | None
) -> None:
    """Stores a new password and ends the tokens and the other browser sessions of earlier sign-ins.

    `before` is the hash against which the caller checked the old password. A first password that is
    set by means of a token ends when that token is revoked. Raises `WrongState`
    (`password-changed`) when another request was quicker, `NotAllowed` (`token-ends`) and
    `NotAuthenticated`.
    """
    user, own = still_let_in(session, actor=actor)
    if user.password_hash != before:
        raise WrongState("The password was changed meanwhile.", code=ErrorCode.PASSWORD_CHANGED)
    if before is None:
        require_lasting(own)
        if own is not None:
            own.set_password = True
    user.password_hash = password_hash
    now = database_now(session)
    end_tokens(session, queries.tokens_labelled(session, user.id, [LABEL]), now=now)
    queries.end_sessions(session, user_id=user.id, now=now, but=actor.page_session_id)
    audit.record(session, actor, "password.set", object_id=user.id)


def has_credentials(session: Session, *, user: User) -> bool:
    """True if a person can sign in already, or ever could."""
    return queries.has_credentials(session, user.id)


def reset_credentials(
    session: WriteSession, *, user: User, password_hash: str | None, address: str | None
) -> str:
    """Ends all credentials of an account, whose row is locked, and returns a new token. Without a
    new password the old one ends too: it may be the reason for the reset."""
    now = database_now(session)
    end_tokens(session, queries.living_tokens(session, user.id), now=now)
    queries.end_sessions(session, user_id=user.id, now=now)
    user.password_hash = password_hash
    _, token = new_token(session, user=user, label=FIRST_LABEL)
    actor = Actor(user.id, user.name, address=address)
    audit.record(session, actor, "user.reset", object_id=user.id)
    return token
