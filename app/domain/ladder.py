"""The rule of a board that is a ladder: which scores a team gets to see.

After Blum & Hardt, "The Ladder: A Reliable Leaderboard for Machine Learning Competitions" (2015),
in its parameter-free form: a step must be higher than the standard error of the paired difference.
Whoever is told of real improvements only cannot read labels from steps that are noise.
"""

from __future__ import annotations

from fractions import Fraction

NO_IMPROVEMENT = "No significant improvement on the best shown score of your team."
"""What a team is told instead of a score."""


def is_step_up(score: Fraction, best: Fraction, standard_error: float | None) -> bool:
    """Whether a score is shown beside the team's best shown one: it must be higher by more than the
    standard error of their difference. Where that is unknown, nothing is shown.

    >>> [is_step_up(score, Fraction(1, 2), 0.25) for score in (Fraction(3, 4), Fraction(4, 5))]
    [False, True]
    """
    return standard_error is not None and score - best > Fraction(standard_error)


def widest_error(one: float | None, other: float | None) -> float | None:
    """The most that the standard error of a difference can be, from those of both scores."""
    return None if one is None or other is None else one + other
