"""Deleting an account: the person goes, and what was achieved stays on the boards."""

from __future__ import annotations

import secrets

from podium.db import boards as db_boards
from podium.db import locks
from podium.db.engine import WriteSession, database_now
from podium.db.queries import accounts, identities, page_sessions
from podium.domain.names import name_key
from podium.domain.permissions import Actor
from podium.errors import InvalidInput, NotAllowed, NotFound, WrongState
from podium.services import audit
from podium.services.accounts import UNKNOWN_USER


def delete_account(session: WriteSession, *, actor: Actor, user_id: str, confirm: str) -> None:
    """Replaces the name, and removes credentials, sessions, links and organizers' rights for good.

    Teams, submissions and boards stay; so does the audit log, which keeps the names of its time.
    For oneself or by the administrator; `confirm` repeats the account's name. Raises `NotAllowed`,
    `NotFound`, `InvalidInput` (`not-confirmed`) and `WrongState` (`last-administrator`).
    """
    if user_id != actor.user_id and not actor.is_administrator:
        raise NotAllowed("Only the administrator of this installation may delete others' accounts.")
    user = locks.locked_user(session, user_id)
    if user is None or user.deleted_at is not None:
        raise NotFound(UNKNOWN_USER)
    if name_key(confirm) != user.name_key:
        raise InvalidInput("Repeat the account's name in `confirm`.", code="not-confirmed")
    if user.is_administrator and accounts.administrators(session) <= 1:
        raise WrongState(
            "The last administrator's account cannot be deleted.", code="last-administrator"
        )
    now = database_now(session)
    user.name = f"deleted account {secrets.token_hex(4)}"
    user.name_key = f"{name_key(user.name)} {user.id}"
    user.look = None
    user.password_hash = None
    user.is_organizer, user.is_administrator = False, False
    user.disabled_at = user.deleted_at = now
    session.flush()
    db_boards.touch_boards_of(session, user_id=user.id, now=now)
    page_sessions.remove_all(session, user_id=user.id)
    identities.remove_identities(session, user_id=user.id)
    accounts.remove_credentials(session, user_id=user.id, now=now)
    audit.record(
        session,
        actor=actor if actor.user_id != user.id else Actor(user.id, user.name, address=None),
        action="user.delete",
        object_id=user.id,
    )
