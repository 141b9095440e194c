"""The two kinds of task behind one door: what is published and what is true, for ranked lists and
for rated pairs."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from podium.scoring.published import PublishedIds
from podium.scoring.ratings.pairs import PublishedPairs
from podium.scoring.ratings.truth import TrueRatings
from podium.scoring.ratings.truth_reading import read_pairs, read_ratings
from podium.scoring.splits import PRIVATE, PUBLIC, SplitRule
from podium.scoring.task import Task
from podium.scoring.truth import GroundTruth, read_ground_truth, read_published_ids

Published = PublishedIds | PublishedPairs
"""The published part of a task, which a submission must answer."""

Truth = GroundTruth | TrueRatings
"""The hidden part of a task: labels or true ratings."""


def load_published(path: Path, task: Task) -> Published:
    """Inverse of `write` of what is published."""
    if task.kind == "rating":
        return PublishedPairs.read(path)
    return PublishedIds.read(path, task.names)


def load_truth(path: Path, *, sha256: str | None, published: Published, task: Task) -> Truth:
    """Inverse of `write` of a truth. Raises GroundTruthCorrupt."""
    if isinstance(published, PublishedPairs):
        return TrueRatings.load(path, sha256=sha256, published=published, task=task)
    return GroundTruth.load(path, sha256=sha256, published=published, task=task)


def read_truth(
    path: Path, *, task: Task, published: Published | None, split: SplitRule
) -> tuple[Truth, Published]:
    """Reads an organizer's file in any of its forms and checks all of it. Raises FileRejected.

    Without `published`, what the file lists is published, in its order.
    """
    if task.kind == "rating":
        pairs = None if published is None else pairs_of(published)
        return read_ratings(path, task=task, published=pairs, split=split)
    ids = None if published is None else ids_of(published)
    return read_ground_truth(path, task=task, published=ids, split=split)


def moved_sides(before: Truth, after: Truth) -> pl.Series:
    """The numbers of sessions, or users, that are public in one truth and private in the other."""
    of_both = _sides(before).join(_sides(after), on="whose", suffix="_after")
    one, other = pl.col("split"), pl.col("split_after")
    scored = pl.all_horizontal(side.is_in([PUBLIC, PRIVATE]) for side in (one, other))
    return of_both.filter((one != other) & scored)["whose"].sort()


def _sides(truth: Truth) -> pl.DataFrame:
    if isinstance(truth, TrueRatings):
        whose = pl.col("user")
    else:
        whose = pl.col("query") // len(truth.task.objectives)
    return truth.frame.select(whose.alias("whose"), "split").unique("whose")


def read_published(path: Path, *, task: Task) -> Published:
    """Reads an organizer's list, or a sample submission. Raises FileRejected."""
    if task.kind == "rating":
        return read_pairs(path, task=task)
    return read_published_ids(path, task=task)


def pairs_of(published: Published) -> PublishedPairs:
    """Narrows the published part to pairs. Raises TypeError for ids."""
    if not isinstance(published, PublishedPairs):
        raise TypeError("a rating task publishes pairs")
    return published


def ids_of(published: Published) -> PublishedIds:
    """Narrows the published part to ids of lists. Raises TypeError for pairs."""
    if not isinstance(published, PublishedIds):
        raise TypeError("a ranking task publishes ids")
    return published
