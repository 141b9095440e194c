"""Column types that mean the same on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, TypeAlias

import uuid_utils
from sqlalchemy import JSON, DateTime, Dialect, String
from sqlalchemy.types import TypeDecorator

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object in a column; the code that reads and writes it defines its members."""

STORED_JSON = JSON(none_as_null=True)
"""The column type of a JSON document; None is stored as NULL."""


def hashes_of(value: object) -> list[str]:
    """Lists the stored files that the value of a column refers to: one by its hash, or several in a
    JSON object, which snapshots have as text.

    >>> hashes_of("1f"), hashes_of({"public": "2a", "private": "2b"}), hashes_of(None)
    (['1f'], ['2a', '2b'], [])
    >>> hashes_of('{"public": "2a"}')
    ['2a']
    """
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    if isinstance(value, Mapping):
        return [str(sha256) for sha256 in value.values()]
    return [] if value is None else [str(value)]


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime in UTC; SQLite stores it without its zone, PostgreSQL as timestamptz."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Converts a moment to UTC, without a zone on SQLite. Raises `ValueError` for one without a
        zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Converts a stored moment to UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class ExactNumber(TypeDecorator[Fraction]):
    """A rational number as text `p/q`, so that ranks come from exact arithmetic."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Fraction | None, dialect: Dialect) -> str | None:
        """Formats the number as `p/q`."""
        return None if value is None else f"{value.numerator}/{value.denominator}"

    def process_result_value(self, value: str | None, dialect: Dialect) -> Fraction | None:
        """Parses the stored `p/q`, which is in lowest terms."""
        if value is None:
            return None
        # The constructor of Fraction takes four times as long for text, and a board reads
        # thousands.
        numerator, _, denominator = value.partition("/")
        return Fraction(int(numerator), int(denominator))


def new_id() -> str:
    """Creates a UUIDv7 as text: opaque to clients, ordered by time for the database."""
    return str(uuid_utils.uuid7())
