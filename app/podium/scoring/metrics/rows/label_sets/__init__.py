"""Computes metrics of sets of labels: any number of labels for each row, without order."""

from podium.scoring.metrics.rows.base import RowMetric
from podium.scoring.metrics.rows.label_sets.ratios import (
    F1Macro,
    F1Micro,
    F1Samples,
    JaccardMacro,
    JaccardMicro,
    JaccardSamples,
    PrecisionMacro,
    PrecisionMicro,
    PrecisionSamples,
    RecallMacro,
    RecallMicro,
    RecallSamples,
)
from podium.scoring.metrics.rows.label_sets.sets import HammingLoss, SubsetAccuracy

LABEL_SET_METRICS: tuple[type[RowMetric], ...] = (
    PrecisionMicro,
    PrecisionMacro,
    PrecisionSamples,
    RecallMicro,
    RecallMacro,
    RecallSamples,
    F1Micro,
    F1Macro,
    F1Samples,
    JaccardMicro,
    JaccardMacro,
    JaccardSamples,
    HammingLoss,
    SubsetAccuracy,
)
"""The metrics of this family."""
