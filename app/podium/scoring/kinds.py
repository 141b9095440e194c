"""The forms of task behind one door: what is published and what is true, for ranked lists, for
pairs and for tables."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.published import PublishedIds
from podium.scoring.splits import PRIVATE, PUBLIC
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.task import USAGE, Task
from podium.scoring.truth.canonical import GroundTruth

Published = PublishedIds | PublishedPairs
"""The published part of a task, which a submission must answer."""

Truth = GroundTruth | TruePairs | TrueTable
"""The hidden part of a task: labels, the targets of pairs, or the solution of a table."""


def load_published(path: Path, task: Task) -> Published:
    """Inverse of `write` of what is published."""
    if task.kind != "ranking":
        return PublishedPairs.read(path)
    return PublishedIds.read(path, task.names)


def load_truth(path: Path, *, sha256: str | None, published: Published, task: Task) -> Truth:
    """Inverse of `write` of a truth. Raises GroundTruthCorrupt."""
    if task.is_of_tables:
        return TrueTable.load(path, sha256=sha256, published=pairs_of(published), task=task)
    if isinstance(published, PublishedPairs):
        return TruePairs.load(path, sha256=sha256, published=published, task=task)
    return GroundTruth.load(path, sha256=sha256, published=published, task=task)


def moved_sides(before: Truth, after: Truth) -> pl.Series:
    """The numbers of sessions, units of pairs, or rows that change between public and private."""
    of_both = _sides(before).join(_sides(after), on="whose", suffix="_after")
    one, other = pl.col("split"), pl.col("split_after")
    scored = pl.all_horizontal(side.is_in([PUBLIC, PRIVATE]) for side in (one, other))
    return of_both.filter((one != other) & scored)["whose"].sort()


def _sides(truth: Truth) -> pl.DataFrame:
    if isinstance(truth, TrueTable):
        return truth.frame.select(pl.col(PLACE).alias("whose"), pl.col(USAGE).alias("split"))
    if isinstance(truth, TruePairs):
        whose = pl.col("unit")
    else:
        whose = pl.col("query") // len(truth.task.objectives)
    return truth.frame.select(whose.alias("whose"), "split").unique("whose")


def rows_of(truth: Truth) -> pl.DataFrame:
    """The truth row by row: labels, or the targets of numbered pairs, or rows."""
    return truth.frame if isinstance(truth, GroundTruth) else truth.numbered


def pairs_of(published: Published) -> PublishedPairs:
    """Narrows the published part to pairs, or the ids of a table. Raises TypeError for others."""
    if not isinstance(published, PublishedPairs):
        raise TypeError("this task publishes pairs, or the ids of a table")
    return published


def ids_of(published: Published) -> PublishedIds:
    """Narrows the published part to ids of lists. Raises TypeError for pairs."""
    if not isinstance(published, PublishedIds):
        raise TypeError("a ranking task publishes ids")
    return published
