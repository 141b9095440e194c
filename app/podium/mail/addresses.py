"""Addresses of mail: of people, of the sender, and of the server, as operators write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import unquote, urlsplit

MAX_CHARACTERS = 254
"""Maximum length of an address (RFC 5321)."""

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

ADDRESS = re.compile(rf"(?=.{{1,64}}@)(?!.*=\?){_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
"""An address in ASCII, without quotes and comments: nothing in it can end a header or a command,
or is read as an encoded word of a header."""

SENDER = re.compile(r"(?:(?P<name>[^<>@\"\\]*)<(?P<named>[^<>]+)>|(?P<bare>[^<>]+))")

HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*|[0-9A-Fa-f:.]+")

A_SERVER = (
    "an address like smtps://user:password@mail.example:465 or"
    " smtp://user:password@mail.example:587?starttls; special characters percent-encoded"
)

ENCRYPTED = "smtps:// or an address that ends in ?starttls, because it holds a password"

A_SENDER = "an address like podium@example.org or Podium <podium@example.org>"

PORTS = {"smtps": 465, "starttls": 587, "smtp": 25}


@dataclass(frozen=True, slots=True)
class MailServer:
    """An SMTP server, with TLS from the start (`smtps`), by upgrade (`starttls`), or without it
    (`smtp`). Without a user there is no authentication."""

    security: str
    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Sender:
    """The address that mail is sent from, and its display name, which may be empty."""

    address: str
    name: str = ""

    @property
    def domain(self) -> str:
        """The domain of the address."""
        return domain_of(self.address)


def is_address(text: str) -> bool:
    """True for a mail address that a letter can go to.

    >>> is_address("ada@example.org"), is_address("Ada <ada@example.org>")
    (True, False)
    """
    return len(text) <= MAX_CHARACTERS and ADDRESS.fullmatch(text) is not None


def domain_of(address: str) -> str:
    """Extracts the domain of an address.

    >>> domain_of("ada@example.org")
    'example.org'
    """
    return address.rpartition("@")[2]


def sender_named(given: str) -> Sender:
    """Parses the sender of a setting. Raises `ValueError` with the expected format."""
    found = SENDER.fullmatch(given.strip())
    if found is None or not given.isprintable():
        raise ValueError(A_SENDER)
    address = (found["named"] or found["bare"]).strip()
    if not is_address(address):
        raise ValueError(A_SENDER)
    return Sender(address, (found["name"] or "").strip())


def server_at(given: str) -> MailServer:
    """Parses the server of a setting, without connecting. Raises `ValueError` with the expected
    format, which repeats nothing of the address."""
    try:
        parts = urlsplit(given)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        _refuse()
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    security = "starttls" if parts.query == "starttls" else parts.scheme
    if (
        (parts.scheme, parts.query) not in {("smtps", ""), ("smtp", "starttls"), ("smtp", "")}
        or not HOST.fullmatch(host)
        or port == 0
        or parts.path not in ("", "/")
        or parts.fragment
        or not (given + user + password).isascii()
        or not (given + user + password).isprintable()
        or bool(user) != bool(password)
    ):
        _refuse()
    if user and security == "smtp":
        raise ValueError(ENCRYPTED)
    return MailServer(security, host, port or PORTS[security], user, password)


def _refuse() -> NoReturn:
    raise ValueError(A_SERVER) from None
