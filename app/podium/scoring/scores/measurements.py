"""Metrics of a submission of rows, each with its value and what moves it, and the verdict that is
made of them."""

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
    """The answers of a submission beside what is true."""

    @property
    def truth(self) -> TrueRows:
        """The truth of all rows."""

    def rows(self, position: int, metric: RowMetric, /) -> TargetRows:
        """The rows of an objective, as a metric takes them."""


@dataclass(frozen=True)
class Measurements(ABC):
    """Values and what moves them, by metric and objective, over the rows of a truth."""

    found: Mapping[Key, RowMeasure]
    truth: TrueRows

    @classmethod
    def of(cls, keys: Iterable[Key], answers: Answered) -> Self:
        """Measures each of these, once."""
        found: dict[Key, RowMeasure] = {}
        for name, position in dict.fromkeys(keys):
            metric = metric_of(name, answers.truth.task.kind)
            assert isinstance(metric, RowMetric)
            found[name, position] = metric.measure(answers.rows(position, metric))
        return cls(found, answers.truth)

    def weighted(
        self, metrics: Sequence[str], weights: Sequence[Fraction]
    ) -> tuple[dict[int, Fraction], Influence | None]:
        """Σ weight · value over the objectives, by split, each with a metric of its own, and what
        moves it; objectives with weights that are 0 take no part."""
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
        """The influence of the units that are drawn, by that of `TargetRows.units`."""

    def noted(self, split: int) -> dict[str, dict[str, dict[str, int]]]:
        """By metric, note and objective the counts of a split; metrics without notes are left
        out."""
        names, found = self.truth.task.names, dict[str, dict[str, dict[str, int]]]()
        for (metric, position), each in self.found.items():
            for note, counts in each.notes.items():
                found.setdefault(metric, {}).setdefault(note, {})[names[position]] = counts[split]
        return found

    def scores(self) -> dict[str, SplitScore]:
        """Everything that a verdict says about each split, by its name. There are no hits to count:
        `hits` and `denominators` are 0, and `queries` are the rows whose truth is known."""
        task = self.truth.task
        scoring = [objective.metric for objective in task.objectives]
        weights = [Fraction(objective.weight) for objective in task.objectives]
        signed = [
            weight if metric_of(metric, task.kind).higher_is_better else -weight
            for metric, weight in zip(scoring, weights, strict=True)
        ]
        sure = _errors(self.weighted(scoring, signed)[1])
        told = [name for name in task.diagnostics if (name, 0) in self.found]
        sure_of = {name: _errors(self.weighted([name] * len(weights), weights)[1]) for name in told}
        return {
            SPLIT_NAMES[split]: SplitScore(
                hits=dict.fromkeys(task.names, 0),
                denominators=dict.fromkeys(task.names, 0),
                queries=dict.fromkeys(task.names, rows),
                values=self._values(scoring, split),
                standard_error=sure.get(split),
                diagnostics={name: self._values([name] * len(weights), split) for name in told},
                diagnostic_errors={name: sure_of[name].get(split) for name in told},
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
