"""The two forms of task behind one door: what is published and what is true, for ranked lists and
for pairs."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.published import PublishedIds
from podium.scoring.splits import PRIVATE, PUBLIC
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruth

Published = PublishedIds | PublishedPairs
"""The published part of a task, which a submission must answer."""

Truth = GroundTruth | TruePairs
"""The hidden part of a task: labels, or the targets of pairs."""


def load_published(path: Path, task: Task) -> Published:
    """Inverse of `write` of what is published."""
    if task.kind != "ranking":
        return PublishedPairs.read(path)
    return PublishedIds.read(path, task.names)


def load_truth(path: Path, *, sha256: str | None, published: Published, task: Task) -> Truth:
    """Inverse of `write` of a truth. Raises GroundTruthCorrupt."""
    if isinstance(published, PublishedPairs):
        return TruePairs.load(path, sha256=sha256, published=published, task=task)
    return GroundTruth.load(path, sha256=sha256, published=published, task=task)


def moved_sides(before: Truth, after: Truth) -> pl.Series:
    """The numbers of sessions, or units of pairs, that change between public and private."""
    of_both = _sides(before).join(_sides(after), on="whose", suffix="_after")
    one, other = pl.col("split"), pl.col("split_after")
    scored = pl.all_horizontal(side.is_in([PUBLIC, PRIVATE]) for side in (one, other))
    return of_both.filter((one != other) & scored)["whose"].sort()


def _sides(truth: Truth) -> pl.DataFrame:
    if isinstance(truth, TruePairs):
        whose = pl.col("unit")
    else:
        whose = pl.col("query") // len(truth.task.objectives)
    return truth.frame.select(whose.alias("whose"), "split").unique("whose")


def rows_of(truth: Truth) -> pl.DataFrame:
    """The truth row by row: labels, or the targets of numbered pairs."""
    return truth.numbered if isinstance(truth, TruePairs) else truth.frame


def pairs_of(published: Published) -> PublishedPairs:
    """Narrows the published part to pairs. Raises TypeError for ids."""
    if not isinstance(published, PublishedPairs):
        raise TypeError("this task publishes pairs")
    return published


def ids_of(published: Published) -> PublishedIds:
    """Narrows the published part to ids of lists. Raises TypeError for pairs."""
    if not isinstance(published, PublishedIds):
        raise TypeError("a ranking task publishes ids")
    return published
