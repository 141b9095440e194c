"""Who is before whom. Scores come in as exact fractions; higher is better, so that an error comes
in as its negative.

The public board orders by the value that is *shown*, so that its order tells nothing below the
last digit. The private board orders by the exact value. Ties go to the earlier submission.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

UNRANKED_TAGS = frozenset({"organizer", "baseline", "hidden"})
"""Tags of teams that hold no rank."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A scored submission as a board sees it."""

    submission_id: str
    team_id: str
    score: Fraction
    submitted_at: datetime
    sequence: int
    is_shown: bool = True
    """False where a ladder holds the score back: it counts, and the team does not stand with it."""


def shown_units(score: Fraction, decimals: int) -> int:
    """The score as a count of its last shown digit: rounded exactly, half to even.

    >>> shown_units(Fraction(1, 8), 2), shown_units(Fraction(3, 8), 2)
    (12, 38)
    """
    # In whole numbers: a fraction's own arithmetic would take ten times as long.
    numerator, denominator = score.as_integer_ratio()
    units, rest = divmod(numerator * 10**decimals, denominator)
    is_half = 2 * rest == denominator
    is_up: bool = 2 * rest > denominator or (is_half and units % 2 == 1)
    return int(units) + is_up


def shown_number(units: int, decimals: int) -> Decimal:
    """The number that is displayed for so many units, with all its digits. The scores of errors
    are negative, so that more is better everywhere; the error itself is displayed.

    >>> str(shown_number(57123, 5)), str(shown_number(0, 3)), str(shown_number(-91250, 5))
    ('0.57123', '0.000', '0.91250')
    """
    return Decimal(abs(units)).scaleb(-decimals)


def best_shown(entries: Iterable[Entry], decimals: int) -> Entry | None:
    """A team's best by the shown value, the earliest among equals; None where nothing is shown."""
    shown = (entry for entry in entries if entry.is_shown)
    return min(shown, key=lambda entry: public_key(entry, decimals), default=None)


def public_key(entry: Entry, decimals: int) -> tuple[int, datetime, int]:
    """Sort key of the public order: shown value down, then who was first."""
    return (-shown_units(entry.score, decimals), entry.submitted_at, entry.sequence)


def private_key(entry: Entry) -> tuple[Fraction, datetime, int]:
    """Sort key of the private order: exact value down, then who was first."""
    return (-entry.score, entry.submitted_at, entry.sequence)


def is_ranked(tags: Iterable[str], *, is_disqualified: bool) -> bool:
    """Whether a team holds a rank: no organizers, baselines, hidden or disqualified teams.

    All but hidden ones stay on the board, at the place of their score, with a tag.
    """
    return not is_disqualified and UNRANKED_TAGS.isdisjoint(tags)
