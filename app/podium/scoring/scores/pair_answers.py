"""Combines the numbers of a submission with the true pairs, as input for metrics of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

import polars as pl

from podium.scoring.metrics import RowMetric
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.parquet.files import read_parquet
from podium.scoring.scores.measurements import Key, Measurements
from podium.scoring.task import Task
from podium.scoring.uncertainty import Influence


@dataclass(frozen=True)
class Answers:
    """The answers of a submission of pairs. `numbers`: for each objective in order the number of
    every row of the truth, Float64."""

    numbers: tuple[pl.Series, ...]
    truth: TruePairs
    _rows: dict[int, TargetRows] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, numbers: Sequence[pl.Series], truth: TruePairs) -> Answers:
        """Selects the answers from numbers for all published pairs, in their order."""
        if truth.frame.height == truth.row_count:
            return cls(tuple(numbers), truth)
        return cls(tuple(each.gather(truth.pairs) for each in numbers), truth)

    def rows(self, position: int, _: RowMetric | None = None, /) -> TargetRows:
        """Returns the pairs of an objective, the same for every metric, with their groups where the
        task has any."""
        if position not in self._rows:
            groups = self.truth.frame["group"] if self.truth.task.group_column else None
            self._rows[position] = replace(self.of_objective(position), groups=groups)
        return self._rows[position]

    def of_objective(self, position: int) -> TargetRows:
        """Returns the pairs of an objective, without their groups."""
        truth = self.truth
        return TargetRows(
            truth=truth.targets(position).to_frame(),
            answers=self.numbers[position].to_frame(),
            side=truth.frame["split"],
            slots=truth.unit_slots,
            units=truth.units,
            splits=truth.splits,
        )

    def write(self, path: Path) -> None:
        """Stores the pairs' numbers as Parquet: `query` and a column `number0` and so on for each
        objective."""
        named = {f"number{place}": each for place, each in enumerate(self.numbers)}
        frame = pl.DataFrame({"query": self.truth.pairs, **named})
        frame.write_parquet(path, compression="zstd", statistics=False)

    @classmethod
    def read(cls, path: Path, truth: TruePairs) -> Answers:
        """Reads stored numbers, with the same version of the ground truth. Raises ValueError for
        another one, whose pairs differ."""
        stored = read_parquet(path)
        if not stored["query"].equals(truth.pairs):
            raise ValueError("these answers belong to another version of the ground truth")
        if "error" in stored.columns:
            # Former versions stored the errors of ratings.
            return cls((stored["error"] + truth.targets(0),), truth)
        places = range(len(truth.task.objectives))
        return cls(tuple(stored[f"number{place}"] for place in places), truth)


@dataclass(frozen=True)
class PairMeasurements(Measurements):
    """Values and influence over pairs, whose units are sampled."""

    truth: TruePairs

    def influence(self, z: pl.Series) -> Influence:
        """Returns the influence of units unchanged."""
        return Influence(z, self.truth.units["split"])


def keys_of(task: Task) -> list[Key]:
    """Lists the metrics of a task of pairs, those that score first."""
    scoring = [(objective.metric, place) for place, objective in enumerate(task.objectives)]
    return [*scoring, *product(task.diagnostics, range(len(scoring)))]
