"""Registers metrics of add-ons, and creates placeholders for those whose add-on is missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from podium.add_ons import contributed, require
from podium.scoring.metrics.base import Metric

Form = TypeVar("Form", bound=Metric)

ERROR = "_error"
"""The suffix of names of metrics where lower is better: so a board keeps its order while the add-on
is missing."""


def added(form: type[Form]) -> Mapping[str, type[Form]]:
    """Finds the metrics of this form that add-ons provide, by name."""
    found = {}
    for key, metric in contributed("metrics").items():
        is_metric = isinstance(metric, type) and issubclass(metric, Metric) and metric.key == key
        require("metrics", key, is_metric, "is not a metric of this key")
        is_named = metric.higher_is_better != key.endswith(ERROR)
        require("metrics", key, is_named, f"ends in {ERROR} if less is better, and only then")
        if issubclass(metric, form):
            found[key] = metric
    return found


def missing(key: str, lack: str) -> Metric:
    """Creates a metric without values, so that boards and settings can be shown; `lack` is the
    reason."""
    facts = {
        "key": key,
        "formula": lack,
        "source": lack,
        "lower_bound": None,
        "higher_is_better": not key.endswith(ERROR),
        "ranks": False,
    }
    metric: type[Metric] = type("MissingMetric", (Metric,), facts)
    return metric()
