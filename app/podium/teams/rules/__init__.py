"""Rules of teams: conditions for a merge, tags, and the lifetime of links."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from podium.core.models.teams import HIDDEN, ORGANIZER
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode, OurCode
from podium.submissions.rules import day_of

FREE_TAGS = frozenset({ORGANIZER, HIDDEN})
"""Tags that organizers set by hand; `baseline` also changes the quota and is given once."""


class MergeStatus(StrEnum):
    """The state of a merge request."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Merging:
    """The totals of two teams: members, and slots used so far; and the limits of the
    competition."""

    members: int
    used_in_all: int
    team_size: int
    daily_limit: int
    total_limit: int | None
    days: int

    @property
    def obstacle(self) -> tuple[OurCode, str] | None:
        """Finds code and text of the first rule that forbids the merge; None when all allow it."""
        if self.members > self.team_size:
            return (
                ErrorCode.MERGE_TOO_LARGE,
                f"Together the teams have {self.members} members; a team may have"
                f" {self.team_size}.",
            )
        most = self.daily_limit * self.days
        if self.total_limit is not None:
            most = min(most, self.total_limit)
        if self.used_in_all > most:
            return (
                ErrorCode.MERGE_TOO_MANY_SUBMISSIONS,
                f"Together the teams have used {self.used_in_all} submissions; one team could"
                f" have used {most} so far.",
            )
        return None


def days_so_far(start: datetime, now: datetime) -> int:
    """Counts the UTC days on which a team could have submitted, including today.

    >>> from datetime import UTC
    >>> days_so_far(datetime(2026, 1, 1, 23, tzinfo=UTC), datetime(2026, 1, 2, 1, tzinfo=UTC))
    2
    """
    return max(1, (day_of(now) - day_of(start)).days + 1)


def tags_after_merge(survivor: Sequence[str], absorbed: Sequence[str]) -> list[str]:
    """Unites the tags of merged teams: they outlive a merge, since hidden data cannot be unseen."""
    return [*survivor, *(tag for tag in absorbed if tag not in survivor)]


def refused_tags(before: Collection[str], after: Collection[str]) -> set[str]:
    """Finds tags that may not be added or removed like this: `organizer` stays for good, `baseline`
    never changes, and others are unknown."""
    came, went = set(after) - set(before), set(before) - set(after)
    return (came - FREE_TAGS) | (went - {HIDDEN})


LIFETIME = timedelta(days=7)
"""The lifetime of a link without a given expiry."""

LONGEST_LIFETIME = timedelta(days=90)

LONGEST_SHARED_LIFETIME = timedelta(days=366)
"""The longest lifetime of a link of several seats, which may have to last for the year of a
course."""

MAX_SEATS = 10_000


class LinkKind(StrEnum):
    """What a link is for: a new account, other credentials of one, or the first ones."""

    INVITE = "invite"
    RESET = "reset"
    FIRST = "first"


def end_of_life(now: datetime, given: datetime | None, *, seats: int = 1) -> datetime:
    """Computes the expiry of a new link. Raises `InvalidInput` (`bad-date`) for one that has passed
    or lies too far ahead."""
    if given is None:
        return now + LIFETIME
    longest = LONGEST_LIFETIME if seats == 1 else LONGEST_SHARED_LIFETIME
    if not now < given <= now + longest:
        raise InvalidInput(
            f"A link has to end within the next {longest.days} days.",
            code=ErrorCode.BAD_DATE,
        )
    return given


class LinkState(StrEnum):
    """The state of a link: one that cannot be used says why."""

    OPEN = "open"
    USED = "used"
    REVOKED = "revoked"
    EXPIRED = "expired"


def link_state(
    *,
    now: datetime,
    expires_at: datetime,
    used_at: datetime | None,
    revoked_at: datetime | None,
) -> LinkState:
    """Computes the state of a link at a time; at `expires_at` exactly it cannot be used any
    more."""
    if used_at is not None:
        return LinkState.USED
    if revoked_at is not None:
        return LinkState.REVOKED
    return LinkState.OPEN if now < expires_at else LinkState.EXPIRED
