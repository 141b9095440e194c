"""Finds rows of a solution that contradict earlier ones: repeated ids, and units on two sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from podium.scoring.problems import Code, Problem
from podium.scoring.task import USAGE
from podium.scoring.text.findings import ENOUGH_PROBLEMS


def repeats(rows: pl.DataFrame, keys: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], int, int]]:
    """Yields the ids of repeated rows, their line, and the line of the first; `rows` have a column
    `line`."""
    again = rows.filter(~pl.struct(keys).is_first_distinct()).head(ENOUGH_PROBLEMS)
    first = rows.unique(keys, keep="first").select(*keys, first="line")
    found = again.join(first, on=list(keys), how="left", maintain_order="left")
    for *ids, line, before in found.select(*keys, "line", "first").iter_rows():
        yield tuple(ids), line, before


def torn(rows: pl.DataFrame, unit: str, word: str) -> Iterator[Problem]:
    """Reports units whose rows are on more than one side; `rows` have columns `side` and `line`."""
    first = rows.unique(unit, keep="first").select(unit, first="line", whole="side")
    rows = rows.join(first, on=unit, maintain_order="left")
    found = rows.filter(pl.col("side") != pl.col("whole")).head(ENOUGH_PROBLEMS)
    for before, line in found.select("first", "line").iter_rows():
        detail = f"a {word} must have one Usage: line {before} and line {line} differ"
        yield Problem(Code.BAD_USAGE, detail, line, column=USAGE)
