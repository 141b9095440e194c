"""Counts, spans, and names of browsers, as people read them on pages."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Protocol

from podium.scoring.forms import FORMS
from podium.scoring.kinds import Kind, WithIds, kind_of


class Owner(WithIds, Protocol):
    """The part of a competition on which the words for its scored units depend."""

    @property
    def task(self) -> str:
        """The id of the kind of task."""


def unit_words(competition: Owner) -> tuple[str, str]:
    """Chooses the singular and plural of the scored unit."""
    return kind_of(competition.task).unit(competition)


def split_words(competition: Owner) -> tuple[str, str]:
    """Chooses the singular and plural of the unit that splits divide."""
    return kind_of(competition.task).split_unit(competition)


class NumberOwner(Protocol):
    """A competition of numbers, as far as their meaning depends on it."""

    @property
    def task(self) -> str:
        """The id of the kind of task."""

    @property
    def wants_probabilities(self) -> bool:
        """True if a metric refuses numbers other than probabilities."""


def form_words(form: str) -> str:
    """Returns the description of a form of submissions."""
    return FORMS[form].choice


def number_words(competition: NumberOwner) -> str:
    """Describes the number in a row of pairs."""
    if competition.wants_probabilities:
        return "a probability from 0 to 1"
    return kind_of(competition.task).number_words


def kind_of_task(competition: Owner) -> Kind:
    """Looks the competition's kind of task up."""
    return kind_of(competition.task)


def task_words(task: str) -> str:
    """Finds the title of a kind of task."""
    return kind_of(task).title


def count_of(count: int, one: str, many: str | None = None) -> str:
    """Formats a count with its noun: `1 team`, `2,600 teams`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def decimals_of(value: float | Decimal | None, decimals: int) -> str:
    """Formats a score with a fixed number of decimals, so that columns align; a dash for None.

    >>> decimals_of(0.5, 5), decimals_of(None, 5)
    ('0.50000', '–')
    """
    return "–" if value is None else f"{value:.{decimals}f}"


SPANS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def duration_of(seconds: float) -> str:
    """Formats a duration, rounded down to whole units, of which there are at least two or exactly
    one: `1 day`, `36 hours`."""
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
    """Extracts the browser and system from a user agent: `Firefox 140 on Linux`; an unknown one is
    shown unchanged."""
    for name, pattern in BROWSERS:
        found = re.search(pattern, user_agent)
        if found:
            system = next((words for words, p in SYSTEMS if re.search(p, user_agent)), None)
            return f"{name} {found[1]}" + (f" on {system}" if system else "")
    return user_agent or "a browser without a name"
