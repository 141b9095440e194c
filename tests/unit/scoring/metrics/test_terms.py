"""Terms of metrics: what was compiled, what Polars makes of it, and plain Python, to the bit."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import accumulate

import polars as pl
import pytest

from podium.scoring.kernel import terms as module
from podium.scoring.kernel.terms import (
    LinePerKey,
    Terms,
    moves_of_runs,
    spreads,
    spreads_of_moves,
    sums_by_ideal,
)
from podium.scoring.metrics import sums as sums_module
from podium.scoring.metrics.sums import exact_sums

SEEDS = range(300)
KEYS = 9


def without(patch: pytest.MonkeyPatch) -> None:
    for each in (module, sums_module):
        patch.setattr(each, "kernel", lambda: None)


def column(chance: random.Random, count: int, far: float, *, positive: bool = False) -> pl.Series:
    """Counts or numbers, of which ideals are positive."""
    if chance.random() < 0.5:
        some = [chance.randint(int(positive), chance.choice([3, 2**32 - 1])) for _ in range(count)]
        return pl.Series(some, dtype=pl.UInt32)
    numbers = [chance.random() * far + (far if positive else 0.0) for _ in range(count)]
    return pl.Series(numbers, dtype=pl.Float64)


class Case:
    """Terms of queries, the line of each key, and the runs of sessions."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        lengths = [chance.randint(1, 4) for _ in range(chance.choice([1, 2, 40]))]
        count, far = sum(lengths), chance.choice([1.0, 1e-290, 1e290])
        self.terms = Terms(
            column(chance, count, far),
            column(chance, count, far, positive=True),
            is_mean=chance.random() < 0.5,
        )
        self.keys = pl.Series([chance.randrange(KEYS) for _ in range(count)], dtype=pl.UInt32)
        # Also what makes a zero negative, which stays one.
        pull, value = (
            pl.Series([chance.choice([0.0, -1.0, chance.random()]) for _ in range(KEYS)])
            for _ in range(2)
        )
        self.line = LinePerKey(self.keys, pull, value)
        self.first = pl.Series(list(accumulate(lengths, initial=0))[:-1], dtype=pl.UInt32)
        self.splits = pl.Series([chance.randrange(3) for _ in lengths], dtype=pl.UInt8)

    def moves(self) -> list[float]:
        """The same by plain Python."""
        rows = [
            self.line.pull[key] * (above - self.line.value[key] * below)
            for key, above, below in zip(self.keys, self.terms.above, self.terms.below, strict=True)
        ]
        ends = [*self.first[1:], len(rows)]
        moves = []
        for start, end in zip(self.first, ends, strict=True):
            total = rows[start]
            for moved in rows[start + 1 : end]:
                total += moved
            moves.append(total)
        return moves


def test_moves_are_added_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in SEEDS:
        case = Case(seed)
        compiled = moves_of_runs(case.terms, case.line, case.first)
        with monkeypatch.context() as patch:
            without(patch)
            plain = moves_of_runs(case.terms, case.line, case.first)
        assert repr(compiled.to_list()) == repr(plain.to_list()) == repr(case.moves())


def test_spreads_are_those_of_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in SEEDS:
        case = Case(seed)
        moves = moves_of_runs(case.terms, case.line, case.first)
        found = [
            spreads_of_moves(case.terms, case.line, case.first, case.splits),
            spreads(moves, case.splits),
        ]
        with monkeypatch.context() as patch:
            without(patch)
            found.append(spreads(moves, case.splits))
            found.append(spreads_of_moves(case.terms, case.line, case.first, case.splits))
        errors = [{split: each.standard_error() for split, each in one.items()} for one in found]
        assert errors[0] == errors[1] == errors[2] == errors[3]
        for split, error in errors[0].items():
            mine = [
                Fraction(z) for z, side in zip(moves, case.splits, strict=True) if side == split
            ]
            if len(mine) < 2:
                assert error is None
                continue
            exact = sum(z * z for z in mine) * Fraction(len(mine), len(mine) - 1)
            assert error is not None
            # The square of the error, whose relative distance is twice that of the root.
            assert abs(Fraction(error) ** 2 - exact) <= exact * Fraction(1, 2**50)


@pytest.mark.parametrize("kind", [pl.UInt8, pl.UInt64, pl.Int32, pl.Float32])
def test_numbers_of_any_kind_are_taken_for_what_they_are(kind: type[pl.DataType]) -> None:
    sums, ideals = pl.Series([3, 1, 4, 1, 5]), pl.Series([9, 2, 6, 5, 3])
    line = LinePerKey(
        pl.Series([0, 1, 0, 1, 0], dtype=pl.UInt32), pl.Series([1.0, 2.0]), pl.Series([0.5, 0.25])
    )
    first = pl.Series([0, 2], dtype=pl.UInt32)
    moves = [
        moves_of_runs(Terms(sums.cast(of), ideals.cast(of)), line, first).to_list()
        for of in (kind, pl.Float64)
    ]
    assert moves[0] == moves[1]


def test_small_squares_are_not_lost_beside_large_ones() -> None:
    numbers = pl.Series([1.0, *([1e-9] * 1000)])
    squares = spreads(numbers, pl.repeat(0, len(numbers), dtype=pl.UInt8, eager=True))[0]
    assert squares.squares * 4.0**squares.power == 1.0 + 1e-15


def test_ratios_are_added_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in SEEDS:
        case = Case(seed)
        terms = case.terms
        compiled = exact_sums(terms.sums, case.keys, terms.ideals)
        with monkeypatch.context() as patch:
            without(patch)
            plain = exact_sums(terms.sums, case.keys, terms.ideals)
        assert compiled == plain
        ratios = (terms.sums / terms.ideals).to_list()
        for key, total in compiled.items():
            mine = [ratio for ratio, of_key in zip(ratios, case.keys, strict=True) if of_key == key]
            assert float(total) == pytest.approx(math.fsum(mine), rel=1e-15)


def test_counts_are_added_by_ideal_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in SEEDS:
        chance = random.Random(seed)
        count, most = chance.choice([0, 1, 50]), chance.choice([3, 2**32 - 1])
        sums, ideals, keys = (
            pl.Series([chance.randint(low, high) for _ in range(count)], dtype=pl.UInt32)
            for low, high in ((0, 5), (1, most), (0, KEYS))
        )
        compiled = sorted(sums_by_ideal(Terms(sums, ideals), keys))
        with monkeypatch.context() as patch:
            without(patch)
            plain = sorted(sums_by_ideal(Terms(sums, ideals), keys))
        expected: dict[tuple[int, int], int] = {}
        for gain, ideal, key in zip(sums, ideals, keys, strict=True):
            expected[ideal, key] = expected.get((ideal, key), 0) + gain
        assert compiled == plain == sorted((*pair, n) for pair, n in expected.items() if n)
