"""Defines the ids that stand for a custom metric. Its numbers are computed by code in a separate
child process, never here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from podium.scoring.columns import COLUMN_TYPES, ColumnType
from podium.scoring.metrics.rows.base import RowMeasure, RowMetric, TruthForm
from podium.scoring.metrics.rows.targets import TargetRows

OWN = re.compile(r"own(?:_([a-z][a-z0-9_]{0,27}))?")
"""`own`, `own_error`, or `own_` and the name of a further number of the metric."""


def is_custom(metrics: Iterable[str]) -> bool:
    """True where any of these ids is that of a custom metric."""
    return any(map(OWN.fullmatch, metrics))


def custom_numbers(diagnostics: Iterable[str]) -> tuple[str, ...]:
    """Lists the further numbers that a custom metric has to return, by the metric's own names.

    >>> custom_numbers(["rmse", "own_novelty", "own"])
    ('novelty',)
    """
    found = (OWN.fullmatch(diagnostic) for diagnostic in diagnostics)
    return tuple(own[1] for own in found if own is not None and own[1])


class CustomMetricValue(RowMetric):
    """The score that a custom metric computes; more is better.

    Not computed by `measure`: an organizer's code runs in a child of its own, without the files
    that everything else is computed from.
    """

    key: ClassVar[str] = "own"
    formula: ClassVar[str] = "what the custom metric computes"
    source: ClassVar[str] = "the custom metric"
    truth_form: ClassVar[TruthForm] = "any"
    lower_bound: ClassVar[int | None] = None
    types_of_several: ClassVar[tuple[ColumnType, ...]] = COLUMN_TYPES
    takes_missing: ClassVar[bool] = True

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Raises TypeError, as the value is computed in a child process."""
        raise TypeError(f"{self.key} is computed by the custom metric")


class CustomMetricError(CustomMetricValue):
    """The score that a custom metric computes; less is better."""

    key: ClassVar[str] = "own_error"
    higher_is_better: ClassVar[bool] = False


@dataclass(frozen=True)
class CustomMetricNumber(CustomMetricValue):
    """A further number that a custom metric tells: a diagnostic, or a column."""

    number: str
    """The number's name in the custom metric."""

    ranks: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name `own_` followed by the number's name."""
        return f"{self.key}_{self.number}"
