"""Values of settings that are read from text and checked: sizes, addresses, networks."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

from pydantic import BeforeValidator, ByteSize, Field, TypeAdapter
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

DATABASES = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
"""The kinds of databases, as addresses begin with them."""

A_MAIL_ADDRESS = re.compile(r"[^@\s:/?#&]+@[^@\s:/?#&]+")
"""Matches text that a mail program can use as an address; no full check."""

A_DATABASE = (
    "an address like postgresql://podium@db.example/podium or sqlite:////srv/podium/podium.sqlite3;"
    " a password with special characters in PGPASSWORD, or percent-encoded"
)

UNESCAPED = (
    "an address with a single @, before the host. Percent-encode each one in the password (%40), or"
    " give the password in PGPASSWORD as it is"
)

_SIZES = TypeAdapter(ByteSize)


def _in_bytes(given: object) -> object:
    return _SIZES.validate_python(given) if isinstance(given, str) else given


Bytes = Annotated[int, BeforeValidator(_in_bytes)]
"""A number of bytes, or with a unit: `3 GiB`, `500 MB`."""

Count = Annotated[int, Field(ge=1)]

Seconds = Annotated[float, Field(gt=0)]

LeaseSeconds = Annotated[Seconds, Field(le=1800)]


def checked_database(given: str) -> str:
    """Checks the URL of a database, or an empty text. Raises `ValueError` with the expected
    format."""
    if not given:
        return given
    if given.startswith("postgres://"):
        raise ValueError("an address that begins with postgresql:// instead of postgres://")
    if given.startswith("postgresql") and given.count("@") > 1:
        # Everything after the first @ would be parsed as the host, and shown.
        raise ValueError(UNESCAPED)
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise ValueError(A_DATABASE) from None
    is_file = bool(url.database) and url.database != ":memory:"
    if url.drivername not in DATABASES or (url.drivername.startswith("sqlite") and not is_file):
        raise ValueError(A_DATABASE)
    return given


def checked_origin(given: str) -> str:
    """Checks an origin, or an empty text, and removes its trailing slash. Raises `ValueError` with
    the expected format."""
    address = given.rstrip("/")
    parts = urlsplit(address)
    if address and (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or address != f"{parts.scheme}://{parts.netloc}"
        or "@" in parts.netloc
        or not _has_port(parts)
    ):
        raise ValueError("an address like https://podium.example, without path or query")
    return address


def networks(given: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Parses networks that are separated by commas. Raises `ValueError`."""
    return tuple(ip_network(part.strip()) for part in given.split(",") if part.strip())


def _has_port(parts: SplitResult) -> bool:
    """True if the address has a valid port, or none."""
    try:
        return parts.port != 0
    except ValueError:
        return False
