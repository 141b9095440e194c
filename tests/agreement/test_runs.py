"""Sums over groups of rows: what was compiled, and what Polars makes of the same, to the bit."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import groupby
from typing import TypeVar

import polars as pl
import pytest

from podium.scoring.kernel import runs
from podium.scoring.kernel.runs import (
    LinePerKey,
    counts_of_ranks,
    first_of_runs,
    lengths_of_runs,
    moves_of_runs,
    sums_by_key,
)

T = TypeVar("T", pl.Series, list[int])

CASES = range(300)


def values_of(chance: random.Random) -> pl.Series:
    """Numbers that lie group by group, few or many."""
    groups = chance.choice([0, 1, 2, 50])
    longest = chance.choice([1, 3, 40])
    drawn = [chance.randrange(9) for _ in range(groups)]
    return pl.Series(
        [value for value in drawn for _ in range(chance.randint(1, longest))], dtype=pl.UInt32
    )


class Both:
    """Makes something with and without what was compiled: the result, which is the same."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch

    def __call__(self, make: Callable[..., T], *given: object) -> T:
        compiled = make(*given)
        with self._patch.context() as without:
            without.setattr(runs, "kernel", lambda: None)
            plain = make(*given)
        assert repr(pl.Series(compiled).to_list()) == repr(pl.Series(plain).to_list())
        return compiled


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Both:
    """The two ways side by side."""
    return Both(monkeypatch)


def test_runs_are_found_and_counted(both: Both) -> None:
    for case in CASES:
        chance = random.Random(case)
        values = values_of(chance)
        first = both(first_of_runs, values)
        lengths = [len(list(group)) for _, group in groupby(values)]
        assert lengths_of_runs(first, len(values)).to_list() == lengths
        ranks = pl.Series(
            [chance.choice([0, 1, 19, 20, 21, 65535]) for _ in values], dtype=pl.UInt16
        )
        k = chance.choice([1, 20, 100])
        counts = both(counts_of_ranks, ranks, first, k)
        assert counts.to_list() == [
            sum(1 <= rank <= k for rank in ranks[start : start + length])
            for start, length in zip(first, lengths, strict=True)
        ]


def test_moves_are_added_in_their_order(
    both: Both,
) -> None:
    for case in CASES:
        chance = random.Random(case)
        values = values_of(chance)
        first = first_of_runs(values)
        numbers = pl.UInt32 if case % 2 else pl.Float64
        above, below, pull, value = (
            pl.Series(
                [
                    chance.choice([0.0, -1.0, chance.gauss(0, 1e9), chance.random()])
                    for _ in range(n)
                ],
                dtype=pl.Float64,
            )
            for n in (len(values), len(values), 9, 9)
        )
        line = LinePerKey(values, pull, value)
        if numbers is pl.UInt32:
            above, below = ((each.abs() % 1000).cast(numbers) for each in (above, below))
        moves = both(moves_of_runs, above, below, line, first)
        rows = [
            pull[key] * (one - value[key] * other)
            for key, one, other in zip(values, above, below, strict=True)
        ]
        lengths = lengths_of_runs(first, len(values))
        expected = []
        for start, length in zip(first, lengths, strict=True):
            total = rows[start]
            for moved in rows[start + 1 : start + length]:
                total += moved
            expected.append(total)
        assert moves.to_list() == expected


def test_whole_numbers_are_added_by_key(
    both: Both,
) -> None:
    for case in CASES:
        chance = random.Random(case)
        keys = values_of(chance)
        values = pl.Series([chance.choice([0, 7, 2**32 - 1]) for _ in keys], dtype=pl.UInt32)
        sums = both(sums_by_key, values, keys)
        pairs = list(zip(keys, values, strict=True))
        assert sums == [
            sum(value for key, value in pairs if key == wanted)
            for wanted in range(max(keys, default=0) + 1)
        ]
