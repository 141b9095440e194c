"""A person's own tokens: made, listed and revoked by that person only."""

from __future__ import annotations

from datetime import datetime

from app.db.engine import ReadSession, WriteSession, database_now
from app.db.models import AccessToken
from app.db.queries import accounts as queries
from app.db.queries import page_sessions
from app.domain.permissions import Actor
from app.errors import InvalidInput, NotFound, WrongState
from app.services import audit
from app.services.accounts import find_user, new_token

MAX_TOKENS = 50
"""Tokens of one account that are not revoked."""

MAX_LABEL_CHARACTERS = 64


def create_token(
    session: WriteSession, *, actor: Actor, label: str, expires_at: datetime | None
) -> tuple[AccessToken, str]:
    """A further token of the same person, and its text, which is shown only now.

    Raises `InvalidInput` for a label that does not print or an end that has passed, and
    `WrongState` (`too-many-tokens`).
    """
    if len(label) > MAX_LABEL_CHARACTERS or not label.isprintable():
        raise InvalidInput(
            f"A label has at most {MAX_LABEL_CHARACTERS} printable characters.", code="bad-label"
        )
    if expires_at is not None and expires_at <= database_now(session):
        raise InvalidInput("expires_at has passed already.", code="bad-date")
    if queries.valid_token_count(session, actor.user_id) >= MAX_TOKENS:
        raise WrongState(
            f"This account has {MAX_TOKENS} tokens. Revoke one of them first.",
            code="too-many-tokens",
        )
    user = find_user(session, user_id=actor.user_id)
    row, token = new_token(session, user=user, label=label, expires_at=expires_at)
    audit.record(session, actor=actor, action="token.create", object_id=row.id, label=label)
    return row, token


def list_tokens(
    session: ReadSession, *, actor: Actor, after_id: str | None, limit: int
) -> list[AccessToken]:
    """A page of the caller's tokens that were not revoked, oldest first."""
    return list(queries.tokens_after(session, actor.user_id, after_id, limit=limit))


def revoke_token(session: WriteSession, *, actor: Actor, token_id: str) -> None:
    """Ends one of the caller's tokens; it is refused from the next request on.

    The caller's other browsers that were signed in since it was made are signed out too: whoever
    had the token may sit at one of them.
    """
    row = session.get(AccessToken, token_id)
    if row is None or row.user_id != actor.user_id or row.revoked_at is not None:
        raise NotFound("You have no token with this id.")
    now = row.revoked_at = database_now(session)
    page_sessions.end_sessions(
        session, user_id=row.user_id, now=now, since=row.created_at, but=actor.page_session_id
    )
    audit.record(session, actor=actor, action="token.revoke", object_id=row.id, label=row.label)
