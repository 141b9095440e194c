"""From errors to the numbers of a verdict: every metric of the task, with its standard error."""

from __future__ import annotations

from fractions import Fraction

import polars as pl

from podium.scoring.metrics import rating_metric_of
from podium.scoring.metrics.rating import RatingMetric
from podium.scoring.metrics.sums import exact_sums
from podium.scoring.ratings.errors import Errors
from podium.scoring.result import SplitScore
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.uncertainty import Influence


def rating_influence(metric: RatingMetric, errors: Errors, weight: Fraction) -> Influence:
    """The influence of each user on weight · value.

    The user is the sampling unit. With L_u losses summed over the n_u pairs of a user, and their
    mean over all pairs μ = Σ L / Σ n, it is z_u = weight · slope / Σ n · (L_u − μ · n_u), where
    the slope of a root mean square is 1 / (2 · rmse).
    """
    users, terms = errors.truth.users, metric.terms(errors)
    pull, mean = [0.0] * (1 + max(SPLIT_NAMES)), [0.0] * (1 + max(SPLIT_NAMES))
    totals = exact_sums(terms.above, users["split"])
    for split, pairs in errors.truth.totals.items():
        if split in totals:
            mean[split] = float(totals[split] / pairs)
            pull[split] = float(weight) * metric.slope(metric.of_mean(mean[split])) / pairs
    side = users["split"]
    z = pl.Series(pull).gather(side) * (terms.above - pl.Series(mean).gather(side) * terms.below)
    return Influence(z, side)


def rating_scores(errors: Errors) -> dict[str, SplitScore]:
    """Everything that a verdict says about each split, by its name. There are no hits to count:
    `hits` and `denominators` are 0, and `queries` are the rated pairs."""
    truth = errors.truth
    task = truth.task
    objective = task.objectives[0]
    metrics = {metric: rating_metric_of(metric) for metric in task.metrics}
    values = {name: metric.compute(errors) for name, metric in metrics.items()}
    weight = Fraction(objective.weight)
    sure = {
        name: rating_influence(metric, errors, weight).standard_errors()
        for name, metric in metrics.items()
    }
    only = objective.name
    return {
        SPLIT_NAMES[split]: SplitScore(
            hits={only: 0},
            denominators={only: 0},
            queries={only: pairs},
            values={only: values[objective.metric][split]},
            standard_error=sure[objective.metric][split],
            diagnostics={name: {only: values[name][split]} for name in task.diagnostics},
            diagnostic_errors={name: sure[name][split] for name in task.diagnostics},
            notes={},
        )
        for split, pairs in truth.totals.items()
    }
