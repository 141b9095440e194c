"""Computes the numbers of a verdict from hits: all metrics of the task, and their standard errors.

Metrics are computed in parallel, because a single one leaves a core idle most of the time. No
result depends on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

from podium.scoring.hits import Hits
from podium.scoring.metrics import ByObjective, Notes, Terms, rank_metric_of
from podium.scoring.scores.result import SplitScore
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.uncertainty import Influence, influence, standard_errors

_THREADS = 3

Errors = Mapping[int, float | None]
"""Standard errors by split; None where a metric has none."""


@dataclass(frozen=True)
class Measured:
    """A metric over some hits: exact values, and their terms."""

    values: ByObjective
    terms: Terms


def measure(metric_id: str, hits: Hits, truth: GroundTruth) -> Measured:
    """Measures one metric over all queries, from hits that reach at least to its K."""
    metric = rank_metric_of(metric_id)
    terms = metric.terms(hits, truth)
    return Measured(metric.values_of(terms, truth), terms)


@dataclass(frozen=True)
class ListMeasurements:
    """Metrics over the hits of a submission, by their ids."""

    found: Mapping[str, Measured]
    truth: GroundTruth

    @classmethod
    def of(cls, metrics: Iterable[str], hits: Hits) -> ListMeasurements:
        """Measures each of these metrics once."""
        found = {metric: measure(metric, hits, hits.truth) for metric in set(metrics)}
        return cls(found, hits.truth)

    def weighted(
        self, metrics: Sequence[str], weights: Sequence[Fraction]
    ) -> tuple[dict[int, Fraction], Influence]:
        """Computes Σ weight · value over the objectives, by split, each with its own metric, and
        the influence of each session."""
        of_objectives = [self.found[metric] for metric in metrics]
        exact = {key: of_objectives[key[1]].values[key] for key in self.truth.totals}
        values = dict.fromkeys(self.truth.splits, Fraction(0))
        for (split, position), value in exact.items():
            values[split] += weights[position] * value
        terms = [each.terms for each in of_objectives]
        return values, influence(terms, exact, self.truth, weights=weights)


def measured_score(hits: Hits, truth: GroundTruth) -> tuple[ByObjective, list[Terms]]:
    """Computes the value of each objective by its own metric, and its terms."""
    # Objectives mostly share one metric, which measures all of them at once.
    shared = dict.fromkeys(objective.metric for objective in truth.task.objectives)
    of_metric = {metric: measure(metric, hits, truth) for metric in shared}
    measured = [of_metric[objective.metric] for objective in truth.task.objectives]
    values = {(split, place): measured[place].values[split, place] for split, place in truth.totals}
    return values, [each.terms for each in measured]


def _scored(hits: Hits, truth: GroundTruth) -> tuple[ByObjective, Errors]:
    values, terms = measured_score(hits, truth)
    return values, standard_errors(terms, values, truth)


def split_scores(hits: Hits, truth: GroundTruth) -> dict[str, SplitScore]:
    """Computes all results of a verdict for each split, by its name."""
    task = truth.task
    # What all metrics share is computed before they run in parallel.
    _ = [hits.per_query(k) for k in set(truth.depths)]
    with ThreadPoolExecutor(_THREADS) as pool:
        scoring = pool.submit(_scored, hits, truth)
        counting = pool.submit(hits.counts)
        diagnostics = list(
            pool.map(lambda metric: _diagnostic(metric, hits, truth), task.diagnostics)
        )
        (values, errors), counts = scoring.result(), counting.result()
    scores = {}
    for split in truth.splits:
        keys = {objective.name: (split, place) for place, objective in enumerate(task.objectives)}
        scores[SPLIT_NAMES[split]] = SplitScore(
            hits={name: counts.get(key, 0) for name, key in keys.items()},
            denominators={name: truth.totals[key].denominator for name, key in keys.items()},
            queries={name: truth.totals[key].queries for name, key in keys.items()},
            values={name: values[key] for name, key in keys.items()},
            standard_error=errors[split],
            diagnostics={
                one.metric: {name: one.values[key] for name, key in keys.items()}
                for one in diagnostics
            },
            diagnostic_errors={one.metric: one.errors[split] for one in diagnostics},
            notes={
                one.metric: {
                    note: {name: counts[key] for name, key in keys.items()}
                    for note, counts in one.notes.items()
                }
                for one in diagnostics
                if one.notes
            },
        )
    return scores


@dataclass(frozen=True)
class _DiagnosticValues:
    """The values of a diagnostic metric: `errors` by split are those of the weighted sum of its
    values."""

    metric: str
    values: ByObjective
    errors: Errors
    notes: Notes


def _diagnostic(metric_id: str, hits: Hits, truth: GroundTruth) -> _DiagnosticValues:
    metric = rank_metric_of(metric_id)
    notes = metric.notes(hits, truth)
    if not metric.is_mean:
        values, errors = metric.compute(hits, truth), dict.fromkeys(truth.splits)
        return _DiagnosticValues(metric_id, values, errors, notes)
    measured = measure(metric_id, hits, truth)
    terms = [measured.terms] * len(truth.task.objectives)
    errors = standard_errors(terms, measured.values, truth)
    return _DiagnosticValues(metric_id, measured.values, errors, notes)
