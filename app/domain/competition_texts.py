"""The texts of a competition: its slug in addresses, its title, its description, file names."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

MAX_DESCRIPTION_CHARACTERS = 100_000


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("only printable characters, on one line")
    return text


def _readable(text: str) -> str:
    if not all(c.isprintable() or c in "\n\r\t" for c in text):
        raise ValueError("no control characters but tabs and line ends")
    return text


Slug = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$", max_length=64)
]
"""A competition's name in addresses: lower-case ASCII letters, digits and inner hyphens."""

Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_printable),
]

Description = Annotated[
    str, StringConstraints(max_length=MAX_DESCRIPTION_CHARACTERS), AfterValidator(_readable)
]
"""Markdown; shown escaped or rendered by code that trusts nothing in it."""

Reason = Annotated[str, StringConstraints(max_length=500), AfterValidator(_readable)]
"""Why an organizer did something, for the log."""
