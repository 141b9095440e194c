"""Compares two or more submissions: each value with its interval, and every difference with its
standard error and p, corrected for the number of pairs.

Differences are paired, session by session, unit by unit where there are pairs, or row by row; all
must have been judged against the same ground truth. Small splits are bootstrapped where the kind of
task supports it: a root mean square is not a ratio of sums, and always has the closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby
from operator import attrgetter
from typing import Any

import polars as pl

from podium.scoring.engine import Kept, Truth, engine_of
from podium.scoring.engine.base import Weighable
from podium.scoring.metrics import metric_of
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task
from podium.scoring.uncertainty import LEVEL, Estimate, Influence, tested
from podium.scoring.uncertainty.bootstrap import REPLICATES, estimate_of

_THREADS = 2
"""Submissions that are measured in parallel, as one leaves a core idle most of the time."""

Document = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """A value that is compared: the score, one objective alone, or a diagnostic metric. `metrics`
    and `weights` are those of each objective."""

    group: str
    name: str
    metrics: tuple[str, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class _Sample:
    """A figure of one submission: its value by split, its influence, and the measurements behind
    it."""

    values: Mapping[int, Fraction]
    moved: Influence | None
    made_of: Weighable


def figures_of(task: Task) -> list[Figure]:
    """Lists the score first, then every objective if there are several, then the diagnostics that
    can be computed from the stored part of a judging."""
    keeps = engine_of(task).keeps
    weights = tuple(Fraction(objective.weight) for objective in task.objectives)
    scoring = tuple(objective.metric for objective in task.objectives)
    figures = [Figure("score", "", scoring, weights)]
    if len(scoring) > 1:
        figures += [
            Figure("objectives", name, scoring, tuple(Fraction(name == o) for o in task.names))
            for name in task.names
        ]
    return figures + [
        Figure("metrics", metric, (metric,) * len(scoring), weights)
        for metric in task.diagnostics
        if keeps(metric, task)
    ]


def comparable(task: Task) -> Task:
    """Drops the diagnostics of a task that need more than the stored part of a judging."""
    kept = (figure.name for figure in figures_of(task) if figure.group == "metrics")
    return replace(task, diagnostics=tuple(kept))


def compare(submissions: Sequence[Kept], truth: Truth) -> Document:
    """Compares submissions by split, JSON-ready: `{split: {"sessions", "method", "replicates",
    "submissions": [figures], "pairs": [{"first", "second", figures}]}}`.

    Figures are `{"score": …, "objectives": {name: …}, "metrics": {id: …}}` with `value`,
    `standard_error` and `interval` (95 %) each. Those of a pair are differences, the first minus
    the second, and have `p`, `p_holm` (over the pairs) and `better`: `first`, `second` or None.
    `method` is that of the score; a figure with too many kinds of sessions to draw from has the
    closed form nevertheless.
    """
    splits = {split: _empty(split, len(submissions), truth) for split in truth.splits}
    with ThreadPoolExecutor(_THREADS) as pool:
        for metrics, figures in groupby(figures_of(truth.task), key=attrgetter("metrics")):
            measure = partial(engine_of(truth.task).measure, metrics)
            measured = list(pool.map(measure, submissions))
            for figure in figures:
                samples = list(pool.map(partial(_sample, figure), measured))
                for split, document in splits.items():
                    _add(document, figure, samples, split, truth)
    return {SPLIT_NAMES[split]: document for split, document in splits.items()}


def ties_with_first(first: Kept, others: Sequence[Kept], truth: Truth, *, split: str) -> list[bool]:
    """True for each other submission whose score on a split is a statistical tie with the first
    one's: a paired difference of no more than `SIGMAS` standard errors."""
    differences = _score_differences(first, others, truth, split=split)
    return [difference.p is None or difference.p >= LEVEL for difference in differences]


def error_of_difference(first: Kept, second: Kept, truth: Truth, *, split: str) -> float | None:
    """Computes the standard error of the paired difference of two scores on a split; None where the
    split has too little data."""
    return next(_score_differences(first, [second], truth, split=split)).standard_error


