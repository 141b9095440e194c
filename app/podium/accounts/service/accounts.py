"""Accounts: created, changed, and found by their tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.accounts import queries
from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import AccessToken, Team, User
from podium.core.names import clean_name, look_of, name_key
from podium.errors import NotAllowed, NotAuthenticated, NotFound, WrongState
from podium.errors.codes import ErrorCode

UNKNOWN_TOKEN = "This token is unknown, expired or revoked."  # noqa: S105 - a text for people
UNKNOWN_USER = "There is no account with this id."

FIRST_LABEL = "first token"


def authenticate(session: ReadSession | WriteSession, *, token: str, address: str | None) -> Actor:
    """Finds the person of a token. Raises `NotAuthenticated` with one text, whatever the reason."""
    found = queries.token_by_sha256(session, sha256_of(token))
    if found is None or found.revoked_at is not None or found.user.disabled_at is not None:
        raise NotAuthenticated(UNKNOWN_TOKEN)
    if found.expires_at is not None and database_now(session) >= found.expires_at:
        raise NotAuthenticated(UNKNOWN_TOKEN)
    return Actor(
        user_id=found.user_id,
        name=found.user.name,
        is_administrator=found.user.is_administrator,
        is_organizer=found.user.is_organizer,
        address=address,
        token_id=found.id,
    )


def end_of_token(session: ReadSession | WriteSession, *, token: str) -> datetime | None:
    """Finds the expiry of a token; None for one that does not expire."""
    found = queries.token_by_sha256(session, sha256_of(token))
    return None if found is None else found.expires_at


def create_user(
    session: WriteSession, *, actor: Actor, name: str, is_organizer: bool
) -> tuple[User, str]:
    """Creates an account and its first token. Organizers may create participants; only the
    administrator creates organizers. Raises `NotAllowed`, `InvalidInput` (`bad-name`) and
    `WrongState` (`name-taken`)."""
    require_may_see_accounts(session, actor=actor)
    if is_organizer and not actor.is_administrator:
        raise NotAllowed("Only the administrator of this installation may make organizers.")
    user = add_user(session, name=name, is_organizer=is_organizer)
    _, token = new_token(session, user=user, label=FIRST_LABEL)
    audit.record(
        session, actor, "user.create", object_id=user.id, name=user.name, organizer=is_organizer
    )
    return user, token


def change_user(
    session: WriteSession, *, actor: Actor, user_id: str, changes: Mapping[str, Any]
) -> User:
    """Changes `name`, `organizer` or `disabled` of an account; only for the administrator, who
    cannot lock himself out. Raises `NotAllowed`, `NotFound`, `InvalidInput`, `WrongState`."""
    if not actor.is_administrator:
        raise NotAllowed("Only the administrator of this installation may change accounts.")
    # An account that is deleted meanwhile stays so.
    user = locks.locked_user(session, user_id)
    if user is None:
        raise NotFound(UNKNOWN_USER)
    if user.deleted_at is not None:
        raise WrongState("This account was deleted.", code=ErrorCode.ACCOUNT_DELETED)
    if changes.get("disabled") and user.is_administrator:
        raise WrongState(
            "The administrator's account cannot be disabled.", code=ErrorCode.ADMINISTRATOR
        )
    if "name" in changes:
        _rename(session, user, clean_name(changes["name"]))
    if "organizer" in changes:
        user.is_organizer = changes["organizer"]
    if "disabled" in changes:
        user.disabled_at = database_now(session) if changes["disabled"] else None
    if user.disabled_at is not None:
        queries.end_sessions(session, user_id=user.id, now=user.disabled_at)
    audit.record(session, actor, "user.change", object_id=user.id, changes=dict(changes))
    return user


@dataclass(frozen=True, slots=True)
class Self:
    """The caller's own account: `teams` as (slug, team, true for a namesake), and the slugs of the
    competitions that they organize."""

    user: User
    teams: Sequence[tuple[str, Team, bool]]
    organizes: Sequence[str]


def describe_self(session: ReadSession, *, actor: Actor) -> Self:
    """Finds the caller's account, teams and organized competitions."""
    return Self(
        user=find_user(session, user_id=actor.user_id),
        teams=queries.teams_of(session, actor.user_id),
        organizes=queries.organized_by(session, actor.user_id),
    )


