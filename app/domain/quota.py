"""How many files a team may send: days, slots and what is left. Days are UTC days."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

REJECTIONS_WINDOW = timedelta(hours=1)
"""Over which time rejected files of a team are counted."""


class LimitedBy(StrEnum):
    """Which limit decides how many files a team may still send today."""

    DAILY_LIMIT = "daily_limit"
    TOTAL_LIMIT = "total_limit"
    REJECTED_PER_HOUR = "rejected_per_hour"
    CONCURRENT_UPLOADS = "concurrent_uploads"
    UPLOADS_PER_USER = "uploads_per_user"
    ACCEPT_UPLOADS = "accept_uploads"
    """The organizers take no uploads for the moment."""
    PHASE = "phase"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left for a team today. `resets_at` is the start of the next UTC day."""

    left_today: int
    resets_at: datetime
    limited_by: LimitedBy


def day_of(moment: datetime) -> date:
    """The UTC day to which a moment belongs."""
    return moment.astimezone(UTC).date()


def next_day(moment: datetime) -> datetime:
    """The first moment of the following UTC day."""
    return datetime.combine(day_of(moment) + timedelta(days=1), time(), UTC)


def seconds_until(then: datetime, now: datetime) -> int:
    """Whole seconds to wait, rounded up, at least 1."""
    return max(1, math.ceil((then - now).total_seconds()))


def free_number(taken: Collection[int], limit: int | None) -> int | None:
    """The lowest slot number that is not taken; None when `limit` of them are.

    The count decides, not the number: after a limit was lowered, higher numbers may be in use.
    """
    numbers = set(taken)
    if limit is not None and len(numbers) >= limit:
        return None
    return next(number for number in range(1, len(numbers) + 2) if number not in numbers)


def allowance(
    *,
    daily_limit: int,
    total_limit: int | None,
    used_today: int,
    used_in_all: int,
    may_submit: bool,
    accepts_uploads: bool = True,
    too_many_rejections: bool,
    now: datetime,
) -> Allowance:
    """The smallest of all limits, and its name; the daily limit where two are equal."""
    left, limited_by = max(0, daily_limit - used_today), LimitedBy.DAILY_LIMIT
    if total_limit is not None and total_limit - used_in_all < left:
        left, limited_by = max(0, total_limit - used_in_all), LimitedBy.TOTAL_LIMIT
    if too_many_rejections and left > 0:
        left, limited_by = 0, LimitedBy.REJECTED_PER_HOUR
    if not accepts_uploads:
        left, limited_by = 0, LimitedBy.ACCEPT_UPLOADS
    if not may_submit:
        left, limited_by = 0, LimitedBy.PHASE
    return Allowance(left, next_day(now), limited_by)
