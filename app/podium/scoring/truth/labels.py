"""Defines the labels of a ground-truth file, from any reader, before they are divided into
splits."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from podium.scoring.published import PublishedIds


@dataclass(frozen=True)
class LabelsRead:
    """All labels of a file without problems.

    `frame` is sorted by `query` (UInt32) and `item` without duplicates, and has `relevance`
    (Float64) where the labels are graded. `sides` is the UInt8 side of every published session, if
    there was a column `Usage`. `only_labelled`: the form lists labels, not ids. The counts are of
    dropped labels: those without relevance, repeated ones, and those for objectives of other tasks.
    `without_item` are the lines of a long form with only an id.
    """

    frame: pl.DataFrame
    published: PublishedIds
    sides: pl.Series | None = None
    only_labelled: bool = False
    irrelevant: int = 0
    repeated: int = 0
    ignored: int = 0
    without_item: tuple[int, ...] = ()
