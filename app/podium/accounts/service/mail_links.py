"""Links that are sent by mail: each proves once that its holder reads the mail of an address, and
creates an account for it, or sets the password of the account that has it.

Requesting a link reveals nothing about existing accounts: for every address a row is written and a
mail is sent, and only the mail tells the difference. The code is 256 random bits, known to the mail
alone.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.accounts import queries
from podium.accounts.rules import MailLinkKind, mail_key
from podium.accounts.service import letters, sign_up
from podium.accounts.service.accounts import sha256_of
from podium.accounts.service.credentials import reset_credentials
from podium.core import audit, locks
from podium.core.database.engine import ReadSession, WriteSession, database_now, lock_name
from podium.core.models import MailLink, User
from podium.errors import NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.mail import Letter

LIFETIME = timedelta(hours=24)

UNKNOWN = "This link does not exist, was used, or has expired."


@dataclass(frozen=True, slots=True)
class MailLinkView:
    """A link as its holder sees it: `name` is that of the account, or the requested one;
    `next_address` the page that follows."""

    kind: MailLinkKind
    mail: str
    name: str
    next_address: str


def ask_for_account(
    session: WriteSession, *, mail: str, name: str, next_address: str, base_url: str
) -> Letter:
    """Creates a link and composes the letter for a new account; `mail` and `name` are checked
    already."""
    key = mail_key(mail)
    _begin(session, "sign-up.mail")
    user = queries.user_with_mail(session, key)
    if user is not None and user.mail is not None:
        # To the proven spelling: not every server takes another one for the same person.
        return letters.known_already(base_url, to=user.mail, name=user.name)
    code = _insert(
        session,
        MailLink(
            kind=MailLinkKind.SIGN_UP,
            mail=mail,
            mail_key=key,
            name=name,
            next_address=next_address,
        ),
    )
    return letters.confirmation(base_url, to=mail, code=code)


def ask_for_password(session: WriteSession, *, mail: str, base_url: str) -> Letter:
    """Creates a link and composes the letter to an address whose person has forgotten the
    password."""
    key = mail_key(mail)
    _begin(session, "password.mail")
    user = queries.user_with_mail(session, key)
    if user is None or user.mail is None or user.disabled_at is not None:
        return letters.no_account(base_url, to=mail)
    code = _insert(
        session,
        MailLink(kind=MailLinkKind.RESET, mail=user.mail, mail_key=key, user_id=user.id),
    )
    return letters.new_password(base_url, to=user.mail, name=user.name, code=code)


def look_at(session: ReadSession, *, code: str) -> MailLinkView:
    """Finds the purpose of a link without using it up. Raises `NotFound` (`unknown-link`)."""
    link = _found(session, code)
    name = link.name
    if link.user_id is not None:
        name = session.get_one(User, link.user_id).name
    return MailLinkView(MailLinkKind(link.kind), link.mail, name, link.next_address)


def use(
    session: WriteSession, *, code: str, name: str, password_hash: str, address: str | None
) -> tuple[User, str]:
    """Uses a link up; returns the account, which is new or has a new password, and a new token.
    `name` is for a new account.

    Raises `NotFound` (`unknown-link`), `InvalidInput` (`bad-name`) and `WrongState` (`name-taken`,
    `mail-taken`), which leave the link as it was.
    """
    found = _found(session, code)
    # All callers lock the person or the address, then the link, which rules out deadlocks.
    if found.user_id is not None:
        locks.locked_user(session, found.user_id)
    lock_name(session, f"mail {found.mail_key}")
    link = locks.locked_row(session, MailLink, found.id)
    if link is None:
        raise _unknown()
    if link.user_id is not None:
        used = _given_password(session, link, password_hash, address)
    else:
        used = _registered(session, link, name, password_hash, address)
    queries.remove_mail_links(session, kind=link.kind, key=link.mail_key)
    return used


def _begin(session: WriteSession, action: str) -> None:
    """Logs the same entry for every address, without the address: it may be that of an uninvolved
    person."""
    queries.remove_expired_mail_links(session, now=database_now(session))
    audit.record(session, None, action)


def _insert(session: WriteSession, link: MailLink) -> str:
    code, now = secrets.token_urlsafe(32), database_now(session)
    link.sha256, link.created_at, link.expires_at = sha256_of(code), now, now + LIFETIME
    session.add(link)
    session.flush()
    return code


def _found(session: Session, code: str) -> MailLink:
    link = queries.mail_link(session, sha256_of(code), now=database_now(session))
    if link is None:
        raise _unknown()
    return link


def _registered(
    session: WriteSession, link: MailLink, name: str, password_hash: str, address: str | None
) -> tuple[User, str]:
    user, token = sign_up.register(
        session, name=name, password_hash=password_hash, address=address, by="mail"
    )
    try:
        with session.begin_nested():
            user.mail, user.mail_key = link.mail, link.mail_key
    except IntegrityError as error:
        raise WrongState(
            "Another account has this mail address. Sign in with it.", code=ErrorCode.MAIL_TAKEN
        ) from error
    return user, token


def _given_password(
    session: WriteSession, link: MailLink, password_hash: str, address: str | None
) -> tuple[User, str]:
    user = session.get_one(User, link.user_id)
    if user.disabled_at is not None:
        raise _unknown()
    token = reset_credentials(session, user=user, password_hash=password_hash, address=address)
    return user, token


def _unknown() -> NotFound:
    return NotFound(UNKNOWN, code=ErrorCode.UNKNOWN_LINK)
