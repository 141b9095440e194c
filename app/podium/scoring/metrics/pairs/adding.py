"""Sums over pairs by split and by unit, and ratios of two of them with what moves these.

Pairs are taken a slice at a time, so that memory stays bounded. Those of a submission stand in
published order, whatever the order of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from podium.scoring.metrics.pairs.base import PairMeasure
from podium.scoring.metrics.sums import exact_sums, sums_by_slot
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.splits import SPLIT_NAMES

SIDES = 1 + max(SPLIT_NAMES)
"""One more than the largest number of a split."""

_SLICE = 1 << 19

Values = Callable[[pl.Series, pl.Series], pl.Series]
"""Numbers and targets → values of at least 0, Float64."""


@dataclass(frozen=True)
class Sums:
    """Sums of values of at least 0: `by_split`, exact, without those that are 0; and `by_unit`
    (Float64), for each row of `ScoredPairs.units`."""

    by_split: dict[int, Fraction]
    by_unit: pl.Series


@dataclass(frozen=True)
class Ratio:
    """Σ above / Σ below by split, each rounded once, and what each unit moves it."""

    values: dict[int, float]
    moves: pl.Series


def slices(scored: ScoredPairs) -> Iterator[tuple[int, ScoredPairs]]:
    """The pairs, some at a time, each with the row of the first."""
    for start in range(0, len(scored.side), _SLICE):
        yield start, scored.part(start, _SLICE)


def added(scored: ScoredPairs, values: Values) -> Sums:
    """The sums of what a function makes of each pair."""
    by_split: dict[int, Fraction] = {}

    def parts() -> Iterator[tuple[pl.Series, pl.Series]]:
        for _, part in slices(scored):
            found = values(part.numbers, part.targets)
            for split, total in exact_sums(found, part.side).items():
                by_split[split] = by_split.get(split, Fraction(0)) + total
            yield part.slots, found

    by_unit = sums_by_slot(parts(), size=scored.units.height)
    return Sums(by_split, by_unit)


def pairs_of(scored: ScoredPairs) -> Sums:
    """The number of pairs."""
    counts = scored.units.group_by("split").agg(pl.col("pairs").cast(pl.UInt64).sum())
    by_split = {split: Fraction(count) for split, count in counts.iter_rows()}
    return Sums(by_split, scored.units["pairs"].cast(pl.Float64))


def positives_of(scored: ScoredPairs) -> Sums:
    """The number of pairs whose target is above 0."""
    return added(scored, lambda _, targets: (targets > 0).cast(pl.Float64))


def ratio(above: Sums, below: Sums, scored: ScoredPairs) -> Ratio:
    """The ratio of two sums.

    With a_u above and b_u below of a unit, it moves the ratio r by (a_u − r · b_u) / Σ b.
    """
    values, pull = {}, {}
    for split in scored.splits:
        total = below.by_split[split]
        values[split] = float(above.by_split.get(split, Fraction(0)) / total)
        pull[split] = float(1 / total)
    side = scored.units["split"]
    centred = above.by_unit - by_side(values, side) * below.by_unit
    return Ratio(values, by_side(pull, side) * centred)


def mean_over_units(
    values: pl.Series, weights: pl.Series, scored: ScoredPairs, *, left_out: str
) -> PairMeasure:
    """The mean of a finite value of each unit, by their weights (Float64). Those with the weight 0
    are left out, and the notes count, as `left_out`, which of them have pairs. Where a split has
    one other only, it is not known what moves the mean: one unit tells nothing of how others
    differ."""
    units, counted = scored.units, weights > 0
    side = units["split"]
    above, below = (Sums(exact_sums(each, side), each) for each in (weights * values, weights))
    mean = ratio(above, below, scored)
    sizes = dict(side.filter(counted).value_counts().iter_rows())
    others = dict(side.filter(~counted & (units["pairs"] > 0)).value_counts().iter_rows())
    return PairMeasure(
        {split: Fraction(value) for split, value in mean.values.items()},
        mean.moves if all(sizes[split] > 1 for split in scored.splits) else None,
        {left_out: {split: others.get(split, 0) for split in scored.splits}},
    )


def by_side(values: dict[int, float], side: pl.Series) -> pl.Series:
    """The value of the split of each row, and 0 for a split that has none."""
    return pl.Series([values.get(split, 0.0) for split in range(SIDES)]).gather(side)
