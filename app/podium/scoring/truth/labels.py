"""Defines the labels of a ground-truth file, from any reader, before they are divided into
splits."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from podium.scoring.published import PublishedIds


@dataclass(frozen=True, slots=True)
class RowsWithoutItem:
    """The rows of a long form with only an id: their number, and the line of the first."""

    count: int = 0
    first_line: int = 0


@dataclass(frozen=True)
class LabelsRead:
    """All labels of a file without problems.

    `frame` is sorted by `query` (UInt32) and `item` without duplicates, and has `relevance`
    (Float64) where the labels are graded. `sides` is the UInt8 side of every published session, if
    there was a column `Usage`. `only_labelled`: the form lists labels, not ids. The counts are of
    dropped labels: those without relevance, repeated ones, and those for objectives of other tasks.
    """

    frame: pl.DataFrame
    published: PublishedIds
    sides: pl.Series | None = None
    only_labelled: bool = False
    irrelevant: int = 0
    repeated: int = 0
    ignored: int = 0
    without_item: RowsWithoutItem = field(default_factory=RowsWithoutItem)


def relevant_labels(labels: pl.DataFrame) -> pl.DataFrame:
    """Selects the labels above relevance 0, of those that are graded. The same labels are the same
    ground truth, with or without explicit relevances: they are omitted where all are 1."""
    if "relevance" not in labels.columns:
        return labels
    relevant = labels.filter(pl.col("relevance") > 0)
    return relevant.drop("relevance") if (relevant["relevance"] == 1).all() else relevant
