"""Reads the page of each metric from `docs/metrics/<key>.md`: one source for the command line, the
server and the site.

The front matter has the names and the formula, the sections have all other information. A page is
read at its first use, so that it does not delay startup.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from podium import packed_folder
from podium.add_ons import file_of, package_of
from podium.scoring.metrics import REGISTRY, is_column_mean, key_of
from podium.scoring.metrics.rows import is_custom

NamedTexts = tuple[tuple[str, str], ...]
"""Texts, each under a name."""

VALUE = ("Range", "Average", "Standard error")

SECTIONS = ("Formula", "Example", "Unusual cases", "Value", "Not the same", "Used by")
"""The headings of a page in order; `In libraries` may follow."""

LIBRARIES = "In libraries"

_EXAMPLE = re.compile(r"Example: `(.+)`")
_ENTRY = re.compile(r"^(?:-|\d+\.) (.+(?:\n(?!- |\d+\. ).+)*)", re.MULTILINE)
_NAMED = re.compile(r"\*\*(?:\[`(?P<key>\w+)`\]\(\w+\.md\)|(?P<name>.+?)):\*\* (?P<text>.+)")


class MalformedPage(ValueError):
    """A page does not have the format of the others."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """A small case with a computation that can be followed by hand."""

    metric: str
    """The id, with K and optionally an average."""
    given: NamedTexts
    """The list, the relevant items, and the like, by name."""
    steps: tuple[str, ...]
    """The computation, step by step; the last step ends with the value."""

    @property
    def value(self) -> float:
        """The result of the last step, with five decimals."""
        return float(self.steps[-1].rpartition("= ")[2])


@dataclass(frozen=True, kw_only=True)
class MetricDescription:
    """The documentation of a metric, beyond the docstring of its class."""

    title: str
    """The full name, followed by the short one in parentheses."""
    short: str
    """The name on boards; the formula shows the variant."""
    summary: str = ""
    """One sentence for organizers who choose among the usual metrics; empty for others."""
    family: str
    """The heading under which an index lists it."""
    direction: Literal["higher", "lower"]
    """The direction of better values."""
    tex: str
    """The formula in LaTeX, of one query where lists are scored."""
    item_file: Mapping[str, object] | None = None
    """The columns of the example's item file, and its number of training users."""
    definition: str
    """Two or three sentences on what the metric measures, and when to use it."""
    symbols: str
    """The symbols of the formula in words."""
    example: Example
    cases: NamedTexts
    """Empty lists, no hit, more labels than K, duplicates, ties, and the like."""
    value_range: str
    """The range of values, and the value of a perfect answer."""
    average: str
    """The queries over which the metric is averaged, and with which weights."""
    standard_error: str
    """The computation of the standard error, or the reason why there is none."""
    relatives: NamedTexts
    """Metrics that it may be confused with, and the difference."""
    used_by: tuple[str, ...]
    """Competitions, courses and papers that use it."""
    elsewhere: NamedTexts
    """Libraries, and their names for it."""


def pages_folder() -> Path:
    """Finds the folder of the pages."""
    return packed_folder("docs/metrics")


@cache
def page_of(key: str) -> MetricDescription:
    """Reads the page of the metric with this key. Raises LookupError for one without a page."""
    path = pages_folder() / f"{key}.md"
    if package_of(key) is not None:
        path = file_of("metrics", key, f"docs/metrics/{key}.md")
    if not path.is_file():
        raise LookupError(f"the metric {key} has no page: write {path.name} in docs/metrics")
    try:
        return read_page(path.read_text(encoding="utf-8"))
    except MalformedPage as error:
        raise MalformedPage(f"{path.name}: {error}") from error


def short_name(full_id: str) -> str:
    """Returns the common name of a metric, with its K; for an unknown one, its id.

    >>> short_name("recall_capped@20:micro"), short_name("own_novelty"), short_name("r2_mean")
    ('Recall@20', 'own_novelty', 'R² (mean)')
    """
    name, at, depth = full_id.partition(":")[0].partition("@")
    key = name if is_custom([name]) else key_of(name)
    if not any(key in metrics for metrics in REGISTRY.values()):
        return name + at + depth
    return page_of(key).short + " (mean)" * is_column_mean(name) + at + depth


def read_page(text: str) -> MetricDescription:
    """Parses the text of a page. Raises MalformedPage."""
    head, body = _halves(text)
    definition, *parts = re.split(r"^## ", body, flags=re.MULTILINE)
    sections = {title: content for title, _, content in (part.partition("\n") for part in parts)}
    metric = _EXAMPLE.fullmatch(next((each for each in sections if _EXAMPLE.match(each)), ""))
    headings = tuple("Example" if _EXAMPLE.match(each) else each for each in sections)
    if metric is None or headings not in (SECTIONS, (*SECTIONS, LIBRARIES)):
        raise MalformedPage(f"the sections are {', '.join(SECTIONS)}, and perhaps {LIBRARIES}")
    example = sections[metric[0]]
    value = dict(_named(sections["Value"]))
    if tuple(value) != VALUE:
        raise MalformedPage(f"the section Value has {', '.join(VALUE)}")
    try:
        given, _, steps = example.partition("\n1. ")
        return MetricDescription(
            **head,
            definition=_line(definition),
            symbols=_line(sections["Formula"]),
            example=Example(metric=metric[1], given=_named(given), steps=_entries(f"1. {steps}")),
            cases=_named(sections["Unusual cases"]),
            value_range=value["Range"],
            average=value["Average"],
            standard_error=value["Standard error"],
            relatives=_named(sections["Not the same"]),
            used_by=_entries(sections["Used by"]),
            elsewhere=_named(sections.get(LIBRARIES, "")),
        )
    except TypeError as error:
        raise MalformedPage(f"the front matter does not fit: {error}") from error


def _halves(text: str) -> tuple[dict[str, Any], str]:
    before, _, rest = text.partition("---\n")
    head, _, body = rest.partition("---\n")
    facts = None if before else yaml.safe_load(head)
    if not isinstance(facts, dict):
        raise MalformedPage("it does not begin with front matter between lines of ---")
    return facts, body


def _entries(section: str) -> tuple[str, ...]:
    return tuple(map(_line, _ENTRY.findall(section)))


def _named(section: str) -> NamedTexts:
    found = []
    for entry in _entries(section):
        named = _NAMED.fullmatch(entry)
        if named is None:
            raise MalformedPage(f"“{entry}” does not begin with a name: **Name:** …")
        found.append((named["key"] or named["name"], named["text"]))
    return tuple(found)


def _line(text: str) -> str:
    return " ".join(text.split())
