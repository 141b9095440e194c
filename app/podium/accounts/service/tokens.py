"""A person's own tokens: created, listed and revoked by that person only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from podium.accounts import queries
from podium.accounts.rules import CONFIGURED
from podium.accounts.service.accounts import new_token
from podium.accounts.service.bootstrap import PRINTED
from podium.accounts.service.descent import (
    end_tokens,
    hand_over,
    has_lasting,
    still_let_in,
    with_descendants,
)
from podium.accounts.service.sign_in import LABEL
from podium.core import audit
from podium.core.access import Actor
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import AccessToken, User
from podium.errors import InvalidInput, NotAllowed, NotFound, WrongState
from podium.errors.codes import ErrorCode

MAX_TOKENS = 50
"""Tokens of one account that are not revoked."""

MAX_LABEL_CHARACTERS = 64


@dataclass(frozen=True, slots=True)
class WantedToken:
    """The requested properties of a token; a `label` of None is that of the token that is replaced,
    or none."""

    label: str | None = None
    expires_at: datetime | None = None
    replaces: str | None = None


def create_token(
    session: WriteSession, *, actor: Actor, wanted: WantedToken
) -> tuple[AccessToken, str]:
    """Creates a further token of the same person; returns it with its text, which is shown only
    now.

    One that is created with a token ends with it, when that expires or is revoked. With `replaces`
    it takes the place of another one, which ends; the descendants of that one are handed over to
    the new one. Raises `InvalidInput` for a label that does not print or an expiry that has passed,
    `NotFound` and `NotAllowed` (`wider-token`, `token-ends`) for one that the caller cannot
    replace, and `WrongState` (`too-many-tokens`).
    """
    label = _checked(session, wanted)
    user, own = still_let_in(session, actor=actor)
    parent_id, latest = actor.token_id, own.expires_at if own else None
    old = None
    if wanted.replaces is not None:
        old = _replaced(session, actor, own, wanted)
        parent_id, latest = old.parent_id, old.expires_at
        label = old.label if wanted.label is None else label
    if queries.valid_token_count(session, user.id) >= MAX_TOKENS:
        raise WrongState(
            f"This account has {MAX_TOKENS} tokens. Revoke one of them first.",
            code=ErrorCode.TOO_MANY_TOKENS,
        )
    row, token = new_token(
        session,
        user=user,
        label=label,
        expires_at=min(filter(None, (wanted.expires_at, latest)), default=None),
        parent_id=parent_id,
    )
    if old is not None:
        hand_over(session, old=old, new=row, now=row.created_at)
    audit.record(
        session, actor, "token.create", object_id=row.id, label=label, replaces=wanted.replaces
    )
    return row, token


def list_tokens(
    session: ReadSession, *, actor: Actor, after_id: str | None, limit: int
) -> list[AccessToken]:
    """Lists a page of the caller's tokens that were not revoked, oldest first."""
    return list(queries.tokens_after(session, actor.user_id, after_id, limit=limit))


def revoke_token(session: WriteSession, *, actor: Actor, token_id: str) -> None:
    """Ends one of the caller's tokens, with all its descendants, from the next request on.

    The caller's other browsers that were signed in since it was created are signed out too: a thief
    of the token may use one of them. Raises `NotFound`, `NotAllowed` (`password-needed`) and
    `WrongState` (`last-way-in`).
    """
    user, own = still_let_in(session, actor=actor)
    row = _own_token(session, user.id, token_id)
    ended = with_descendants(session, [row])
    _refuse_foreign_password(session, own, row, ended)
    if user.is_administrator:
        _refuse_last_way_in(session, user, ended)
    now = database_now(session)
    end_tokens(session, [row], now=now)
    queries.end_sessions(
        session, user_id=row.user_id, now=now, since=row.created_at, but=actor.page_session_id
    )
    audit.record(session, actor, "token.revoke", object_id=row.id, label=row.label)


def _own_token(session: WriteSession, user_id: str, token_id: str) -> AccessToken:
    row = session.get(AccessToken, token_id, populate_existing=True)
    if row is None or row.user_id != user_id or row.revoked_at is not None:
        raise NotFound("You have no token with this id.")
    return row


def _checked(session: WriteSession, wanted: WantedToken) -> str:
    """Returns the label of the requested token, if that token is allowed at all."""
    label = wanted.label or ""
    if len(label) > MAX_LABEL_CHARACTERS or not label.isprintable():
        raise InvalidInput(
            f"A label has at most {MAX_LABEL_CHARACTERS} printable characters.",
            code=ErrorCode.BAD_LABEL,
        )
    if label in (LABEL, CONFIGURED, PRINTED):
        # Tokens with these labels are revoked: at the next change of the password, or start.
        raise InvalidInput(f"The label {label!r} is used by the server.", code=ErrorCode.BAD_LABEL)
    if wanted.expires_at is not None and wanted.expires_at <= database_now(session):
        raise InvalidInput("The end of the token has passed already.", code=ErrorCode.BAD_DATE)
    return label


def _refuse_foreign_password(
    session: WriteSession, own: AccessToken | None, row: AccessToken, ended: list[AccessToken]
) -> None:
    """Prevents that a caller with a token removes the owner's password, which ends with another
    token, and sets a first one. A caller whose own token ends as well gains nothing by it."""
    if own is None or own in ended or not any(token.set_password for token in ended):
        return
    if row not in with_descendants(session, [own]):
        raise NotAllowed(
            "Your password was set using this token and would be removed with it. Sign in with"
            " your password to revoke the token, or use the token that made it.",
            code=ErrorCode.PASSWORD_NEEDED,
        )


def _refuse_last_way_in(session: WriteSession, user: User, ended: list[AccessToken]) -> None:
    """Prevents that an administrator loses every way to sign in, which only the operator could
    repair."""
    ids, now = [token.id for token in ended], database_now(session)
    if user.password_hash is not None and not any(token.set_password for token in ended):
        return
    if queries.has_another(session, user_id=user.id, but_of_tokens=ids):
        return
    others = (each for each in queries.living_tokens(session, user.id) if each.id not in ids)
    if not any(each.expires_at is None or each.expires_at > now for each in others):
        raise WrongState(
            "This is the administrator's last way to sign in. Make another token that does not"
            " depend on it or change PODIUM_ADMIN_TOKEN and restart the server first.",
            code=ErrorCode.LAST_WAY_IN,
        )


def _replaced(
    session: WriteSession, actor: Actor, own: AccessToken | None, wanted: WantedToken
) -> AccessToken:
    """Finds the token that is replaced and ends: a caller who authenticated by a token gets no
    further rights by it."""
    old = _own_token(session, actor.user_id, wanted.replaces or "")
    if own is not None and old not in with_descendants(session, [own]):
        raise NotAllowed(
            "A token can only replace itself or tokens created with it.", code=ErrorCode.WIDER_TOKEN
        )
    if old.label == CONFIGURED:
        raise WrongState(
            "Change PODIUM_ADMIN_TOKEN and restart the server.", code=ErrorCode.ADMINISTRATOR
        )
    if wanted.expires_at is not None and has_lasting(session, old):
        raise NotAllowed(
            "Your password or an identity was set using this token, so the token that replaces it"
            " can't have an expiry date.",
            code=ErrorCode.TOKEN_ENDS,
        )
    old.revoked_at = database_now(session)
    session.flush()
    return old
