"""Rows of tables as metrics take them, from lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from podium.scoring.metrics.tables import TargetRows, table_metric_of


def target_rows(truth: Any, answers: Any, weights: Sequence[float] | None = None) -> TargetRows:
    """Rows of a truth and answers, each a list (of the column `y`) or columns by name."""
    columns = [
        pl.DataFrame(each if isinstance(each, dict) else {"y": each}) for each in (truth, answers)
    ]
    given = None if weights is None else pl.Series(weights, dtype=pl.Float64)
    return TargetRows(columns[0], columns[1], given)


def value_of(
    metric: str, truth: Any, answers: Any, weights: Sequence[float] | None = None
) -> float:
    """The value of a metric."""
    return float(table_metric_of(metric).measure(target_rows(truth, answers, weights)).value)
