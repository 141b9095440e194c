"""Combines answers with the truth, row by row, as input for metrics of pairs or of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import polars as pl

from podium.scoring.hints.texts import LARGEST_NUMBER
from podium.scoring.repeating import repeat
from podium.scoring.splits import ALL


@dataclass(frozen=True)
class TargetRows:
    """Truth and answers of the rows of one objective, in published order.

    `truth` has one column, or as many as `answers` under the same names (one-hot, or several
    targets), followed by the metric's `companions`, where the solution has them; `answers` has the
    objective's columns of a submission, in order. `side` is the split of each row (UInt8), and
    `slots` the row of its unit in `units` (UInt32); `units` has `split` and `pairs`, the number of
    rows (UInt32). `splits` are those that are scored. `weights` are positive, Float64; None weighs
    all rows equally. With `groups`, values are means over these.

    `starts` are the first rows of the parts that are summed separately: of each split, where they
    are concatenated.
    """

    truth: pl.DataFrame
    answers: pl.DataFrame
    side: pl.Series
    slots: pl.Series
    units: pl.DataFrame
    splits: tuple[int, ...]
    weights: pl.Series | None = None
    groups: pl.Series | None = None
    starts: tuple[int, ...] = (0,)

    @classmethod
    def of(cls, truth: pl.DataFrame, answers: pl.DataFrame, sizes: Mapping[int, int]) -> Self:
        """Creates rows that are units of their own, in splits of these sizes, one after the
        other."""
        sides = [repeat(n, size, pl.UInt8) for n, size in sizes.items()]
        units = pl.concat(sides, rechunk=True).alias("split").to_frame()
        ends = pl.Series(sizes.values()).cum_sum()
        return cls(
            truth=truth,
            answers=answers,
            side=units["split"],
            slots=pl.int_range(units.height, dtype=pl.UInt32, eager=True),
            units=units.with_columns(pairs=pl.lit(1, dtype=pl.UInt32)),
            splits=tuple(sizes),
            starts=(0, *ends.head(-1)),
        )

    @property
    def count(self) -> int:
        """The number of rows of all splits together."""
        return self.answers.height

    @cached_property
    def numbers(self) -> pl.Series:
        """The first column of answers, as numbers."""
        return number_of(self.answers.to_series())

    @cached_property
    def targets(self) -> pl.Series:
        """The first column of the truth, as numbers."""
        return number_of(self.truth.to_series())

    @cached_property
    def positive(self) -> pl.Series:
        """True where the first column of the truth is above 0."""
        column = self.truth.to_series()
        return column if column.dtype == pl.Boolean else column > 0

    @cached_property
    def placed(self) -> Placed:
        """The ranks of relevant rows within their units."""
        return Placed.of(self.numbers, self.truth.to_series(), self.slots, units=self.units.height)

    @cached_property
    def parts(self) -> Sequence[TargetRows]:
        """The rows of each group, in order. All metrics share them, so that cached properties are
        computed once."""
        assert self.groups is not None
        scored = self.groups.filter(self.side.is_in(self.splits)).unique().sort()
        return [self._of_group(self.groups == group) for group in scored]

    def _of_group(self, rows: pl.Series) -> TargetRows:
        """Selects the rows for which a mask holds. Units keep their indices, including those
        without a row."""
        part = replace(self.filtered(rows), groups=None)
        none = repeat(0, self.units.height, pl.UInt32)
        places, counts = part.slots.value_counts().get_columns()
        return replace(part, units=self.units.with_columns(pairs=none.scatter(places, counts)))

    def filtered(self, rows: pl.Series) -> TargetRows:
        """Selects the rows for which a mask holds, with all units."""
        return replace(
            self,
            truth=self.truth.filter(rows),
            answers=self.answers.filter(rows),
            side=self.side.filter(rows),
            slots=self.slots.filter(rows),
            weights=None if self.weights is None else self.weights.filter(rows),
            starts=(0,),
        )

    def of_split(self, split: int) -> TargetRows:
        """Selects the rows of one split, with all units."""
        rows = self.side == split
        return replace(self if rows.all() else self.filtered(rows), splits=(split,))

    def slice(self, start: int, length: int) -> TargetRows:
        """Selects consecutive rows, with all units."""
        return replace(
            self,
            truth=self.truth.slice(start, length),
            answers=self.answers.slice(start, length),
            side=self.side.slice(start, length),
            slots=self.slots.slice(start, length),
            weights=None if self.weights is None else self.weights.slice(start, length),
            starts=(0,),
        )


def rows_of(truth: Any, answers: Any, weights: Any = None) -> TargetRows:  # noqa: ANN401 - columns
    """Creates rows of one split and of units of their own, from columns by name or the only column:
    for notebooks and examples."""
    frames = (
        pl.DataFrame({"y": each} if isinstance(each, Sequence) else each)
        for each in (truth, answers)
    )
    true, given = frames
    weights = None if weights is None else pl.Series(weights, dtype=pl.Float64)
    return replace(TargetRows.of(true, given, {ALL: given.height}), weights=weights)


def number_of(column: pl.Series) -> pl.Series:
    """Converts a column of numbers to Float64. Those beyond ±1e100 are clipped, so that squares are
    finite."""
    numbers = column.cast(pl.Float64)
    least, most = numbers.min(), numbers.max()
    # The numbers of pairs are never beyond, and may be too many for a copy.
    if least is None or (least >= -LARGEST_NUMBER and most <= LARGEST_NUMBER):  # type: ignore[operator]
        return numbers
    return numbers.clip(-LARGEST_NUMBER, LARGEST_NUMBER)


@dataclass(frozen=True)
class Placed:
    """The ranks of relevant pairs. `relevant` has a row for each pair whose target is above 0, in
    the order of units and, within each, of ranks, the best first: `slot` (the row of its unit),
    `above` (how many candidates of the unit have a higher number), `tied` (how many have the same
    one, itself included), `run` (the id of its group of ties), all UInt32, and `target`.
    `candidates` and `positives` count for each unit its pairs and those that are relevant, UInt32.

    Tied pairs follow each other as they were published: the order of a submission's rows does not
    matter.
    """

    relevant: pl.DataFrame
    candidates: pl.Series
    positives: pl.Series

    @classmethod
    def of(cls, numbers: pl.Series, targets: pl.Series, slots: pl.Series, *, units: int) -> Placed:
        """Ranks pairs with these numbers, targets and units."""
        # Polars treats -0.0 and 0.0 as equal, in its order too.
        keys = pl.DataFrame({"slot": slots, "number": numbers})
        by_place = pl.arg_sort_by("slot", "number", descending=[False, True], maintain_order=True)
        order = keys.select(by_place).to_series()
        slots, numbers = keys["slot"].gather(order), keys["number"].gather(order)
        candidates = _counts(slots, units)
        begins = (slots != slots.shift(1)) | (numbers != numbers.shift(1))
        begins = begins.fill_null(value=True)
        first = begins.arg_true()
        targets = targets.gather(order)
        found = (targets > 0).arg_true()
        run = begins.cum_sum().gather(found).cast(pl.UInt32) - 1
        relevant = pl.DataFrame(
            {
                "slot": slots.gather(found),
                "above": first.gather(run),
                "tied": first.shift(-1, fill_value=len(slots)).gather(run),
                "run": run,
                "target": targets.gather(found),
            }
        )
        start = (candidates.cum_sum() - candidates).gather(relevant["slot"])
        relevant = relevant.with_columns(
            above=pl.col("above") - start, tied=pl.col("tied") - pl.col("above")
        )
        return cls(relevant, candidates, _counts(relevant["slot"], units))

    def with_runs(self) -> pl.DataFrame:
        """Selects the first relevant pair of each run, with `relevant`, the number of relevant
        pairs in the run, and `before`, their number above it in the unit, UInt32."""
        sizes = self.relevant["run"].rle().struct.field("len").cast(pl.UInt32)
        at = sizes.cum_sum() - sizes
        firsts = self.relevant[at]
        before = at - (self.positives.cum_sum() - self.positives).gather(firsts["slot"])
        return firsts.with_columns(relevant=sizes, before=before)


def _counts(slots: pl.Series, units: int) -> pl.Series:
    """Counts how often each unit occurs among sorted ones, UInt32."""
    runs = slots.rle().struct.unnest()
    nothing = repeat(0, units, pl.UInt32)
    return nothing.scatter(runs["value"], runs["len"].cast(pl.UInt32))
