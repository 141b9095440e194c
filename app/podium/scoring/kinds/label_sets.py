"""Defines label sets: any number of labels for each published id, without order."""

from __future__ import annotations

from typing import Any

from podium.scoring.kinds.kind import WithColumns
from podium.scoring.kinds.tables import TABLES, TableKind


class LabelSetKind(TableKind):
    """A table whose columns hold sets of labels; by default, there is one."""

    def row_words(self, described: WithColumns) -> tuple[str, ...]:
        """Describes its sets of labels."""
        several = len(described.described_columns)
        return ("labels separated by spaces" if several == 1 else f"{several} sets of labels",)


_OWN: dict[str, Any] = {
    "key": "label-sets",
    "title": "Label sets",
    "choice": "Label sets: any number of labels for each id",
    "first_metric": "f1_samples",
    "usual_metrics": (
        "f1_samples",
        "f1_micro",
        "f1_macro",
        "jaccard_samples",
        "hamming_loss",
        "subset_accuracy",
    ),
    "form_metric": "f1_samples",
    "measured": "sets of labels",
    "family": "label-set",
    "column_type": "labels",
    "untold_by_samples": ("the labels that there are",),
}

LABEL_SETS = LabelSetKind(**{**vars(TABLES), **_OWN})
