"""Names that were misspelt: the nearest of those that there are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LIKENESS = 0.6
"""From here on (of 1) a name is like another one."""


def nearest(given: str, known: Iterable[str], *, likeness: float = LIKENESS) -> str | None:
    """The known name that a misspelt one is most like; None where none is.

    >>> nearest("dayly_limit", ["daily_limit", "total_limit"]), nearest("luck", ["ndcg"])
    ('daily_limit', None)
    """
    return next(iter(get_close_matches(given, list(known), 1, likeness)), None)


def did_you_mean(given: str, known: Iterable[str], *, likeness: float = LIKENESS) -> str | None:
    """A question that names the nearest of the known names; None where none is like it."""
    near = nearest(given, known, likeness=likeness)
    return None if near is None else f"Did you mean {near}?"
