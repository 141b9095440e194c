"""The rule of a board that is a ladder: which scores a team gets to see.

After Blum & Hardt, "The Ladder: A Reliable Leaderboard for Machine Learning Competitions" (2015),
in its parameter-free form: a step must be higher than the standard error of the paired difference.
One standard error alone does not hold: every sixth file of mere noise is better by that much, and
whoever changes eight sessions at a time climbs ten standard errors in 450 files. So the step grows
with the number of files that a team has tried, to what the best of so many files would reach by
chance.
"""

from __future__ import annotations

import math
from fractions import Fraction

NO_IMPROVEMENT = "No significant improvement on the best shown score of your team."
"""What a team is told instead of a score."""


ROUNDING = 1 + 1e-9
"""A single session that is better is exactly one standard error; its root is rounded somehow."""


def is_step_up(
    score: Fraction, best: Fraction, standard_error: float | None, *, before: int
) -> bool:
    """Whether a score is shown beside the team's best shown one: it must be higher by more than so
    many standard errors of their difference. Where that is unknown, nothing is shown. `before` are
    the scored files that the team has sent besides.

    >>> half = Fraction(1, 2)
    >>> [is_step_up(score, half, 0.25, before=1) for score in (Fraction(3, 4), Fraction(4, 5))]
    [False, True]
    """
    if standard_error is None or score <= best:
        return False
    return score - best > Fraction(standard_error * least_errors(before) * ROUNDING)


def least_errors(before: int) -> float:
    """How many standard errors a step must be: √(1 + 2 ln n), one for the second file, and later a
    little more than the largest of n differences of noise comes to.

    >>> [round(least_errors(n), 2) for n in (1, 5, 50, 450)]
    [1.0, 2.05, 2.97, 3.64]
    """
    return math.sqrt(1 + 2 * math.log(max(before, 1)))


def widest_error(one: float | None, other: float | None) -> float | None:
    """The most that the standard error of a difference can be, from those of both scores."""
    return None if one is None or other is None else one + other
