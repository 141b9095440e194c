"""The texts of a competition, and what is said about it: bounds, and what they may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, StringConstraints

from podium.errors.reasons import IMAGE_PATTERN, SLUG_PATTERN

RESERVED_SLUGS = frozenset({"import"})
"""Words of addresses that stand where slugs do: a competition of that name could not be reached."""

MAX_DESCRIPTION_CHARACTERS = 100_000

MAX_RULES_CHARACTERS = 20_000
"""The rules are a part of the settings, which every request about a competition reads."""

MAX_ANNOUNCEMENT_CHARACTERS = 20_000


def printable(text: str) -> str:
    """The text, if it can be shown on one line. Raises `ValueError`."""
    if not text.isprintable():
        raise ValueError("only printable characters, on one line")
    return text


def readable(text: str) -> str:
    """The text, if it can be shown on lines of its own. Raises `ValueError`."""
    if not text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable():
        raise ValueError("no control characters but tabs and line ends")
    return text


def _not_reserved(slug: str) -> str:
    if slug in RESERVED_SLUGS:
        raise ValueError(f"“{slug}” is reserved for an address of this service")
    return slug


Slug = Annotated[
    str,
    StringConstraints(pattern=SLUG_PATTERN, max_length=64),
    AfterValidator(_not_reserved),
]
"""A competition's name in addresses: lower-case ASCII letters, digits and inner hyphens, and no
word that stands in its place in an address of ours."""

Title = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200),
    AfterValidator(printable),
]

Description = Annotated[
    str, StringConstraints(max_length=MAX_DESCRIPTION_CHARACTERS), AfterValidator(readable)
]
"""Markdown; shown escaped or rendered by code that trusts nothing in it."""

Visibility = Literal["public", "private"]
"""The visibility of a competition: to everybody, or to its teams and organizers."""

Summary = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=300),
    AfterValidator(printable),
]
"""One or two sentences that stand in the list of competitions."""

IMAGE = (
    "The name of a picture among the data files, shown in the list of competitions. Texts show it,"
    " and others, as `![…](/api/v1/competitions/SLUG/files/NAME)`."
)

ImageName = Annotated[str, StringConstraints(pattern=IMAGE_PATTERN)]
"""A data file that is a picture; empty for none."""

Rules = Annotated[str, StringConstraints(max_length=MAX_RULES_CHARACTERS), AfterValidator(readable)]
"""Markdown; participants accept exactly this text."""

AnnouncementText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_ANNOUNCEMENT_CHARACTERS),
    AfterValidator(readable),
]
"""Markdown, like a description."""

Reason = Annotated[str, StringConstraints(max_length=500), AfterValidator(readable)]
"""An organizer's reason for an action, for the log."""

NeededReason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=500),
    AfterValidator(readable),
]
"""The same where others see it too, so that it cannot be left out."""
