"""`python -m tests.costs REPORT`: what each test costs, from a report of pytest (`--junitxml`), as
the Markdown of `benchmarks/results/tests.md`. `make costs` makes both; later runs begin with the
tests that took longest."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks import machine
from tests.places import ROOT

RESULTS = ROOT / "benchmarks" / "results" / "tests.md"

ROW = re.compile(r"^\| `(tests/[^`]+)` \| ([\d,]+) \| ([\d.]+) \|$", re.MULTILINE)
"""A folder or a function with the number of its tests and their seconds together."""

UNKNOWN_SECONDS = {"tests/system/": 5.0, "tests/": 0.1}
"""Taken for those of a test that was not measured, by where it stands."""

SLOWEST = 60
"""Tests that are listed one by one."""

MIN_SECONDS = 5
"""Folders that take less than this are one row together."""


@dataclass(frozen=True)
class Cost:
    """Seconds of one test: its own, and those of what it was the first to ask for."""

    folder: str
    name: str
    seconds: float


class Recorded:
    """Seconds that tests took when it was last measured."""

    def __init__(self, page: str) -> None:
        rows = ((row[1], float(row[3]), int(row[2].replace(",", ""))) for row in ROW.finditer(page))
        self._seconds = {name: seconds / tests for name, seconds, tests in rows}

    @classmethod
    def read(cls) -> Recorded:
        """The measurement that is at hand, if there is one."""
        return cls(RESULTS.read_text() if RESULTS.exists() else "")

    def seconds(self, test: str) -> float:
        """About how long a test takes: as the cases of its function did, or else its folder."""
        function = test.partition("[")[0]
        folder = str(Path(test.partition("::")[0]).parent)
        known = self._seconds.get(function, self._seconds.get(folder))
        if known is not None:
            return known
        return next((s for begin, s in UNKNOWN_SECONDS.items() if test.startswith(begin)), 0.0)


def read(report: Path) -> tuple[list[Cost], float]:
    """The tests of a report, by their functions, and how long all took together."""
    suite = ET.parse(report).getroot().find("testsuite")
    assert suite is not None, f"{report} has no test suite"
    costs = []
    for case in suite.iter("testcase"):
        module = case.attrib["classname"].replace(".", "/")
        name = f"{module}.py::{case.attrib['name'].partition('[')[0]}"
        costs.append(Cost(str(Path(module).parent), name, float(case.attrib["time"])))
    return costs, float(suite.attrib["time"])


def lines(costs: list[Cost], took: float) -> Iterator[str]:
    """The page."""
    spent = sum(cost.seconds for cost in costs)
    yield "# What tests cost"
    yield ""
    yield from machine.described()
    yield f"- {len(costs):,} tests in {took / 60:.1f} minutes; their own times add up to"
    yield f"  {spent / 60:.0f} minutes, since several processes run them and share the cores"
    yield ""
    yield from _table("folder | tests | s", _folders(costs))
    yield ""
    by_name = _sums((cost.name, cost.seconds) for cost in costs)
    cases = Counter(cost.name for cost in costs)
    slowest = sorted(by_name.items(), key=lambda cost: -cost[1])[:SLOWEST]
    told = sum(seconds for _, seconds in slowest) / spent
    yield f"{len(slowest)} functions, with all their cases, take {told:.0%} of all. A server or an"
    yield "installation that several tests share is counted with the first of them."
    yield ""
    rows = [(name, f"{cases[name]:,}", f"{seconds:.1f}") for name, seconds in slowest]
    yield from _table("function | tests | s", rows)


def _folders(costs: list[Cost]) -> list[tuple[str, ...]]:
    counts = Counter(cost.folder for cost in costs)
    seconds = _sums((cost.folder, cost.seconds) for cost in costs)
    large = sorted((f for f in counts if seconds[f] >= MIN_SECONDS), key=lambda f: -seconds[f])
    rows = [(folder, f"{counts[folder]:,}", f"{seconds[folder]:.0f}") for folder in large]
    small = counts.keys() - set(large)
    count, rest = sum(counts[f] for f in small), sum(seconds[f] for f in small)
    return [*rows, (f"{len(small)} others", f"{count:,}", f"{rest:.0f}")]


def _sums(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for name, seconds in parts:
        sums[name] += seconds
    return sums


def _table(head: str, rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Markdown of rows whose last fields are numbers; the head names all, with bars between."""
    numbers = head.count("|")
    yield f"| {head} |"
    yield "| --- |" + " ---: |" * numbers
    for name, *rest in rows:
        yield " | ".join((f"| `{name}`", *rest)) + " |"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines(*read(Path(sys.argv[1]))))
