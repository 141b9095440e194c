"""One-time links: what kinds there are, how long they live, and when one still works."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from podium.errors import InvalidInput

LIFETIME = timedelta(days=7)
"""Of a link whose maker names no end."""

LONGEST_LIFETIME = timedelta(days=90)


class LinkKind(StrEnum):
    """What a link is for."""

    INVITE = "invite"
    RESET = "reset"


def end_of_life(now: datetime, given: datetime | None) -> datetime:
    """When a new link stops to work. Raises `InvalidInput` (`bad-date`) for an end that has passed
    or lies too far ahead."""
    if given is None:
        return now + LIFETIME
    if not now < given <= now + LONGEST_LIFETIME:
        raise InvalidInput(
            f"expires_at lies in the next {LONGEST_LIFETIME.days} days.", code="bad-date"
        )
    return given


def works(
    *,
    now: datetime,
    expires_at: datetime,
    used_at: datetime | None,
    revoked_at: datetime | None,
) -> bool:
    """Whether a link can be used; at `expires_at` exactly it cannot any more."""
    return used_at is None and revoked_at is None and now < expires_at
