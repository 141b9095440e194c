"""Sums the terms of a metric over queries: exactly for its values, and weighted for the influence
of each session.

Where the kernel was not compiled, Polars and Python compute the same in more time.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.runs import FEW_KEYS, sums_of_runs
from podium.scoring.kernel.structures import Squares, TermColumns
from podium.scoring.repeating import repeat

_SPLITS = 256  # a split is a byte
_FARTHEST = 1000


@dataclass(frozen=True)
class Terms:
    """The terms of a metric, query by query: the sum of gains and the ideal one, UInt32 where they
    are counts, else Float64. The metric is the mean of their ratios, if `is_mean`, or else the
    ratio of all sums, Σ above / Σ below."""

    sums: pl.Series
    ideals: pl.Series
    is_mean: bool = False

    @cached_property
    def above(self) -> pl.Series:
        """The contribution of each query to the numerator: its sum, or the ratio (Float64)."""
        return self.sums / self.ideals if self.is_mean else self.sums

    @cached_property
    def below(self) -> pl.Series:
        """Its contribution to the denominator: the ideal, or 1.0."""
        if not self.is_mean:
            return self.ideals
        return repeat(1.0, len(self.sums), pl.Float64)


@dataclass(frozen=True, slots=True)
class LinePerKey:
    """The key of each query (UInt32), and for each key the slope and the root of a line,
    Float64."""

    keys: pl.Series
    pull: pl.Series
    value: pl.Series


class TermArrays:
    """Sums, ideals (None: all are 1) and keys in the structure of C: `reference`, for as long as
    this lives."""

    def __init__(
        self, sums: pl.Series, ideals: pl.Series | None, keys: pl.Series, *, is_mean: bool = False
    ) -> None:
        sums, ideals = _numbers(sums), None if ideals is None else _numbers(ideals)
        self._sums, self._keys = Column(sums), Column(keys.cast(pl.UInt32))
        self._ideals = None if ideals is None else Column(ideals)
        self._structure = TermColumns(
            sums=self._sums.address,
            ideals=self._ideals and self._ideals.address,
            keys=self._keys.address,
            count=len(keys),
            sums_are_counts=sums.dtype == pl.UInt32,
            ideals_are_counts=ideals is not None and ideals.dtype == pl.UInt32,
            is_mean=is_mean,
        )
        self.reference = ctypes.byref(self._structure)

    @classmethod
    def of(cls, terms: Terms, keys: pl.Series) -> TermArrays:
        """Converts the terms of a metric."""
        return cls(terms.sums, terms.ideals, keys, is_mean=terms.is_mean)


def moves_of_runs(terms: Terms, of: LinePerKey, first: pl.Series) -> pl.Series:
    """Sums pull · (above − value · below) over each run, in their order, Float64.

    >>> line = LinePerKey(
    ...     pl.Series([0, 1, 1], dtype=pl.UInt32), pl.Series([1.0, 2.0]), pl.Series([0.5, 0.25])
    ... )
    >>> terms = Terms(pl.Series([1.0, 0.0, 1.0]), pl.Series([1.0, 2.0, 4.0]))
    >>> moves_of_runs(terms, line, pl.Series([0, 2], dtype=pl.UInt32)).to_list()
    [-0.5, 0.0]
    """
    functions, runs = kernel(), len(first)
    if functions is None:
        expected = of.value.gather(of.keys) * terms.below
        return sums_of_runs(of.pull.gather(of.keys) * (terms.above - expected), first)
    given, pull, value = TermArrays.of(terms, of.keys), Column(of.pull), Column(of.value)
    starts, sums = Column(first), Filled(pl.Float64, runs)
    functions.podium_add_moves(
        given.reference, pull.address, value.address, starts.address, runs, sums.address
    )
    return sums.column()


@dataclass(frozen=True, slots=True)
class Spread:
    """The sum of the squares of `count` numbers, divided by 4 ** `power`."""

    squares: float
    power: int
    count: int

    def standard_error(self) -> float | None:
        """Computes the root of n / (n − 1) · Σ squares; None for fewer than two numbers."""
        if self.count < 2:
            return None
        return math.ldexp(math.sqrt(self.squares * self.count / (self.count - 1)), self.power)


def spreads_of_moves(
    terms: Terms, of: LinePerKey, first: pl.Series, splits: pl.Series
) -> dict[int, Spread]:
    """Computes the spread by split (UInt8) of the sums of `moves_of_runs`, without storing
    these."""
    functions, runs = kernel(), len(first)
    if functions is None:
        return spreads(moves_of_runs(terms, of, first), splits)
    # Moves hardly exceed this power of two.
    above = _most(terms.sums) - (_least(terms.ideals) if terms.is_mean else 0)
    below = 0 if terms.is_mean else _most(terms.ideals)
    power = _within(_most(of.pull) + max(above, _most(of.value) + below))
    given, pull, value = TermArrays.of(terms, of.keys), Column(of.pull), Column(of.value)
    starts, sides, found = Column(first), Column(splits), (Squares * _SPLITS)()
    functions.podium_add_moves_squared(
        given.reference,
        pull.address,
        value.address,
        starts.address,
        sides.address,
        runs,
        math.ldexp(1.0, -power),
        found,
    )
    return {
        split: Spread(each.sum + each.rest, power, each.count)
        for split, each in enumerate(found)
        if each.count
    }


def spreads(numbers: pl.Series, splits: pl.Series) -> dict[int, Spread]:
    """Computes the spread by split (UInt8) of finite numbers, squared and added in their order. A
    large number does not affect the spreads of other splits.

    >>> spreads(pl.Series([3.0, 4.0]), pl.Series([2, 2], dtype=pl.UInt8))
    {2: Spread(squares=0.390625, power=3, count=2)}
    """
    return {split: _spread(numbers.filter(splits == split)) for split in splits.unique().sort()}


def _spread(numbers: pl.Series) -> Spread:
    power = _within(_most(numbers))
    scale, found = math.ldexp(1.0, -power), Squares()
    functions = kernel()
    if functions is not None:
        given = Column(numbers)
        functions.podium_add_squares(given.address, len(numbers), scale, ctypes.byref(found))
    else:
        for number in numbers:
            _add_square(found, number * scale)
    return Spread(found.sum + found.rest, power, found.count)


def sums_by_ideal(terms: Terms, keys: pl.Series) -> Iterator[tuple[int, int, int]]:
    """Yields each ideal and key with the sum of their counts, unless that is 0.

    >>> terms = Terms(*(pl.Series(each, dtype=pl.UInt32) for each in ([5, 1, 2], [3, 4, 3])))
    >>> sorted(sums_by_ideal(terms, pl.Series([7, 7, 7], dtype=pl.UInt32)))
    [(3, 7, 7), (4, 7, 1)]
    """
    functions = kernel()
    width, highest = _size(keys), _size(terms.ideals)
    if functions is None or highest * width > FEW_KEYS:
        table = pl.DataFrame(
            {"ideal": terms.ideals, "key": keys, "sum": terms.sums.cast(pl.UInt64)}
        )
        yield from table.group_by("ideal", "key").sum().filter(pl.col("sum") > 0).iter_rows()
        return
    given, sums = TermArrays.of(terms, keys), Array(8 * highest * width)
    functions.podium_add_by_ideal(given.reference, width, sums.address)
    for place, total in enumerate(memoryview(sums.bytes).cast("Q")):
        if total:
            yield *divmod(place, width), total


def _numbers(values: pl.Series) -> pl.Series:
    return values if values.dtype == pl.UInt32 else values.cast(pl.Float64)


def _size(numbers: pl.Series) -> int:
    return int(numbers.max() or 0) + 1  # type: ignore[arg-type] # the type of any maximum


def _add_square(to: Squares, number: float) -> None:
    """Adds a square by Neumaier's summation, as terms.c does."""
    square = number * number
    total = to.sum + square
    to.rest += to.sum - total + square if to.sum >= square else square - total + to.sum
    to.sum = total
    to.count += 1


def _most(numbers: pl.Series) -> int:
    """Returns an upper bound of the power of two of all absolute values."""
    if numbers.dtype == pl.UInt32:
        return 32
    return math.frexp(float(numbers.abs().max() or 0.0))[1]  # type: ignore[arg-type]


def _least(numbers: pl.Series) -> int:
    """Returns a lower bound of the power of two of all numbers, which are above 0."""
    if numbers.dtype == pl.UInt32:
        return 0
    return math.frexp(float(numbers.min() or 1.0))[1]  # type: ignore[arg-type]


def _within(power: int) -> int:
    """Limits the power of two by which numbers are divided so that squares fit in a float64: gains
    of 2**relevance can be huge. No bit of a result changes."""
    return min(max(power, -_FARTHEST), _FARTHEST)
