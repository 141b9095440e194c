"""Checks the division of true rows into splits, where a score may be impossible or uncertain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from podium.scoring.problems import Code, FileRejected, Problem, Rejection
from podium.scoring.rows.truth import TrueRows
from podium.scoring.splits import ALL, PRIVATE, PUBLIC, SPLIT_NAMES, SplitRule, uneven

_FEW_UNITS = 30


def check_splits(truth: TrueRows, split: SplitRule, undefined: Iterable[Problem]) -> None:
    """Raises FileRejected where a split has no row, or otherwise where metrics are `undefined`."""
    needed = (ALL,) if split.kind == "whole" else (PUBLIC, PRIVATE)
    problems = [
        Problem(Code.ZERO_DENOMINATOR, f"no {truth.row_word} is in the split {SPLIT_NAMES[side]}")
        for side in needed
        if side not in truth.totals
    ]
    problems = problems or list(undefined)
    if problems:
        raise FileRejected(Rejection.of(problems))


def division_warnings(truth: TrueRows, split: SplitRule) -> Iterator[str]:
    """Warns about splits that are much larger than others, or too small for reliable scores."""
    if split.kind == "whole":
        return
    yield from uneven(truth.totals, f"{truth.row_word}s")
    for side in (PUBLIC, PRIVATE):
        units = truth.unit_count(side)
        if units < _FEW_UNITS:
            yield (
                f"{units:,} {truth.unit_word}s are {SPLIT_NAMES[side]}: scores are far from sure"
                " with so few"
            )
