"""From hits to the numbers of a verdict: all metrics of the task, their standard errors.

Metrics are measured side by side, because most of what one does leaves a core idle. Nothing that
comes out depends on how many threads there are.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from app.scoring.ground_truth import GroundTruth
from app.scoring.hits import Hits
from app.scoring.metrics import ByObjective, Terms, metric_of
from app.scoring.result import SplitScore
from app.scoring.splits import SPLIT_NAMES
from app.scoring.uncertainty import Influence, influence

_THREADS = 3


@dataclass(frozen=True)
class Measured:
    """A metric over some hits: exact values, and the terms that they are made of."""

    values: ByObjective
    terms: Terms


def measure(metric_id: str, hits: Hits, truth: GroundTruth) -> Measured:
    """One metric over all queries, from hits that reach at least to its K."""
    metric = metric_of(metric_id)
    sums = metric.sums(hits)
    return Measured(metric.values_of(sums, truth), metric.terms_of(sums, truth))


def measured_score(hits: Hits, truth: GroundTruth) -> tuple[ByObjective, Influence]:
    """The value of each objective by its own metric, and how far each session moves the score."""
    of_metric = {
        objective.metric: measure(objective.metric, hits, truth)
        for objective in truth.task.objectives
    }
    measured = [of_metric[objective.metric] for objective in truth.task.objectives]
    values = {(split, place): measured[place].values[split, place] for split, place in truth.totals}
    return values, influence([each.terms for each in measured], values, truth)


def split_scores(hits: Hits, truth: GroundTruth) -> dict[str, SplitScore]:
    """Everything that a verdict says about each split, by its name."""
    task = truth.task
    # What all metrics share is made before they run side by side.
    _ = truth.query_keys, hits.ranks
    with ThreadPoolExecutor(_THREADS) as pool:
        scoring = pool.submit(measured_score, hits, truth)
        counting = pool.submit(hits.counts)
        found = pool.map(lambda metric: _diagnostic(metric, hits, truth), task.diagnostics)
        diagnostics = dict(zip(task.diagnostics, found, strict=True))
        values, moved = scoring.result()
        errors, counts = moved.standard_errors(), counting.result()
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
                metric: {name: of_metric[key] for name, key in keys.items()}
                for metric, (of_metric, _) in diagnostics.items()
            },
            diagnostic_errors={
                metric: its_errors[split] for metric, (_, its_errors) in diagnostics.items()
            },
        )
    return scores


def _diagnostic(
    metric: str, hits: Hits, truth: GroundTruth
) -> tuple[ByObjective, dict[int, float | None]]:
    """A metric's values, and the standard error of their weighted sum by split."""
    measured = measure(metric, hits, truth)
    terms = [measured.terms] * len(truth.task.objectives)
    moved = influence(terms, measured.values, truth)
    return measured.values, moved.standard_errors()
