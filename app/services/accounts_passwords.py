"""A person's own password: set or changed by that person only. Hashing happens elsewhere."""

from __future__ import annotations

from app.db.engine import WriteSession, database_now
from app.db.queries import accounts as queries
from app.db.queries import page_sessions
from app.domain.permissions import Actor
from app.errors import WrongState
from app.services import audit
from app.services.sign_in import LABEL


def set_password(
    session: WriteSession, *, actor: Actor, password_hash: str, before: str | None
) -> None:
    """Keeps a new password and ends the tokens and the other browsers of earlier sign-ins.

    `before` is the hash against which the caller checked the old password. Raises `WrongState`
    (`password-changed`) when another request was quicker.
    """
    user = queries.locked_user(session, actor.user_id)
    if user is None or user.password_hash != before:
        raise WrongState("The password was changed meanwhile.", code="password-changed")
    user.password_hash = password_hash
    now = database_now(session)
    for token in queries.tokens_labelled(session, user.id, LABEL):
        token.revoked_at = now
    page_sessions.end_sessions(session, user_id=user.id, now=now, but=actor.page_session_id)
    audit.record(session, actor=actor, action="password.set", object_id=user.id)
