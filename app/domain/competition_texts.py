"""The texts of a competition: its slug in addresses, its title, its description, file names."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

RESERVED_SLUGS = frozenset({"import"})
"""Words of addresses that stand where slugs do: a competition of that name could not be reached."""

MAX_DESCRIPTION_CHARACTERS = 100_000

MAX_RULES_CHARACTERS = 20_000
"""The rules are a part of the settings, which every request about a competition reads."""

MAX_ANNOUNCEMENT_CHARACTERS = 20_000


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("only printable characters, on one line")
    return text


def _readable(text: str) -> str:
    if not text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        raise ValueError("no control characters but tabs and line ends")
    return text


def _not_reserved(slug: str) -> str:
    if slug in RESERVED_SLUGS:
        raise ValueError(f"“{slug}” is reserved for an address of this service")
    return slug


Slug = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$", max_length=64),
    AfterValidator(_not_reserved),
]
"""A competition's name in addresses: lower-case ASCII letters, digits and inner hyphens, and no
word that stands in its place in an address of ours."""

Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(_printable),
]

Description = Annotated[
    str, StringConstraints(max_length=MAX_DESCRIPTION_CHARACTERS), AfterValidator(_readable)
]
"""Markdown; shown escaped or rendered by code that trusts nothing in it."""

Rules = Annotated[
    str, StringConstraints(max_length=MAX_RULES_CHARACTERS), AfterValidator(_readable)
]
"""Markdown; whoever competes accepts exactly this text."""

AnnouncementText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_ANNOUNCEMENT_CHARACTERS),
    AfterValidator(_readable),
]
"""Markdown, like a description."""

Reason = Annotated[str, StringConstraints(max_length=500), AfterValidator(_readable)]
"""Why an organizer did something, for the log."""

NeededReason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    AfterValidator(_readable),
]
"""The same where others see it too, so that it cannot be left out."""
