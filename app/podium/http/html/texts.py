"""Counts, spans, and names of browsers, as people read them on pages."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Protocol

from podium.scoring.kinds import Kind, WithIds, kind_of


class Owner(WithIds, Protocol):
    """A competition, as far as the words for what it scores depend on it."""

    @property
    def task(self) -> str:
        """The kind of task."""


def unit_words(competition: Owner) -> tuple[str, str]:
    """The word for one of the things that are scored, and for several."""
    return kind_of(competition.task).unit(competition)


def split_words(competition: Owner) -> tuple[str, str]:
    """The word for one of the things that splits divide, and for several."""
    return kind_of(competition.task).split_unit(competition)


class NumberOwner(Protocol):
    """A competition of numbers, as far as their meaning depends on it."""

    @property
    def task(self) -> str:
        """The kind of task."""

    @property
    def wants_probabilities(self) -> bool:
        """True if a metric refuses numbers other than probabilities."""


def number_words(competition: NumberOwner) -> str:
    """The meaning of the number in a row of pairs."""
    if competition.wants_probabilities:
        return "a probability from 0 to 1"
    return kind_of(competition.task).number_words


def kind_of_task(competition: Owner) -> Kind:
    """Its kind of task."""
    return kind_of(competition.task)


def task_words(task: str) -> str:
    """The kind of task as people say it."""
    return kind_of(task).title


def count_of(count: int, one: str, many: str | None = None) -> str:
    """`1 team`, `2,600 teams`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def decimals_of(value: float | Decimal | None, decimals: int) -> str:
    """A score with all its decimals, so that a column of them can be compared; a dash for none.

    >>> decimals_of(0.5, 5), decimals_of(None, 5)
    ('0.50000', '–')
    """
    return "–" if value is None else f"{value:.{decimals}f}"


SPANS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def duration_of(seconds: float) -> str:
    """A duration rounded down to whole units, of which there are at least two or exactly one: `1
    day`, `36 hours`."""
    whole = max(1, int(seconds))
    name, length = next(
        (name, length) for name, length in SPANS if whole >= 2 * length or whole == length
    )
    return count_of(whole // length, name)


BROWSERS = (
    ("Edge", r"Edg\w*/(\d+)"),
    ("Opera", r"OPR/(\d+)"),
    ("Firefox", r"(?:Firefox|FxiOS)/(\d+)"),
    ("Chrome", r"(?:Chrome|CriOS)/(\d+)"),
    ("Safari", r"Version/(\d+).*Safari/"),
)
"""The names of browsers and the patterns of their user agents. Most use the names of others too:
those come later."""

SYSTEMS = (
    ("Android", "Android"),
    ("iOS", "iPhone|iPad"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X"),
    ("Linux", "Linux"),
)


def browser_of(user_agent: str) -> str:
    """The name of a browser, as far as it tells: `Firefox 140 on Linux`; else its user agent as it
    came."""
    for name, pattern in BROWSERS:
        found = re.search(pattern, user_agent)
        if found:
            system = next((words for words, p in SYSTEMS if re.search(p, user_agent)), None)
            return f"{name} {found[1]}" + (f" on {system}" if system else "")
    return user_agent or "a browser without a name"
