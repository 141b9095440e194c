"""The parts of a metric's page, and what pages of ranked lists say alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Case = tuple[str, str]
"""Something unusual in a file, and what the metric does with it."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A case that is small enough to follow by hand. Tests compare `value`, which was worked out
    by hand, with what `compute` finds."""

    metric: str
    """The id, with K and perhaps an average."""
    given: tuple[tuple[str, str], ...]
    """The list, the relevant items, and the like, by name."""
    steps: tuple[str, ...]
    """The computation, step by step; the last one ends with the value."""
    value: float
    compute: Callable[[], float]
    """Computes the value by the code that scores submissions."""


@dataclass(frozen=True, kw_only=True)
class AboutMetric:
    """The answers to what people ask about a metric, beyond the formula and the source, which its
    class tells."""

    key: str
    """The name without K, as in the registry."""
    family: str
    """The heading under which an index lists it."""
    title: str
    """The name in full, and the short one in brackets."""
    tex: str
    """The formula in LaTeX, of one query where lists are scored."""
    symbols: str
    """The letters of the formula in words."""
    definition: str
    """Two or three sentences: what it measures, and when to take it."""
    example: Example
    cases: tuple[Case, ...]
    """Empty lists, no hit, more labels than K, duplicates, ties, and the like."""
    average: str
    """The way from the values of queries to one."""
    value_range: str
    """Between which numbers it lies, and what a perfect answer reaches."""
    standard_error: str
    """The way to the standard error, or the reason why there is none."""
    used_by: tuple[str, ...]
    """Competitions, courses and papers."""
    elsewhere: tuple[tuple[str, str], ...]
    """Libraries, and what they call it."""
    relatives: tuple[tuple[str, str], ...]
    """Metrics that it is mistaken for, and the difference."""


OF_HITS = (
    "hᵢ is 1 if the item at rank i is relevant and did not stand before it, else 0; m is the number"
    " of relevant items."
)

OF_RELEVANCES = (
    "relᵢ is the relevance of the item at rank i, 0 if it is not relevant; a label without a"
    " relevance has 1."
)

MEAN = "macro: the mean over the queries that have labels; a query without a hit counts as 0."

MEAN_OR_RATIO = (
    f"{MEAN} micro: the sum of what stands above the line over all queries, divided by the sum of"
    " what stands below it, so that queries with more labels weigh more."
)

UP_TO_1 = "0 to 1; higher is better, and a perfect list reaches 1."

BELOW_1 = "0 to 1; higher is better. {why}, even a perfect list stays below 1."

OF_MEAN = (
    "From the spread between sessions (or users), which are drawn independently: lists of one"
    " session count together. In closed form; differences between submissions are paired, and"
    " small splits use a bootstrap."
)

OF_RATIO = (
    f"{OF_MEAN} The micro average is a ratio of two sums, so its error is that of the linearized"
    " ratio (delta method)."
)


OF_CANDIDATES: Case = (
    "Candidates with the same number",
    "count as the mean over all orders of them.",
)


def cases_of_lists(*, short: str, many: str, hits: bool = True) -> tuple[Case, ...]:
    """The cases of a metric of ranked lists: all are alike but what a `short` list and `many`
    labels, more than K, do."""
    return (
        ("Empty list, or a missing row that is allowed", "scores 0, and the query counts."),
        *((("No hit", "scores 0."),) if hits else ()),
        ("Fewer than K items", short),
        ("More than K items", "only the first K count; duplicates are looked for after the cut."),
        ("More labels than K", many),
        ("An item twice in a list", "only the first counts; the second takes up a place."),
        ("Ties", "there are none, as the order of the list is the rank."),
        ("A query without labels", "is left out of the average; the report says how many."),
    )
