"""Registration over HTTP: the mode that the operator allows, the rate limits, and the password,
which is hashed outside any transaction."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeAlias

from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.credentials import Credentials
from podium.accounts.rules import checked_password
from podium.accounts.service import page_sessions, sign_up
from podium.accounts.service.rate_limits import RateLimits, network_of
from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.models import User
from podium.core.names import clean_name
from podium.errors import NotAllowed, NotConfigured
from podium.errors.codes import ErrorCode
from podium.http.transactions import write_with
from podium.settings import Settings

SignUpMode: TypeAlias = Literal["off", "code", "approval", "open"]

MIN_CHARACTERS = 8
"""Minimum length of a code: with so few attempts, guessing one takes forever."""

WRONG_CODES = ((50, 900.0), (1000, 3600.0))
"""Limits of wrong codes for one network and for all, each with its seconds. A lecture hall shares
an address, and some people mistype."""

WRONG_COMPETITION_CODES = (20, 900.0)
"""The same of one account, for the codes of competitions."""

REQUESTS = ((100, 3600.0), (500, 3600.0))
"""Requests of one network and of all."""

LETTERS = ((5, 3600.0), *REQUESTS)
"""Limits of letters to one address, and of those that one network and all have requested."""

EVERYBODY = "everybody"
"""The key of the limits that all share."""

MAIL_MISSING = (
    "PODIUM_SIGNUP=open proves mail addresses, and needs PODIUM_MAIL_URL and PODIUM_MAIL_FROM."
    " Without a mail server, use PODIUM_SIGNUP=code with a PODIUM_SIGNUP_CODE, or"
    " PODIUM_SIGNUP=approval."
)


@dataclass(frozen=True)
class SignUpLimits:
    """Counts wrong codes, requests and letters, in this process."""

    codes: RateLimits = field(
        default_factory=partial(
            RateLimits, *WRONG_CODES, detail="Too many wrong codes. Wait, or ask for a link."
        )
    )
    requests: RateLimits = field(
        default_factory=partial(
            RateLimits, *REQUESTS, detail="Too many requests for an account. Wait for a while."
        )
    )
    letters: RateLimits = field(
        default_factory=partial(
            RateLimits,
            *LETTERS,
            detail="Too many mails were asked for. Look into your mailbox, or wait for a while.",
        )
    )
    competition_codes: RateLimits = field(
        default_factory=partial(
            RateLimits, WRONG_COMPETITION_CODES, detail="Too many wrong codes. Wait for a while."
        )
    )


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person who registers: the name and the password as they were typed, a note for the
    organizers, and the network address."""

    name: str
    password: str
    note: str = ""
    address: str | None = None


def sign_up_mode(settings: Settings) -> SignUpMode:
    """Determines the mode of registration. Raises `NotConfigured` for contradictory settings."""
    if settings.signup == "open" and not (
        settings.mail_url.get_secret_value() and settings.mail_from
    ):
        raise NotConfigured(MAIL_MISSING)
    code = settings.signup_code.get_secret_value()
    if settings.signup == "code" and len(code) < MIN_CHARACTERS:
        raise NotConfigured(
            f"PODIUM_SIGNUP=code needs a PODIUM_SIGNUP_CODE of {MIN_CHARACTERS} or more characters."
        )
    if code and settings.signup != "code":
        raise NotConfigured("PODIUM_SIGNUP_CODE is used with PODIUM_SIGNUP=code only.")
    return settings.signup


async def register_with_code(
    app: Application,
    checks: Credentials,
    limits: SignUpLimits,
    *,
    person: Newcomer,
    code: str,
    browser: str | None = None,
) -> tuple[User, str, str | None]:
    """Creates an account for a person who knows the code; returns the account, its first token, and
    the cookie of a session where a `browser` is given.

    Raises `NotAllowed` (`sign-up-off`, `wrong-code`), `QuotaExhausted` (`too-many-attempts`),
    `Unavailable` (`busy`), and what `checked_password` and `sign_up.register` raise. Names are
    checked only after the code.
    """
    require_mode(app, "code")
    keys = (network_of(person.address), EVERYBODY)
    limits.codes.begin(*keys)
    if not _is_same(code.strip(), app.settings.signup_code.get_secret_value()):
        raise NotAllowed(
            "This is not the account code of this installation. Ask an organizer.",
            code=ErrorCode.WRONG_CODE,
        )
    limits.codes.forget(*keys)
    kept = await run_in_threadpool(_hashed, checks, person)

    def register(session: WriteSession) -> tuple[User, str, str | None]:
        address = person.address
        user, token = sign_up.register(
            session, name=person.name, password_hash=kept, address=address, by="code"
        )
        cookie = page_sessions.begin_beside(session, user, browser=browser, address=address)
        return user, token, cookie

    return await write_with(app, register)


async def request_account(
    app: Application, checks: Credentials, limits: SignUpLimits, *, person: Newcomer
) -> str:
    """Stores a request for an account; returns the code of the page that shows its state.

    Raises `NotAllowed` (`sign-up-off`), `QuotaExhausted`, `Unavailable` (`busy`), and
    `InvalidInput` (`bad-name`, `bad-password`). The answer does not depend on existing accounts.
    """
    require_mode(app, "approval")
    limits.requests.begin(network_of(person.address), EVERYBODY)
    kept = await run_in_threadpool(_hashed, checks, person)
    return await write_with(
        app,
        sign_up.request_account,
        name=person.name,
        password_hash=kept,
        note=person.note,
        address=person.address,
    )


def require_mode(app: Application, mode: SignUpMode) -> None:
    """Raises `NotAllowed` (`sign-up-off`) where the mode of registration is another one."""
    if sign_up_mode(app.settings) != mode:
        raise NotAllowed(
            "This installation has no registration of this kind. Ask an organizer for a link.",
            code=ErrorCode.SIGN_UP_OFF,
        )


def _hashed(checks: Credentials, person: Newcomer) -> str:
    name = clean_name(person.name)
    return checks.passwords.hashed(checked_password(person.password, name=name))


def _is_same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), wanted.encode())
