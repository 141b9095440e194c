"""Metrics of numbers for published pairs: one family per file; a metric is a frozen value, and its
docstring is its specification. A new one is added here and nowhere else."""

from __future__ import annotations

import re

from podium.scoring.metrics.pairs.areas import AreaUnderCurve, MeanArea, WeightedMeanArea
from podium.scoring.metrics.pairs.base import PairMeasure, PairMetric
from podium.scoring.metrics.pairs.calibration import CalibrationError
from podium.scoring.metrics.pairs.decisions import Accuracy, BinaryF1
from podium.scoring.metrics.pairs.errors import MeanAbsoluteError, RootMeanSquaredError
from podium.scoring.metrics.pairs.precision import AveragePrecisionOfPairs, PrecisionRecallArea
from podium.scoring.metrics.pairs.probabilities import (
    BrierScore,
    LogLoss,
    NormalizedEntropy,
    RelativeCrossEntropy,
)
from podium.scoring.metrics.pairs.ranking import (
    AveragePrecisionOfQueries,
    ExponentialGainOfCandidates,
    GainOfCandidates,
    HitAmongCandidates,
    ReciprocalRankOfAll,
    ReciprocalRankOfFirst,
)

PAIR_METRICS: dict[str, type[PairMetric]] = {
    metric.key: metric
    for metric in (
        MeanAbsoluteError,
        RootMeanSquaredError,
        AreaUnderCurve,
        MeanArea,
        WeightedMeanArea,
        AveragePrecisionOfPairs,
        PrecisionRecallArea,
        LogLoss,
        NormalizedEntropy,
        RelativeCrossEntropy,
        BrierScore,
        CalibrationError,
        Accuracy,
        BinaryF1,
        ReciprocalRankOfFirst,
        ReciprocalRankOfAll,
        GainOfCandidates,
        ExponentialGainOfCandidates,
        HitAmongCandidates,
        AveragePrecisionOfQueries,
    )
}
"""Every metric of pairs by its name without parameter."""

_F1 = re.compile(f"{BinaryF1.key}_([0-9]{{2}})")
"""The name of F1 with its threshold."""


def pair_metric_of(metric_id: str) -> PairMetric:
    """The metric of pairs with this id. Raises ValueError for any other."""
    with_threshold = _F1.fullmatch(metric_id)
    if with_threshold is not None:
        return BinaryF1(int(with_threshold[1]))
    found = re.fullmatch(r"([a-z][a-z0-9_]*)(?:@(\d+(?:\.\d+)?))?", metric_id)
    if found is None or found[1] not in PAIR_METRICS:
        known = ", ".join(PAIR_METRICS)
        raise ValueError(f"{metric_id!r} does not measure numbers of pairs: there are {known}")
    return PAIR_METRICS[found[1]].made(found[2])


def pair_key_of(metric_id: str) -> str:
    """The name without parameter of the metric of pairs that an id means, if there is one.

    >>> pair_key_of("f1_binary_30"), pair_key_of("rmse")
    ('f1_binary', 'rmse')
    """
    return BinaryF1.key if _F1.fullmatch(metric_id) else metric_id.partition("@")[0]


__all__ = ["PAIR_METRICS", "PairMeasure", "PairMetric", "pair_key_of", "pair_metric_of"]
