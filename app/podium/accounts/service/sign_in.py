"""Sign-in with name and password, and the rate limit of attempts.

Checking a password takes long, so no session of the caller is open meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from podium.accounts import queries
from podium.accounts.service.accounts import new_token
from podium.accounts.service.descent import end_tokens, password_came_of
from podium.accounts.service.rate_limits import RateLimits, network_of
from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import User
from podium.core.names import name_key
from podium.errors import NotAuthenticated
from podium.errors.codes import ErrorCode

LABEL = "sign-in"
"""Label of the tokens that signing in creates."""

TOKEN_LIFETIME = timedelta(days=30)

MAX_TOKENS = 10
"""Valid tokens of this kind for one account; the oldest ends when one more is created."""

PER_ADDRESS_AND_NAME, PER_ADDRESS, PER_NAME = (10, 900.0), (50, 900.0), (100, 3600.0)
"""Limits of failures, each with its seconds. The last one is wide, so that other people cannot lock
a user out by guessing; one who is locked out has tokens, and links by an administrator."""

WRONG = "The name or the password is wrong, or this account has no password."


@dataclass(frozen=True, slots=True)
class Candidate:
    """The claimed identity of a sign-in; `user_id` and `password_hash` are None for unknown
    names."""

    key: str
    user_id: str | None
    password_hash: str | None


class SignInLimits:
    """Counts failures by name and by address, in this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = RateLimits(
            PER_ADDRESS_AND_NAME,
            PER_ADDRESS,
            PER_NAME,
            detail="Too many attempts to sign in. Wait, or use a token.",
            clock=clock,
        )

    def begin(self, *, key: str, address: str | None) -> None:
        """Counts an attempt before it is checked. Raises `QuotaExhausted` (`too-many-attempts`)."""
        self._limits.begin(*_keys(key, address))

    def forget(self, *, key: str, address: str | None) -> None:
        """Removes the count of an attempt that succeeded, or could not be checked."""
        self._limits.forget(*_keys(key, address))


def candidate_named(session: ReadSession, *, name: str) -> Candidate:
    """Finds the account by name key; disabled accounts have no password here."""
    key = name_key(name)
    user = queries.user_with_key(session, key)
    if user is None:
        return Candidate(key, None, None)
    return Candidate(key, user.id, None if user.disabled_at else user.password_hash)


def still_right(session: WriteSession, *, candidate: Candidate) -> User:
    """Locks the person whose password was right until the commit.

    Raises `NotAuthenticated` (`wrong-credentials`) where the account changed meanwhile.
    """
    user = None if candidate.user_id is None else locks.locked_user(session, candidate.user_id)
    if user is None or user.disabled_at or user.password_hash != candidate.password_hash:
        raise wrong_credentials()
    return user


def signed_in(
    session: WriteSession, *, candidate: Candidate, address: str | None
) -> tuple[User, str, datetime]:
    """Creates a token for a user whose password was right; returns the person, the token, and its
    expiry.

    Raises what `still_right` raises.
    """
    user = still_right(session, candidate=candidate)
    now = database_now(session)
    kept = queries.tokens_labelled(session, user.id, [LABEL])
    latest_first = sorted(kept, key=lambda row: row.id, reverse=True)
    end_tokens(session, latest_first[MAX_TOKENS - 1 :], now=now)
    row, token = new_token(
        session,
        user=user,
        label=LABEL,
        expires_at=now + TOKEN_LIFETIME,
        parent_id=password_came_of(session, user_id=user.id),
    )
    actor = Actor(user_id=user.id, name=user.name, address=address)
    audit.record(session, actor, "user.sign-in", object_id=user.id)
    return user, token, row.expires_at or now


def wrong_credentials() -> NotAuthenticated:
    """Builds the same refusal for every reason."""
    return NotAuthenticated(WRONG, code=ErrorCode.WRONG_CREDENTIALS)


def _keys(key: str, address: str | None) -> tuple[str, str, str]:
    network = network_of(address)
    return f"{network} {key}", network, key
