"""From answers to the numbers of a verdict: every metric of the task, with its standard error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from podium.scoring.metrics.pairs import PairMeasure, pair_metric_of
from podium.scoring.metrics.pairs.base import PairMetric
from podium.scoring.pairs.answers import Answers
from podium.scoring.result import SplitScore
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task
from podium.scoring.uncertainty import Influence


def measure(metric: PairMetric, answers: Answers, position: int) -> PairMeasure:
    """One metric over the pairs of one objective; where the task has groups, the plain mean of its
    values in each."""
    first, *others = (metric.measure(part) for part in answers.parts(position))
    return _mean([first, *others]) if others else first


def _mean(parts: Sequence[PairMeasure]) -> PairMeasure:
    moves: pl.Series | None = None
    if all(part.moves is not None for part in parts):
        moves = sum(part.moves for part in parts) / len(parts)  # type: ignore[misc, assignment]
    splits = parts[0].values
    values = {
        split: sum((part.values[split] for part in parts), Fraction(0)) / len(parts)
        for split in splits
    }
    notes = {
        name: {split: sum(part.notes[name][split] for part in parts) for split in splits}
        for name in parts[0].notes
    }
    return PairMeasure(values, moves, notes)


@dataclass(frozen=True)
class Weighted:
    """Σ weight · value over the objectives, by split, and what moves it; None where that is not
    known of one of them."""

    values: Mapping[int, Fraction]
    moved: Influence | None


def weighted(
    measured: Sequence[PairMeasure], weights: Sequence[Fraction], answers: Answers
) -> Weighted:
    """Objectives with weights that are 0 take no part."""
    taking_part = [(m, w) for m, w in zip(measured, weights, strict=True) if w]
    splits = answers.truth.splits
    values = {
        split: sum((w * m.values[split] for m, w in taking_part), Fraction(0)) for split in splits
    }
    units = answers.truth.units
    z = pl.zeros(units.height, dtype=pl.Float64, eager=True)
    for each, weight in taking_part:
        if each.moves is None:
            return Weighted(values, None)
        z = z + float(weight) * each.moves
    return Weighted(values, Influence(z, units["split"]))


def pair_scores(answers: Answers) -> dict[str, SplitScore]:
    """Everything that a verdict says about each split, by its name. There are no hits to count:
    `hits` and `denominators` are 0, and `queries` are the pairs whose truth is known."""
    truth, task = answers.truth, answers.truth.task
    metrics = {metric: pair_metric_of(metric) for metric in task.metrics}
    places = range(len(task.objectives))
    scoring = [measure(metrics[o.metric], answers, p) for p, o in enumerate(task.objectives)]
    diagnostics = {
        name: [measure(metrics[name], answers, place) for place in places]
        for name in task.diagnostics
    }
    weights = [Fraction(objective.weight) for objective in task.objectives]
    signed = [
        weight if metrics[o.metric].higher_is_better else -weight
        for weight, o in zip(weights, task.objectives, strict=True)
    ]
    sure = _errors(weighted(scoring, signed, answers))
    sure_of = {
        name: _errors(weighted(each, weights, answers)) for name, each in diagnostics.items()
    }
    return {
        SPLIT_NAMES[split]: SplitScore(
            hits=dict.fromkeys(task.names, 0),
            denominators=dict.fromkeys(task.names, 0),
            queries=dict.fromkeys(task.names, pairs),
            values=_values(scoring, split, task.names),
            standard_error=sure.get(split),
            diagnostics={
                name: _values(each, split, task.names) for name, each in diagnostics.items()
            },
            diagnostic_errors={name: sure_of[name].get(split) for name in task.diagnostics},
            notes=_notes(scoring, diagnostics, split, task),
        )
        for split, pairs in truth.totals.items()
    }


def _values(
    measured: Sequence[PairMeasure], split: int, names: Sequence[str]
) -> dict[str, Fraction]:
    return {name: each.values[split] for name, each in zip(names, measured, strict=True)}


def _notes(
    scoring: Sequence[PairMeasure],
    diagnostics: Mapping[str, Sequence[PairMeasure]],
    split: int,
    task: Task,
) -> dict[str, dict[str, dict[str, int]]]:
    """By metric, note and objective the counts of a split; metrics without notes are left out."""
    measured = [(o.metric, o.name, one) for o, one in zip(task.objectives, scoring, strict=True)]
    for metric, each in diagnostics.items():
        measured += [(metric, name, one) for name, one in zip(task.names, each, strict=True)]
    found: dict[str, dict[str, dict[str, int]]] = {}
    for metric, name, one in measured:
        for note, counts in one.notes.items():
            found.setdefault(metric, {}).setdefault(note, {})[name] = counts[split]
    return found


def _errors(score: Weighted) -> Mapping[int, float | None]:
    return {} if score.moved is None else score.moved.standard_errors()
