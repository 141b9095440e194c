"""The texts of a competition: bounds, allowed characters, and which of them are settings."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from podium.core.competition_settings.changing import Free
from podium.core.competition_settings.fields import setting
from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.errors.reasons import IMAGE_PATTERN, SLUG_PATTERN

RESERVED_SLUGS = frozenset({"import"})
"""Words that occupy the place of a slug in URLs: a competition of that name could not be
reached."""

MAX_DESCRIPTION_CHARACTERS = 100_000

MAX_RULES_CHARACTERS = 20_000
"""The rules are a part of the settings, which every request about a competition reads."""

MAX_ANNOUNCEMENT_CHARACTERS = 20_000


def printable(text: str) -> str:
    """Passes a text on that can be shown on one line. Raises `ValueError` for others."""
    if not text.isprintable():
        raise ValueError("only printable characters, on one line")
    return text


def readable(text: str) -> str:
    """Passes a text on that can be shown on several lines. Raises `ValueError` for others."""
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
"""A competition's name in URLs: lower-case ASCII letters, digits and inner hyphens, except for the
reserved words."""

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
Summary = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=300),
    AfterValidator(printable),
]

ImageName = Annotated[str, StringConstraints(pattern=IMAGE_PATTERN)]

Rules = Annotated[str, StringConstraints(max_length=MAX_RULES_CHARACTERS), AfterValidator(readable)]

AnnouncementText = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_ANNOUNCEMENT_CHARACTERS),
    AfterValidator(readable),
]
"""Markdown without surrounding whitespace, of limited length."""

MAX_NOTE_CHARACTERS = 500

Note = Annotated[str, StringConstraints(max_length=MAX_NOTE_CHARACTERS), AfterValidator(readable)]
"""A short text of one person to others."""

Reason = Note
"""An organizer's reason for an action, for the log."""

NeededReason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NOTE_CHARACTERS),
    AfterValidator(readable),
]
"""A reason that others see too, and that is therefore required."""


class Texts(BaseModel):
    """The texts and dates of a competition, which are columns of its row instead of settings."""

    model_config = ConfigDict(frozen=True)

    slug: Slug = setting(
        "URL slug",
        "The name in addresses: lower-case letters, digits and inner hyphens, up to 64. Fixed at"
        " the launch; until then, addresses with a former one lead nowhere.",
        example="otto",
    )
    title: Title = setting(
        "Title", "The name that people read, up to 200 characters.", example="OTTO"
    )
    description: Description = setting(
        "Description",
        "A page about the competition, as Markdown with formulas and pictures.",
        none="there is none",
        example="Predict what each session **clicks**, carts and orders next.",
        default="",
    )
    visibility: Visibility = setting(
        "Visible to",
        "Who sees the competition. Those who may join a private one do so at its address, once they"
        " are signed in: by invitation, unless you choose otherwise.",
        values={"public": "Everybody", "private": "Members only"},
        default="public",
    )
    starts_at: datetime | None = setting(
        "Opens (UTC)", "When submissions begin.", none="at the launch", default=None
    )
    ends_at: datetime | None = setting(
        "Closes (UTC)",
        "When submissions end.",
        none="when an organizer closes the competition",
        example="2026-12-31T23:59:59Z",
        default=None,
    )


class TextSettings(StrictNumbers):
    """Settings whose values are texts, which people read."""

    rules: Free[Rules] = setting(
        "Rules",
        "Markdown. Participants accept it when they join, and a changed one before they submit.",
        none="there are none",
        example="One account per person.",
        default="",
    )
    summary: Free[Summary] = setting(
        "Pitch",
        "One or two sentences for the list of competitions.",
        none="there is none",
        example="Predict the next click, cart and order of 1.7 million sessions.",
        default="",
    )
    image: Free[ImageName] = setting(
        "Picture",
        "The name of a data file for the list of competitions, such as cover.png.",
        none="there is none",
        example="cover.png",
        default="",
    )
