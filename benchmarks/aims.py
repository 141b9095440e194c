"""The aims of judging and of the offline commands: ratios of contestants in one run."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from statistics import median

from benchmarks.contest import paired_ratio
from benchmarks.contestants.lineup import (
    CHILD,
    COMMANDS,
    DUCKDB,
    EIGHT,
    FLOOR,
    INFLATING,
    NDJSON,
    ORDERS,
    OURS,
    PACKED,
    PARQUET,
    PREPARE,
    PYTHON,
    TENTH,
    THREADS,
)
from benchmarks.report import Aim, Results

MAX_MEMORY = 300
"""MiB of a judging."""

WALL, INNER = "wall", "inner"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The figure of one contestant may be at most `bound` times that of another, or has to be at
    least so many times; figures are those of runs, named `wall` or `inner`, after imports."""

    one: str
    other: str
    bound: float
    at_least: bool = False
    figure: str = WALL
    other_figure: str = WALL

    def row(self, results: Results) -> str:
        """The seconds of both, and the ratio beside its bound."""
        ones = list(map(attrgetter(self.figure), results[self.one]))
        others = list(map(attrgetter(self.other_figure), results[self.other]))
        ratio = paired_ratio(ones, others)
        aim = Aim(f"{self.one} / {self.other}", ratio, self.bound, self.at_least)
        return f"| {aim.text} | {median(ones):.2f} s / {median(others):.2f} s | {aim.verdict}"


def _after_imports(one: str, other: str, bound: float, at_least: bool = False) -> Comparison:
    return Comparison(one, other, bound, at_least, INNER, INNER)


WHOLE_PROCESSES = (
    Comparison(OURS, FLOOR, 1.2),
    Comparison(DUCKDB, OURS, 2, at_least=True),
    Comparison(ORDERS["by-type"], OURS, 1.3),
    Comparison(ORDERS["shuffled"], OURS, 1.3),
    Comparison(EIGHT, OURS, 1.5),
    Comparison(PARQUET, OURS, 1),
    Comparison(CHILD, FLOOR, 0.4, figure=INNER),
    Comparison(COMMANDS["score"], FLOOR, 1.6),
    Comparison(COMMANDS["blend"], FLOOR, 8),
    Comparison(COMMANDS["compare"], FLOOR, 8),
    Comparison(COMMANDS["overlap"], FLOOR, 5),
    Comparison(COMMANDS["analyze"], FLOOR, 5),
    Comparison(PREPARE, NDJSON, 1.5),
    Comparison(PYTHON, OURS, 30, at_least=True),
)

AFTER_IMPORTS = (
    _after_imports(TENTH, OURS, 0.15),
    _after_imports(THREADS[1], THREADS[2], 1.6, at_least=True),
    _after_imports(PACKED["gzip"], INFLATING["gzip"], 1.15),
    _after_imports(PACKED["zstd"], INFLATING["zstd"], 1.15),
)


def table(results: Results) -> list[str]:
    """The aims as a table, of all that took part."""
    memory = Aim("", median(run.peak for run in results[OURS]), MAX_MEMORY)
    return [
        "| aim | measured | reached | bound | held |",
        "| --- | ---: | ---: | ---: | --- |",
        *_rows("whole processes", WHOLE_PROCESSES, results),
        f"| {OURS}, peak MiB |  | {memory.verdict}",
        *_rows("after imports", AFTER_IMPORTS, results),
    ]


def _rows(what: str, comparisons: tuple[Comparison, ...], results: Results) -> list[str]:
    head = f"| **{what}** |  |  |  |  |"
    known = [each for each in comparisons if each.one in results and each.other in results]
    return [head, *(each.row(results) for each in known)]
