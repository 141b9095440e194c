"""The administrator's account, which must exist before any other can be created."""

from __future__ import annotations

from podium.accounts import queries
from podium.accounts.rules import CONFIGURED, require_strong_token
from podium.accounts.service.accounts import add_user, new_token, sha256_of
from podium.accounts.service.descent import hand_over
from podium.core import audit
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import AccessToken, User
from podium.errors import NotConfigured, WrongState
from podium.logs import get_logger

NAME = "administrator"

PRINTED = "printed at the first start"
"""Label of the token that is created where the operator sets none."""

REPLACED = (
    "PODIUM_ADMIN_TOKEN is another one than before: the administrator's former token does not work"
    " any more. What was made with it still does: if it leaked, revoke its tokens and set a new"
    " password."
)


def ensure_administrator(session: WriteSession, *, token: str | None) -> str | None:
    """Ensures that an administrator can sign in; returns a token to be printed once, or None.

    A given token is valid from now on, and the previous one given or printed is revoked; the
    password and everything else that came of that one is handed over to the new one. Without a
    given token, and without an administrator, one is created. Raises `NotConfigured` for a token
    that is weak or that belongs to another user.
    """
    user = queries.administrator(session)
    is_first = user is None
    if user is None:
        try:
            user = add_user(session, name=NAME, is_administrator=True)
            audit.record(session, None, "administrator.create", object_id=user.id)
        except WrongState:
            # Another process that starts at the same moment was quicker.
            is_first, user = False, queries.administrator(session)
    if user is None:
        raise NotConfigured(f"An account that is not an administrator has the name {NAME!r}.")
    session.refresh(user, with_for_update=True)
    if token:
        _set_configured_token(session, user, token)
        return None
    if not is_first:
        return None
    return new_token(session, user=user, label=PRINTED)[1]


def _set_configured_token(session: WriteSession, user: User, token: str) -> None:
    require_strong_token(token)
    known = queries.token_by_sha256(session, sha256_of(token))
    if known is not None and known.user_id != user.id:
        raise NotConfigured(f"{CONFIGURED} is a token of the account {known.user.name!r}.")
    now = database_now(session)
    changed = known is None or known.revoked_at is not None
    if known is None:
        known = AccessToken(
            user_id=user.id, label=CONFIGURED, sha256=sha256_of(token), created_at=now
        )
        session.add(known)
    # Also for one that was created otherwise and expires: an operator who sets it wants to sign
    # in.
    known.revoked_at = known.expires_at = known.parent_id = None
    session.flush()
    for earlier in queries.tokens_labelled(session, user.id, (CONFIGURED, PRINTED)):
        if earlier.id != known.id:
            hand_over(session, old=earlier, new=known, now=now)
            get_logger("accounts").warning("administrator-token.replaced", detail=REPLACED)
            changed = True
    if changed:
        audit.record(session, None, "administrator.token", object_id=user.id)
