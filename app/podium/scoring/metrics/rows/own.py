"""The ids that stand for an organizer's own metric. Its numbers come from code that runs in a child
of its own, never from here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from podium.scoring.columns import COLUMN_TYPES, ColumnType
from podium.scoring.metrics.rows.base import RowMeasure, RowMetric, TruthForm
from podium.scoring.metrics.rows.targets import TargetRows

OWN = re.compile(r"own(?:_([a-z][a-z0-9_]{0,27}))?")
"""`own`, `own_error`, or `own_` and the name of a further number that the metric tells."""


def is_own(metrics: Iterable[str]) -> bool:
    """True where an organizer's metric is among those that score, given by their ids."""
    return any(map(OWN.fullmatch, metrics))


def own_numbers(diagnostics: Iterable[str]) -> tuple[str, ...]:
    """The further numbers that a metric file is asked for, by the names that it gives them.

    >>> own_numbers(["rmse", "own_novelty", "own"])
    ('novelty',)
    """
    found = (OWN.fullmatch(diagnostic) for diagnostic in diagnostics)
    return tuple(own[1] for own in found if own is not None and own[1])


class OwnMetricValue(RowMetric):
    """The score that an organizer's metric file computes; more is better.

    Not computed by `measure`: an organizer's code runs in a child of its own, without the files
    that everything else is computed from.
    """

    key: ClassVar[str] = "own"
    formula: ClassVar[str] = "what the organizer's metric file computes"
    source: ClassVar[str] = "the organizer's metric file"
    truth_form: ClassVar[TruthForm] = "any"
    lower_bound: ClassVar[int | None] = None
    types_of_several: ClassVar[tuple[ColumnType, ...]] = COLUMN_TYPES
    takes_missing: ClassVar[bool] = True

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Raises TypeError."""
        raise TypeError(f"{self.key} is computed by the organizer's metric file")


class OwnMetricError(OwnMetricValue):
    """The score that an organizer's metric file computes; less is better."""

    key: ClassVar[str] = "own_error"
    higher_is_better: ClassVar[bool] = False


@dataclass(frozen=True)
class OwnMetricNumber(OwnMetricValue):
    """A further number that an organizer's metric file tells: a diagnostic, or a column."""

    number: str
    """Its name in the metric file."""

    ranks: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """`own_` and the number's name."""
        return f"{self.key}_{self.number}"
