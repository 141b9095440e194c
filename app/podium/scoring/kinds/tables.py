"""Defines tables: described columns for each published id."""

from __future__ import annotations

from podium.scoring.kinds.kind import NO_LISTS, ONLY_PAIRS, Kind, WithColumns, WithIds, only
from podium.scoring.kinds.table_rows import TABLE_ROWS


class TableKind(Kind):
    """A kind with described columns for each published id."""

    def unit(self, described: WithIds) -> tuple[str, str]:
        """Returns “row”, as rows are scored."""
        return "row", "rows"

    def value_columns(self, described: WithColumns) -> tuple[str, ...]:
        """Lists the columns that the organizer has described."""
        return described.described_columns

    def named_columns(self) -> tuple[str, ...]:
        """Lists the column of ids alone, as the others are described one by one."""
        return ("id_column",)

    def row_words(self, described: WithColumns) -> tuple[str, ...]:
        """Describes the values of a row, one or several, for a sentence."""
        several = len(described.described_columns)
        return ("a value" if several == 1 else f"{several} values",)


TABLES = TableKind(
    key="table",
    engine="podium.scoring.engine.tables",
    title="Tables",
    choice="Table: named columns for each id",
    plural="tables",
    first_metric="rmse",
    usual_metrics=("rmse", "mae", "auc", "log_loss", "own", "own_error"),
    form_metric="own",
    difference=("row differs", "rows differ"),
    rules=(
        *ONLY_PAIRS,
        only("unit", "user", "only pairs have a unit"),
        only(
            "missing_rows",
            "reject",
            "a {kind} task rejects missing rows: no value stands for none",
        ),
        only("duplicates", "refuse", "a {kind} task refuses duplicates: an id has one row"),
        NO_LISTS,
    ),
    row_hint="ROW_OF_TABLES",
    missing_hint="MISSING_ROWS",
    recognizer=TABLE_ROWS,
    published="id",
    truth_rows="rows",
    short_lines="Write one row per line; longer texts can be sent as Parquet.",
    has_table=True,
    family="table",
    untold_by_samples=("types and ranges of columns",),
    max_line_bytes=128_000,
)
