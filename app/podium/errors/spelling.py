"""Suggestions for misspelled names: the nearest of the known ones."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LIKENESS = 0.6
"""The minimum similarity, from 0 to 1, of a suggested name."""

FEWEST = 3
"""The minimum number of letters that complete to a longer name."""


def nearest(given: str, known: Iterable[str], *, likeness: float = LIKENESS) -> str | None:
    """Finds the known name that a misspelled one resembles, has the same letters as, or begins;
    None where none does.

    >>> nearest("dayly_limit", ["daily_limit", "total_limit"]), nearest("luck", ["ndcg"])
    ('daily_limit', None)
    >>> nearest("ngcd", ["recall", "ndcg"]), nearest("hit", ["recall", "hit_rate"])
    ('ndcg', 'hit_rate')
    """
    names = list(known)
    like = get_close_matches(given, names, 1, likeness)
    swapped = [name for name in names if sorted(name) == sorted(given)]
    longer = [name for name in names if len(given) >= FEWEST and name.startswith(given)]
    return next(iter([*like, *swapped, *longer]), None)


def did_you_mean(given: str, known: Iterable[str], *, likeness: float = LIKENESS) -> str | None:
    """Suggests the nearest of the known names in a question; None where none is similar."""
    near = nearest(given, known, likeness=likeness)
    return None if near is None else f"Did you mean {near}?"
