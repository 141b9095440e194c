"""Measures the metrics of a submission of rows, with values and influence, and combines them into a
verdict."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self

import polars as pl

from podium.scoring.metrics import RowMetric, metric_of
from podium.scoring.metrics.rows import RowMeasure
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.rows.truth import TrueRows
from podium.scoring.scores.result import SplitScore
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.uncertainty import Influence

Key = tuple[str, int]
"""The id of a metric, and the position of an objective."""


class Answered(Protocol):
    """The answers of a submission, with the truth."""

    @property
    def truth(self) -> TrueRows:
        """The truth of all rows."""

    def rows(self, position: int, metric: RowMetric, /) -> TargetRows:
        """Returns the rows of an objective in the form that a metric needs."""


@dataclass(frozen=True)
class Measurements(ABC):
    """Values and influence, by metric and objective, over the rows of a truth."""

    found: Mapping[Key, RowMeasure]
    truth: TrueRows

    @classmethod
    def of(cls, keys: Iterable[Key], answers: Answered) -> Self:
        """Measures each of these metrics once."""
        found: dict[Key, RowMeasure] = {}
        for name, position in dict.fromkeys(keys):
            metric = metric_of(name, answers.truth.task.kind)
            assert isinstance(metric, RowMetric)
            found[name, position] = metric.measure(answers.rows(position, metric))
        return cls(found, answers.truth)

    def weighted(
        self, metrics: Sequence[str], weights: Sequence[Fraction]
    ) -> tuple[dict[int, Fraction], Influence | None]:
        """Computes Σ weight · value over the objectives, by split, each with its own metric, and
        its influence; objectives with weight 0 are excluded."""
        keys = zip(metrics, range(len(metrics)), strict=True)
        parts = [(self.found[k], weight) for k, weight in zip(keys, weights, strict=True) if weight]
        values = {
            split: sum((weight * each.values[split] for each, weight in parts), Fraction(0))
            for split in self.truth.splits
        }
        z: pl.Series | None = None
        for each, weight in parts:
            if each.moves is None:
                return values, None
            moved = each.moves * float(weight)
            z = moved if z is None else z + moved
        return values, None if z is None else self.influence(z)

    @abstractmethod
    def influence(self, z: pl.Series) -> Influence:
        """Converts the influence of `TargetRows.units` to that of the sampling units."""

    def noted(self, split: int) -> dict[str, dict[str, dict[str, int]]]:
        """Collects by metric, note and objective the counts of a split; metrics without notes are
        omitted."""
        names, found = self.truth.task.names, dict[str, dict[str, dict[str, int]]]()
        for (metric, position), each in self.found.items():
            for note, counts in each.notes.items():
                found.setdefault(metric, {}).setdefault(note, {})[names[position]] = counts[split]
        return found

    def scores(self) -> dict[str, SplitScore]:
        """Computes all results of a verdict for each split, by its name. There are no hits to
        count: `hits` and `denominators` are 0, and `queries` are the rows whose truth is known."""
        task = self.truth.task
        scoring = [objective.metric for objective in task.objectives]
        weights = [Fraction(objective.weight) for objective in task.objectives]
        signed = [
            weight if metric_of(metric, task.kind).higher_is_better else -weight
            for metric, weight in zip(scoring, weights, strict=True)
        ]
        sure = _errors(self.weighted(scoring, signed)[1])
        measured = [name for name in task.diagnostics if (name, 0) in self.found]
        sure_of = {
            name: _errors(self.weighted([name] * len(weights), weights)[1]) for name in measured
        }
        return {
            SPLIT_NAMES[split]: SplitScore(
                hits=dict.fromkeys(task.names, 0),
                denominators=dict.fromkeys(task.names, 0),
                queries=dict.fromkeys(task.names, rows),
                values=self._values(scoring, split),
                standard_error=sure.get(split),
                diagnostics={name: self._values([name] * len(weights), split) for name in measured},
                diagnostic_errors={name: sure_of[name].get(split) for name in measured},
                notes=self.noted(split),
            )
            for split, rows in self.truth.totals.items()
        }

    def _values(self, metrics: Sequence[str], split: int) -> dict[str, Fraction]:
        return {
            name: self.found[metric, position].values[split]
            for position, (name, metric) in enumerate(
                zip(self.truth.task.names, metrics, strict=True)
            )
        }


def _errors(moved: Influence | None) -> dict[int, float | None]:
    return {} if moved is None else moved.standard_errors()
