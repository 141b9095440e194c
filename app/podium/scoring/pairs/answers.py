"""The numbers of a submission beside what is true: everything that a metric of pairs is made
from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from podium.scoring.containers.parquet_files import read_parquet
from podium.scoring.pairs.placed import Placed
from podium.scoring.pairs.truth import TruePairs


@dataclass(frozen=True)
class Answers:
    """`numbers`: for each objective in order the number of every row of the truth, Float64."""

    numbers: tuple[pl.Series, ...]
    truth: TruePairs
    _parts: dict[int, list[ScoredPairs]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, numbers: Sequence[pl.Series], truth: TruePairs) -> Answers:
        """The answers of numbers for all published pairs, in their order."""
        if truth.frame.height == truth.pair_count:
            return cls(tuple(numbers), truth)
        return cls(tuple(each.gather(truth.pairs) for each in numbers), truth)

    def parts(self, position: int) -> list[ScoredPairs]:
        """The pairs of an objective, by groups where the task has some; those of every metric are
        the same, so that what one has found out about them serves the others."""
        if position not in self._parts:
            whole = self.of_objective(position)
            if self.truth.task.group_column:
                groups = self.truth.frame["group"]
                parts = [whole.only(groups == one) for one in self.truth.groups]
            else:
                parts = [whole]
            self._parts[position] = parts
        return self._parts[position]

    def of_objective(self, position: int) -> ScoredPairs:
        """The pairs as they are scored in one objective."""
        truth = self.truth
        return ScoredPairs(
            numbers=self.numbers[position],
            targets=truth.targets(position),
            side=truth.frame["split"],
            slots=truth.unit_slots,
            units=truth.units,
            splits=truth.splits,
        )

    def write(self, path: Path) -> None:
        """Stores the pairs' numbers as `query` and a column `number0` and so on for each
        objective, as Parquet."""
        named = {f"number{place}": each for place, each in enumerate(self.numbers)}
        frame = pl.DataFrame({"query": self.truth.pairs, **named})
        frame.write_parquet(path, compression="zstd", statistics=False)

    @classmethod
    def read(cls, path: Path, truth: TruePairs) -> Answers:
        """Inverse of `write`, under the same version of the ground truth. Raises ValueError for
        another one, whose pairs are not known to the file."""
        stored = read_parquet(path)
        if not stored["query"].equals(truth.pairs):
            raise ValueError("these answers belong to another version of the ground truth")
        if "error" in stored.columns:
            # Former versions kept the errors of ratings.
            return cls((stored["error"] + truth.targets(0),), truth)
        places = range(len(truth.task.objectives))
        return cls(tuple(stored[f"number{place}"] for place in places), truth)


@dataclass(frozen=True)
class ScoredPairs:
    """Pairs under one objective, row by row: `numbers` of the submission (Float64), `targets` of
    the truth (Float64 or UInt8), `side` (the split, UInt8) and `slots` (the row of the pair's unit
    in `units`, UInt32). `units` has `split` and `pairs`; `splits` are those that are scored."""

    numbers: pl.Series
    targets: pl.Series
    side: pl.Series
    slots: pl.Series
    units: pl.DataFrame
    splits: tuple[int, ...]

    @cached_property
    def placed(self) -> Placed:
        """The places of relevant pairs within their units."""
        return Placed.of(self.numbers, self.targets, self.slots, units=self.units.height)

    def only(self, rows: pl.Series) -> ScoredPairs:
        """The pairs for which a mask holds. Units keep their places, also those without a pair."""
        slots = self.slots.filter(rows)
        none = pl.zeros(self.units.height, dtype=pl.UInt32, eager=True)
        places, counts = slots.value_counts().get_columns()
        return replace(
            self,
            numbers=self.numbers.filter(rows),
            targets=self.targets.filter(rows),
            side=self.side.filter(rows),
            slots=slots,
            units=self.units.with_columns(pairs=none.scatter(places, counts)),
        )

    def part(self, start: int, length: int) -> ScoredPairs:
        """Some of the rows, beside all units."""
        return replace(
            self,
            numbers=self.numbers.slice(start, length),
            targets=self.targets.slice(start, length),
            side=self.side.slice(start, length),
            slots=self.slots.slice(start, length),
        )
