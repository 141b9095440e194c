"""Defines label sets: any number of labels for each published id, without order."""

from __future__ import annotations

from podium.scoring.kinds.kind import WithColumns
from podium.scoring.kinds.tables import TABLES, TableKind


class LabelSetKind(TableKind):
    """A table whose columns hold sets of labels; by default, there is one."""

    def row_words(self, described: WithColumns) -> tuple[str, ...]:
        """Describes its sets of labels."""
        several = len(described.described_columns)
        return ("labels separated by spaces" if several == 1 else f"{several} sets of labels",)


LABEL_SETS = LabelSetKind(
    key="label-sets",
    engine=TABLES.engine,
    title="Label sets",
    choice="Label sets: any number of labels for each id",
    plural=TABLES.plural,
    first_metric="f1_samples",
    usual_metrics=(
        "f1_samples",
        "f1_micro",
        "f1_macro",
        "jaccard_samples",
        "hamming_loss",
        "subset_accuracy",
    ),
    form_metric="f1_samples",
    difference=TABLES.difference,
    rules=TABLES.rules,
    row_hint=TABLES.row_hint,
    missing_hint=TABLES.missing_hint,
    recognizer=TABLES.recognizer,
    published=TABLES.published,
    truth_rows=TABLES.truth_rows,
    short_lines=TABLES.short_lines,
    has_table=True,
    column_type="labels",
    untold_by_samples=("the labels that there are",),
    max_line_bytes=TABLES.max_line_bytes,
)