def _score_differences(
    first: Kept, others: Sequence[Kept], truth: Truth, *, split: str
) -> Iterator[Estimate]:
    number = next(split_of for split_of, name in SPLIT_NAMES.items() if name == split)
    score = figures_of(truth.task)[0]
    leader = _only_sample(score, first, truth)
    for other in others:
        samples = [leader, _only_sample(score, other, truth)]
        drawn = _replicates(score, samples, number, truth)
        yield _estimates(samples, drawn, number, truth)((0, 1))


def _empty(split: int, count: int, truth: Truth) -> Document:
    return {
        "sessions": truth.unit_count(split),
        "method": "closed-form",
        "replicates": None,
        "submissions": [{} for _ in range(count)],
        "pairs": [{"first": a, "second": b} for a, b in combinations(range(count), 2)],
    }


def _only_sample(figure: Figure, judged: Kept, truth: Truth) -> _Sample:
    return _sample(figure, engine_of(truth.task).measure(figure.metrics, judged))


def _sample(figure: Figure, measured: Weighable) -> _Sample:
    return _Sample(*measured.weighted(figure.metrics, _signed(figure)), measured)


def _add(
    document: Document, figure: Figure, samples: list[_Sample], split: int, truth: Truth
) -> None:
    """Adds a figure to the document of its split, and for the score the method of estimation."""
    drawn = _replicates(figure, samples, split, truth)
    if drawn is not None and figure.group == "score":
        document.update(method="bootstrap", replicates=REPLICATES)
    estimates = _estimates(samples, drawn, split, truth)
    for place, described in enumerate(document["submissions"]):
        _put(described, figure, estimates((place,)).to_dict())
    differences = [estimates((pair["first"], pair["second"])) for pair in document["pairs"]]
    described = tested(differences, higher_is_better=higher_is_better(figure))
    for pair, difference in zip(document["pairs"], described, strict=True):
        _put(pair, figure, difference)


def higher_is_better(figure: Figure) -> bool:
    """True for all figures except errors. One that combines errors with other metrics counts errors
    as negative, like the score."""
    return any(_directions(figure))


def _directions(figure: Figure) -> list[bool]:
    """True where higher is better, for each objective with a weight."""
    taking_part = zip(figure.metrics, figure.weights, strict=True)
    return [metric_of(metric).higher_is_better for metric, weight in taking_part if weight]


def _signed(figure: Figure) -> list[Fraction]:
    """Computes the weights, negative for errors where other metrics contribute beside them."""
    if len(set(_directions(figure))) < 2:
        return list(figure.weights)
    return [
        weight if metric_of(metric).higher_is_better else -weight
        for metric, weight in zip(figure.metrics, figure.weights, strict=True)
    ]


def _put(described: Document, figure: Figure, value: Document) -> None:
    if figure.name:
        described.setdefault(figure.group, {})[figure.name] = value
    else:
        described[figure.group] = value


def _estimates(
    samples: list[_Sample], drawn: list[pl.Series] | None, split: int, truth: Truth
) -> Callable[[tuple[int, ...]], Estimate]:
    """Returns a function that estimates the value of one submission, or the difference of two: from
    bootstrap replicates if there are any, otherwise in closed form."""
    units = truth.unit_count(split)

    def estimate(places: tuple[int, ...]) -> Estimate:
        first, *rest = (samples[place] for place in places)
        value = float(first.values[split] - sum(other.values[split] for other in rest))
        if drawn is not None:
            values, *others = (drawn[place] for place in places)
            return estimate_of(value, values - others[0] if others else values, units)
        if any(sample.moved is None for sample in (first, *rest)):
            return Estimate(value, None, None, units)
        moved = first.moved - rest[0].moved if rest else first.moved  # type: ignore[operator]
        return Estimate.closed_form(value, moved.standard_errors()[split], units)  # type: ignore[union-attr]

    return estimate


def _replicates(
    figure: Figure, samples: list[_Sample], split: int, truth: Truth
) -> list[pl.Series] | None:
    """Computes bootstrap replicates of the figure for each submission; None where the closed form
    is better, or the only method."""
    made_of = [sample.made_of for sample in samples]
    return engine_of(truth.task).redraw(made_of, figure.metrics, figure.weights, split)
