"""Proof of mail addresses over HTTP: the limits of letters, sending them, and the password, which
is hashed outside any transaction. No transaction is open while a letter is sent, either."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.credentials import Credentials
from podium.accounts.authentication.sign_up import EVERYBODY, SignUpLimits, require_mode
from podium.accounts.rules import MailLinkKind, checked_mail, checked_password, mail_key
from podium.accounts.service import mail_links, page_sessions
from podium.accounts.service.mail_links import MailLinkView
from podium.accounts.service.rate_limits import network_of
from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.models import User
from podium.core.names import clean_name
from podium.errors import NotAllowed
from podium.errors.codes import ErrorCode
from podium.http.transactions import write_with
from podium.mail import Letter, Mailer

MAX_NEXT_CHARACTERS = 500
"""Maximum length of the next page's address; a longer one is replaced by the first page."""


@dataclass(frozen=True, slots=True)
class MailApplicant:
    """A person who requests a mail: the address as it was typed, and the network address; for an
    account also its name, and the page to return to."""

    mail: str
    address: str | None
    name: str = ""
    next_address: str = "/"


async def ask_for_account(app: Application, limits: SignUpLimits, person: MailApplicant) -> None:
    """Sends a letter by which an account can be created. The answer does not depend on existing
    accounts.

    Raises `NotAllowed` (`sign-up-off`), `InvalidInput` (`bad-name`, `bad-mail`), `QuotaExhausted`
    (`too-many-attempts`) and `Unavailable` (`mail-failed`).
    """
    require_mode(app, "open")
    name, next_address = clean_name(person.name), person.next_address
    if len(next_address) > MAX_NEXT_CHARACTERS:
        next_address = "/"

    def written(session: WriteSession, mail: str) -> Letter:
        return mail_links.ask_for_account(
            session,
            mail=mail,
            name=name,
            next_address=next_address,
            base_url=app.settings.base_url,
        )

    await _send(app, limits, person, written)


async def ask_for_password(app: Application, limits: SignUpLimits, person: MailApplicant) -> None:
    """Sends a letter by which a new password can be set. The answer does not depend on existing
    accounts.

    Raises `NotAllowed` (`no-mail`), and what `ask_for_account` raises for mail.
    """

    def written(session: WriteSession, mail: str) -> Letter:
        base_url = app.settings.base_url
        return mail_links.ask_for_password(session, mail=mail, base_url=base_url)

    await _send(app, limits, person, written)


async def use_mail_link(
    app: Application,
    checks: Credentials,
    *,
    code: str,
    name: str | None,
    password: str,
    address: str | None,
    browser: str | None = None,
) -> tuple[User, str, str | None]:
    """Uses a mailed link up; returns the account, a new token, and the cookie of a session where a
    `browser` is given. Without a `name` a new account gets the one that was requested.

    Raises `NotFound` (`unknown-link`), `Unavailable` (`busy`), and what `checked_password` and
    `mail_links.use` raise.
    """
    view, kept = await run_in_threadpool(_hashed, app, checks, code, name, password)

    def use(session: WriteSession) -> tuple[User, str, str | None]:
        user, token = mail_links.use(
            session,
            code=code,
            name=view.name if name is None else name,
            password_hash=kept,
            address=address,
        )
        cookie = page_sessions.begin_beside(session, user, browser=browser, address=address)
        return user, token, cookie

    return await write_with(app, use)


def _hashed(
    app: Application, checks: Credentials, code: str, name: str | None, password: str
) -> tuple[MailLinkView, str]:
    """Finds the link and hashes the password: no hashing for callers without a valid link."""
    with app.database.read() as session:
        view = mail_links.look_at(session, code=code)
    is_chosen = view.kind is MailLinkKind.SIGN_UP and name is not None
    wanted = checked_password(password, name=name if is_chosen and name else view.name)
    return view, checks.passwords.hashed(wanted)


async def _send(
    app: Application,
    limits: SignUpLimits,
    person: MailApplicant,
    written: Callable[[WriteSession, str], Letter],
) -> None:
    mailer = _mailer_of(app)
    mail = checked_mail(person.mail)
    limits.letters.begin(mail_key(mail), network_of(person.address), EVERYBODY)
    letter = await write_with(app, written, mail)
    await run_in_threadpool(mailer.send, letter)


def _mailer_of(app: Application) -> Mailer:
    if app.mailer is None:
        raise NotAllowed(
            "This installation sends no mail. Ask an organizer for a link.", code=ErrorCode.NO_MAIL
        )
    return app.mailer
