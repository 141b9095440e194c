"""Rules of boards: the order of teams, the choice of final submissions, and the visibility of
scores.

Scores are exact fractions; higher is better, so that an error is passed as its negative. The public
board orders by the value that is *shown*, so that its order reveals nothing below the last digit.
The private board orders by the exact value. Ties go to the earlier submission.

On a board that is a ladder a team sees only significant steps, after Blum & Hardt, "The Ladder: A
Reliable Leaderboard for Machine Learning Competitions" (2015), in its parameter-free form: a step
must be higher than the standard error of the paired difference. One standard error alone is not
enough: every sixth file of mere noise is better by that much, and a team that changes eight
sessions at a time climbs ten standard errors in 450 files. So the step grows with the number of
files that a team has tried, to the expected best of as many files by chance.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

UNRANKED_TAGS = frozenset({"organizer", "baseline", "hidden"})
"""Tags of teams that hold no rank."""


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A scored submission as a board sees it."""

    submission_id: str
    team_id: str
    score: Fraction
    submitted_at: datetime
    sequence: int
    is_shown: bool = True
    """False where a ladder withholds the score: it counts, but is not the team's score on the
    board."""


def shown_units(score: Fraction, decimals: int) -> int:
    """Converts the score to a count of its last shown digit: rounded exactly, half to even.

    >>> shown_units(Fraction(1, 8), 2), shown_units(Fraction(3, 8), 2)
    (12, 38)
    """
    # In whole numbers: a fraction's own arithmetic would take ten times as long.
    numerator, denominator = score.as_integer_ratio()
    units, rest = divmod(numerator * 10**decimals, denominator)
    is_half = 2 * rest == denominator
    is_up: bool = 2 * rest > denominator or (is_half and units % 2 == 1)
    return int(units) + is_up


def shown_number(units: int, decimals: int, *, of_errors: bool) -> Decimal:
    """Converts units to the displayed number, with all its digits. Scores that are made `of_errors`
    are negative, so that higher is better everywhere; the error itself is displayed.

    >>> str(shown_number(57123, 5, of_errors=False)), str(shown_number(-91250, 5, of_errors=True))
    ('0.57123', '0.91250')
    """
    return Decimal(-units if of_errors else units).scaleb(-decimals)


def best_shown(entries: Iterable[BoardEntry], decimals: int) -> BoardEntry | None:
    """Finds a team's best entry by the shown value, the earliest among equals; None where no score
    is shown."""
    shown = (entry for entry in entries if entry.is_shown)
    return min(shown, key=lambda entry: public_key(entry, decimals), default=None)


def public_key(entry: BoardEntry, decimals: int) -> tuple[int, datetime, int]:
    """Sort key of the public order: shown value descending, then the earlier submission."""
    return (-shown_units(entry.score, decimals), entry.submitted_at, entry.sequence)


def private_key(entry: BoardEntry) -> tuple[Fraction, datetime, int]:
    """Sort key of the private order: exact value descending, then the earlier submission."""
    return (-entry.score, entry.submitted_at, entry.sequence)


def is_ranked(tags: Iterable[str], *, is_disqualified: bool) -> bool:
    """True if a team holds a rank: no organizers, baselines, hidden or disqualified teams.

    All but hidden ones stay on the board, at the place of their score, with a tag.
    """
    return not is_disqualified and UNRANKED_TAGS.isdisjoint(tags)


def finals(
    entries: Sequence[BoardEntry], *, chosen: Collection[str], places: int, decimals: int
) -> list[BoardEntry]:
    """Selects at most `places` of a team's scored submissions: the chosen ones, then the best
    public ones.

    `entries` carry public scores. Chosen submissions that are not among `entries` (not scored, or
    disqualified) leave their place free. Where more are chosen than there are places, because the
    limit was lowered, the best public ones of them stay. A score that a ladder withholds fills no
    place, unless the team would be left without any.
    """
    ordered = sorted(entries, key=lambda entry: public_key(entry, decimals))
    first = [entry for entry in ordered if entry.submission_id in chosen]
    rest = [e for e in ordered if e.submission_id not in chosen and e.is_shown]
    return (first + rest or ordered)[:places]


def is_choice_visible(
    entries: Sequence[BoardEntry],
    *,
    chosen: Collection[str],
    places: int,
    frozen_at: datetime | None,
) -> bool:
    """True if a team that sees only released scores could itself derive which of its submissions
    `finals` selects: no score decides that a freeze or a ladder hides."""
    first = [entry for entry in entries if entry.submission_id in chosen]
    if len(first) == places:
        return True
    hidden = [e for e in entries if frozen_at is not None and e.submitted_at >= frozen_at]
    held_back = [entry for entry in entries if not entry.is_shown]
    if len(first) > places:
        return not any(entry in first for entry in hidden + held_back)
    # A ladder's withheld ones fill no place, unless there is no other.
    return not hidden and (bool(first) or len(held_back) < len(entries) or not entries)


def standing_final(candidates: Sequence[BoardEntry], exact: Mapping[str, Fraction]) -> BoardEntry:
    """Selects a team's final submission for the board: the best by exact private score, the earlier
    one of equals. It keeps the public score that it came with."""
    return min(
        candidates,
        key=lambda entry: private_key(replace(entry, score=exact[entry.submission_id])),
    )


FROZEN = "The board is frozen: scores of files sent since then are shown after the reveal."

NO_IMPROVEMENT = "No significant improvement on the best shown score of your team."
"""The text that a team is shown instead of a score."""


ROUNDING = 1 + 1e-9
"""A single session that is better is exactly one standard error; its root is rounded somehow."""


def is_step_up(
    score: Fraction, best: Fraction, standard_error: float | None, *, before: int
) -> bool:
    """True if a score is shown beside the team's best shown one: it must be higher by more than
    this many standard errors of their difference. Where that is unknown, the score is not shown.
    `before` is the number of the team's other scored files.

    >>> half = Fraction(1, 2)
    >>> [is_step_up(score, half, 0.25, before=1) for score in (Fraction(3, 4), Fraction(4, 5))]
    [False, True]
    """
    if standard_error is None or score <= best:
        return False
    return score - best > Fraction(standard_error * least_errors(before) * ROUNDING)


def least_errors(before: int) -> float:
    """Computes the standard errors of a step: √(1 + 2 ln n), one for the second file, and later a
    little more than the expected maximum of n differences of noise.

    >>> [round(least_errors(n), 2) for n in (1, 5, 50, 450)]
    [1.0, 2.05, 2.97, 3.64]
    """
    return math.sqrt(1 + 2 * math.log(max(before, 1)))


def widest_error(one: float | None, other: float | None) -> float | None:
    """Computes the upper bound of the standard error of a difference, from those of both scores."""
    return None if one is None or other is None else one + other
