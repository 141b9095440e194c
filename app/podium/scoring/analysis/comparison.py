"""Two or more submissions side by side: each value with its interval, and every difference with its
standard error and p, corrected for the number of pairs.

Differences are paired, session by session, unit by unit where there are pairs, or row by row; all
must have been judged against the same ground truth. Splits of ranked lists with fewer than
`SMALL_SESSIONS` sessions, or with an objective that has fewer than `SMALL_DENOMINATOR` labels to
find, are drawn anew many times instead of trusting the closed form. A root mean square is no ratio
of sums: pairs always have the closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.kinds import Truth
from podium.scoring.metrics import RANK_METRICS, metric_of, pair_metric_of
from podium.scoring.metrics.pairs import PairMeasure
from podium.scoring.pairs.answers import Answers
from podium.scoring.pairs.split_scores import measure as pairs_of_metric
from podium.scoring.pairs.split_scores import weighted
from podium.scoring.split_scores import Measured, measure
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.tables.checks import built_in
from podium.scoring.tables.moves import TableMoves
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.uncertainty import LEVEL, Estimate, Influence, holm, influence
from podium.scoring.uncertainty.bootstrap import (
    REPLICATES,
    Ratio,
    estimate_of,
    patterns_of,
    replicates,
)

SMALL_SESSIONS = 2000
SMALL_DENOMINATOR = 200

_THREADS = 2
"""Submissions that are measured at a time, as one leaves a core idle most of the time."""

Document = dict[str, Any]

Judged = Hits | Answers | TableMoves
"""The stored result of a judging: hits of a ranking, the numbers of pairs, or of a table what each
row moves."""


@dataclass(frozen=True)
class Figure:
    """Something that is compared: the score, one objective alone, or a diagnostic metric. Each
    objective has the metric and the weight with which it takes part."""

    group: str
    name: str
    metrics: tuple[str, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class _Sample:
    """A figure of one submission: its value by split, what moves it, and for ranked lists what it
    is made of."""

    values: Mapping[int, Fraction]
    moved: Influence | None
    of_objectives: Sequence[Measured] = ()


def figures_of(task: Task) -> list[Figure]:
    """The score first, then every objective if there are several, then the diagnostics that are
    made from hits."""
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
        if task.is_of_pairs or _is_stored(metric, task)
    ]


def _is_stored(metric: str, task: Task) -> bool:
    """True for metrics of a table that are computed here, and for those of hits."""
    if task.is_of_tables:
        return metric in built_in(task, 0)
    return metric_of(metric).key in RANK_METRICS


def comparable(task: Task) -> Task:
    """The task without diagnostics that need more than what a judging has kept."""
    kept = (figure.name for figure in figures_of(task) if figure.group == "metrics")
    return replace(task, diagnostics=tuple(kept))


def read_judged(path: Path, truth: Truth) -> Judged:
    """Reads the stored result of a judging against its ground truth."""
    if isinstance(truth, TrueTable):
        return TableMoves.read(path, truth)
    return Hits.read(path, truth) if isinstance(truth, GroundTruth) else Answers.read(path, truth)


def compare(submissions: Sequence[Judged], truth: Truth) -> Document:
    """The comparison by split, JSON-ready: `{split: {"sessions", "method", "replicates",
    "submissions": [figures], "pairs": [{"first", "second", figures}]}}`.

    Figures are `{"score": …, "objectives": {name: …}, "metrics": {id: …}}` with `value`,
    `standard_error` and `interval` (95 %) each. Those of a pair are differences, the first minus
    the second, and have `p`, `p_holm` (over the pairs) and `better`: `first`, `second` or None.
    `method` is that of the score; a figure with too many kinds of sessions to draw from has the
    closed form by itself.
    """
    splits = {split: _empty(split, len(submissions), truth) for split in truth.splits}
    with ThreadPoolExecutor(_THREADS) as pool:
        for metrics, figures in groupby(figures_of(truth.task), key=attrgetter("metrics")):
            measured = list(pool.map(partial(_measured, metrics), submissions))
            for figure in figures:
                samples = list(pool.map(partial(_sample, figure), submissions, measured))
                for split, document in splits.items():
                    _add(document, figure, samples, split, truth)
    return {SPLIT_NAMES[split]: document for split, document in splits.items()}


def ties_with_first(
    first: Judged, others: Sequence[Judged], truth: Truth, *, split: str
) -> list[bool]:
    """True for each other submission whose score on a split could as well be the first one's: a
    paired difference of no more than `SIGMAS` standard errors."""
    number = next(split_of for split_of, name in SPLIT_NAMES.items() if name == split)
    score = figures_of(truth.task)[0]
    leader = _only_sample(score, first)
    ties = []
    for other in others:
        samples = [leader, _only_sample(score, other)]
        drawn = _replicates(score, samples, number, truth)
        difference = _estimates(samples, drawn, number, truth)((0, 1))
        ties.append(difference.p is None or difference.p >= LEVEL)
    return ties


def error_of_difference(first: Judged, second: Judged, truth: Truth, *, split: str) -> float | None:
    """The standard error of the paired difference of two scores on a split; None where the split
    says too little."""
    score = figures_of(truth.task)[0]
    number = next(split_of for split_of, name in SPLIT_NAMES.items() if name == split)
    samples = [_only_sample(score, first), _only_sample(score, second)]
    drawn = _replicates(score, samples, number, truth)
    return _estimates(samples, drawn, number, truth)((0, 1)).standard_error


def _is_small(split: int, truth: GroundTruth) -> bool:
    """True for a split that is too small for the closed form, and is bootstrapped where its
    sessions are of few enough kinds."""
    sessions = _sessions(split, truth)
    least = min(totals.denominator for (of, _), totals in truth.totals.items() if of == split)
    return sessions < SMALL_SESSIONS or least < SMALL_DENOMINATOR


def _sessions(split: int, truth: Truth) -> int:
    """The sampling units of a split: sessions that have labels, units that have pairs, or rows or
    clusters of a table."""
    if isinstance(truth, TrueTable):
        return truth.units(split)
    units = truth.sessions if isinstance(truth, GroundTruth) else truth.units
    return int((units["split"] == split).sum())


def _empty(split: int, count: int, truth: Truth) -> Document:
    return {
        "sessions": _sessions(split, truth),
        "method": "closed-form",
        "replicates": None,
        "submissions": [{} for _ in range(count)],
        "pairs": [{"first": a, "second": b} for a, b in combinations(range(count), 2)],
    }


ByMetric = Mapping[str, Measured] | Sequence[PairMeasure]
"""The metrics of a ranking by id, or those of pairs, one for each objective."""


def _measured(metrics: Sequence[str], judged: Judged) -> ByMetric:
    """The metrics that figures share; those of a table were measured before."""
    if isinstance(judged, TableMoves):
        return {}
    if isinstance(judged, Answers):
        found = map(pair_metric_of, metrics)
        return [pairs_of_metric(metric, judged, place) for place, metric in enumerate(found)]
    return {metric: measure(metric, judged, judged.truth) for metric in set(metrics)}


def _only_sample(figure: Figure, judged: Judged) -> _Sample:
    return _sample(figure, judged, _measured(figure.metrics, judged))


def _sample(figure: Figure, judged: Judged, measured: ByMetric) -> _Sample:
    if isinstance(judged, TableMoves):
        values, moved = judged.weighted(figure.metrics, _signed(figure))
        return _Sample(values, moved)
    if isinstance(judged, Answers):
        assert not isinstance(measured, Mapping)
        found = weighted(measured, _signed(figure), judged)
        return _Sample(found.values, found.moved)
    assert isinstance(measured, Mapping)
    truth = judged.truth
    of_objectives = [measured[metric] for metric in figure.metrics]
    exact = {key: of_objectives[key[1]].values[key] for key in truth.totals}
    values = dict.fromkeys(truth.splits, Fraction(0))
    for (split, position), value in exact.items():
        values[split] += figure.weights[position] * value
    terms = [each.terms for each in of_objectives]
    moved = influence(terms, exact, truth, weights=figure.weights)
    return _Sample(values, moved, of_objectives)


def _add(
    document: Document, figure: Figure, samples: list[_Sample], split: int, truth: Truth
) -> None:
    """Puts a figure into the document of its split, and with the score how it was estimated."""
    drawn = _replicates(figure, samples, split, truth)
    if drawn is not None and figure.group == "score":
        document.update(method="bootstrap", replicates=REPLICATES)
    estimates = _estimates(samples, drawn, split, truth)
    for place, described in enumerate(document["submissions"]):
        _put(described, figure, _described(estimates((place,))))
    differences = [estimates((pair["first"], pair["second"])) for pair in document["pairs"]]
    p_values = [1.0 if each.p is None else each.p for each in differences]
    for pair, difference, p_holm in zip(
        document["pairs"], differences, holm(p_values), strict=True
    ):
        is_higher = difference.value > 0
        ahead = "first" if is_higher == higher_is_better(figure) else "second"
        better = ahead if p_holm < LEVEL else None
        tested = {"p": difference.p, "p_holm": p_holm, "better": better}
        _put(pair, figure, _described(difference) | tested)


def higher_is_better(figure: Figure) -> bool:
    """True for all figures but errors. One to which errors contribute beside others counts them
    negative, as the score does."""
    return any(_directions(figure))


def _directions(figure: Figure) -> list[bool]:
    """True where more is better, for each objective that takes part."""
    taking_part = zip(figure.metrics, figure.weights, strict=True)
    return [metric_of(metric).higher_is_better for metric, weight in taking_part if weight]


def _signed(figure: Figure) -> list[Fraction]:
    """The weights, of errors negative where there are others beside them."""
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


def _described(estimate: Estimate) -> Document:
    return {
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        "interval": list(estimate.interval) if estimate.interval else None,
    }


def _estimates(
    samples: list[_Sample], drawn: list[pl.Series] | None, split: int, truth: Truth
) -> Callable[[tuple[int, ...]], Estimate]:
    """A function that estimates the value of one submission, or the difference of two: from
    replicates if there are any, else in closed form."""
    units = _sessions(split, truth)

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
    """The figure of each submission over sessions drawn anew; None where the split is not small, or
    has too many patterns."""
    if not isinstance(truth, GroundTruth) or not _is_small(split, truth):
        return None
    # A single session, drawn anew, is always the same: that says nothing of how sessions differ.
    if _sessions(split, truth) < 2:
        return None
    columns = dict(_columns(figure, samples, truth))
    table = pl.DataFrame(columns).filter(truth.sessions["split"] == split)
    patterns = patterns_of(table)
    if patterns is None:
        return None
    taking_part = [position for position, weight in enumerate(figure.weights) if weight]
    scores: list[list[Ratio]] = [
        [(f"above{n}-{t}", f"below{t}", float(figure.weights[t])) for t in taking_part]
        for n in range(len(samples))
    ]
    return replicates(patterns, scores)


def _columns(
    figure: Figure, samples: list[_Sample], truth: GroundTruth
) -> Iterator[tuple[str, pl.Series]]:
    """Numerators of every submission and denominators by session, for each objective that takes
    part."""
    query = truth.queries["query"]
    session = (query // len(figure.weights)).rle_id()
    for position, weight in enumerate(figure.weights):
        if weight:
            its_own = query % len(figure.weights) == position
            rows = session.filter(its_own)
            terms = [sample.of_objectives[position].terms for sample in samples]
            named = {f"below{position}": terms[0].below}
            named |= {f"above{number}-{position}": each.above for number, each in enumerate(terms)}
            for name, values in named.items():
                by_session = pl.zeros(truth.sessions.height, dtype=pl.Float64, eager=True)
                its_values = values.filter(its_own).cast(pl.Float64)
                yield name, by_session.scatter(rows, its_values)
