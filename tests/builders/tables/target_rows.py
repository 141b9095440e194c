"""Values of metrics over rows of tables, from lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from podium.scoring.metrics import table_metric_of


def value_of(
    metric: str, truth: Any, answers: Any, weights: Sequence[float] | None = None
) -> float:
    """The value of a metric over a truth and answers, each a list or columns by name."""
    return table_metric_of(metric).example_value(truth, answers, weights)