def list_teams(session: Session, *, user: User) -> Sequence[tuple[str, Team, bool]]:
    """Lists the account's teams as (slug, team, true for a namesake)."""
    return queries.teams_of(session, user.id)


def find_user(session: Session, *, user_id: str) -> User:
    """Finds the account with this id. Raises `NotFound`."""
    user = session.get(User, user_id)
    if user is None:
        raise NotFound(UNKNOWN_USER)
    return user


def accounts_named(session: Session, *, names: Collection[str]) -> Sequence[User]:
    """Finds the accounts whose names equal one of these, or look like it."""
    keys, looks = map(name_key, names), map(look_of, names)
    return queries.users_named(session, keys=set(keys), looks=set(looks))


def first_administrator(session: Session) -> User | None:
    """Finds the administrator who was first; None where the installation was never started."""
    return queries.administrator(session)


def require_may_see_accounts(session: Session, *, actor: Actor) -> None:
    """Raises `NotAllowed` unless the caller is the administrator or organizes a competition."""
    if not may_see_accounts(session, actor=actor):
        raise NotAllowed("Only organizers and the administrator may see or make accounts.")


def may_see_accounts(session: Session, *, actor: Actor) -> bool:
    """True for the administrator and for organizers of any competition."""
    return actor.may_create_competitions or queries.organizes_any(session, actor.user_id)


def list_users(
    session: ReadSession, *, actor: Actor, text: str | None, after_id: str | None, limit: int
) -> list[User]:
    """Lists a page of all accounts, or of those with `text` in their name, for organizers and the
    administrator."""
    require_may_see_accounts(session, actor=actor)
    return list(queries.users_after(session, after_id, text=text, limit=limit))


def add_user(
    session: WriteSession, *, name: str, is_organizer: bool = False, is_administrator: bool = False
) -> User:
    """Inserts an account whose name cannot be confused with another's."""
    cleaned = clean_name(name)
    if queries.looks_like_another(session, look_of(cleaned)):
        raise _name_taken()
    user = User(
        name=cleaned,
        name_key=name_key(cleaned),
        is_administrator=is_administrator,
        is_organizer=is_organizer,
        created_at=database_now(session),
    )
    try:
        with session.begin_nested():
            session.add(user)
    except IntegrityError as error:
        raise _name_taken() from error
    return user


def new_token(
    session: WriteSession,
    *,
    user: User,
    label: str,
    expires_at: datetime | None = None,
    parent_id: str | None = None,
) -> tuple[AccessToken, str]:
    """Inserts a random token and returns its text, which is known at no other moment."""
    token = secrets.token_urlsafe(32)
    row = AccessToken(
        user_id=user.id,
        label=label,
        sha256=sha256_of(token),
        created_at=database_now(session),
        expires_at=expires_at,
        parent_id=parent_id,
    )
    session.add(row)
    session.flush()
    return row, token


def sha256_of(token: str) -> str:
    """Hashes a token with SHA-256, as hex; only this is stored of it."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _rename(session: WriteSession, user: User, name: str) -> None:
    look = look_of(name)
    if queries.looks_like_another(session, look, but=user.id):
        raise _name_taken()
    locks.touch_boards_of(session, user_id=user.id, now=database_now(session))
    try:
        with session.begin_nested():
            user.name, user.name_key, user.look = name, name_key(name), look
    except IntegrityError as error:
        raise _name_taken() from error


def _name_taken() -> WrongState:
    return WrongState(
        "Another account has this name, or one that looks like it.", code=ErrorCode.NAME_TAKEN
    )
