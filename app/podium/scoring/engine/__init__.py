"""Judges submissions as pure computation: read → check → hits → splits → metric.

One file in, integers out. No database, no clock, no network; scratch space is provided by the
caller. The engine of each kind of task does the parts that differ, and is imported when it is
needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from io import RawIOBase
from pathlib import Path
from typing import cast

import polars as pl

from podium.add_ons import lack_of, versions_of
from podium.scoring.engine.base import Engine, Kept, Progress, Published, Submitted, Truth
from podium.scoring.fingerprint import FingerprintReader
from podium.scoring.items import ItemFile
from podium.scoring.kinds import kind_of
from podium.scoring.metrics import key_of
from podium.scoring.rewriting.opening import form_of
from podium.scoring.scores.result import ScoreResult
from podium.scoring.splits import PRIVATE, PUBLIC, SplitRule
from podium.scoring.task import Task

__all__ = [
    "SCORER_VERSION",
    "Kept",
    "Published",
    "Truth",
    "engine_of",
    "judge",
    "keep",
    "load_published",
    "load_truth",
    "moved_sides",
    "perfect_submission",
    "read_kept",
    "read_published",
    "read_truth",
    "sample_submission",
    "scorer_version",
    "validate",
]


SCORER_VERSION = "3"
"""Version of the scorer; it changes whenever the same file could be refused or scored
differently."""


def scorer_version(task: Task) -> str:
    """Returns the version of the scorer of a task, with that of each add-on that takes part."""
    add_ons = versions_of([task.kind, *map(key_of, task.metrics)])
    return " + ".join((SCORER_VERSION, *add_ons))


def engine_of(task: Task, published: Published | None = None) -> Engine:
    """Finds the engine of a task's kind. Raises TypeError for published ids of another kind, and
    ValueError where the add-on of the kind is missing."""
    if (lack := lack_of("kinds", task.kind)) is not None:
        raise ValueError(lack)
    engine = cast(Engine, import_module(kind_of(task.kind).engine).ENGINE)
    if published is not None and not isinstance(published, engine.published):
        raise TypeError(f"a {task.kind} task has {engine.published.__name__}")
    return engine


def load_published(path: Path, task: Task) -> Published:
    """Loads the published ids or rows that their `write` has stored."""
    return engine_of(task).load_published(path, task)


def load_truth(path: Path, *, sha256: str | None, published: Published, task: Task) -> Truth:
    """Loads a ground truth that its `write` has stored. Raises GroundTruthCorrupt."""
    engine = engine_of(task, published)
    return engine.load_truth(path, sha256=sha256, published=published, task=task)


def read_published(path: Path, *, task: Task) -> Published:
    """Reads the published ids from an organizer's list, or a sample submission. Raises
    FileRejected."""
    return engine_of(task).read_published(path, task=task)


def read_truth(
    path: Path, *, task: Task, published: Published | None, split: SplitRule
) -> tuple[Truth, Published]:
    """Reads an organizer's ground truth in any supported format and checks all of it. Raises
    FileRejected.

    Without `published`, the ids of the file are published, in its order.
    """
    return engine_of(task, published).read_truth(path, task=task, published=published, split=split)


def moved_sides(before: Truth, after: Truth) -> pl.Series:
    """Finds the numbers of sessions, units of pairs, or rows that move between public and
    private."""
    sides = engine_of(before.task).sides
    of_both = sides(before).join(sides(after), on="whose", suffix="_after")
    one, other = pl.col("split"), pl.col("split_after")
    scored = pl.all_horizontal(side.is_in([PUBLIC, PRIVATE]) for side in (one, other))
    return of_both.filter((one != other) & scored)["whose"].sort()


def judge(
    file: Path,
    *,
    task: Task,
    published: Published,
    truth: Truth,
    scratch: Path,
    items: ItemFile | None = None,
    hits_to: Path | None = None,
    progress: Progress | None = None,
    fingerprint_seed: int | None = None,
    unpacked: RawIOBase | None = None,
) -> ScoreResult:
    """Scores a submission on every split of `truth`. Raises FileRejected, and ValueError where a
    metric needs attributes that `items` lacks.

    `scratch` is a folder for at most one file as large as the submission's text. `hits_to` receives
    the hits as Parquet (`query`, `item`, `rank`), as secret as the ground truth, for pairs their
    numbers (`query`, `number0`, …), or for a table the influence of each row. `progress` is called
    with the completed share, 0 to 1, from any thread. With `fingerprint_seed` the result has a
    fingerprint of the predictions. `unpacked` is the source that `unpacked_ahead` has opened for
    the file.
    """
    marks = None
    if fingerprint_seed is not None:
        marks = FingerprintReader(seed=fingerprint_seed, queries=published.count)
    asked = Submitted(
        file, task, published, truth, scratch, items, hits_to, progress, marks, unpacked
    )
    counts, splits, *found = engine_of(task, published).judge(asked)
    form = form_of(file, task).form
    return replace(ScoreResult(counts, splits, scorer_version(task), *found), form=form)


def keep(file: Path, truth: Truth, *, published: Published, scratch: Path) -> Kept:
    """Reads and checks a submission, and computes the part of its judging that `judge` stores.
    Raises FileRejected; `scratch` is as for `judge`."""
    return engine_of(truth.task, published).keep(file, truth, published=published, scratch=scratch)


def read_kept(path: Path, truth: Truth) -> Kept:
    """Reads the stored part of a judging, with its ground truth. Raises ValueError for one of
    another version."""
    return engine_of(truth.task).read_kept(path, truth)


def validate(
    file: Path,
    *,
    task: Task,
    published: Published,
    scratch: Path,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Checks a submission like `judge`, but without a ground truth, and returns the counts of a
    valid file (`rows`, `missing`, `empty`). Raises FileRejected."""
    return engine_of(task, published).validate(
        file, task=task, published=published, scratch=scratch, progress=progress
    )


def sample_submission(published: Published, task: Task) -> Iterator[bytes]:
    """Yields a complete submission without predictions: every published id with empty labels, or
    the same values in each row of a table, or every published pair with the same number."""
    return engine_of(task, published).sample(published, task)


def perfect_submission(truth: Truth, published: Published, task: Task) -> Iterator[bytes]:
    """Yields a complete submission that reaches the attainable optimum: all labels, the most
    relevant first, or the truth of all pairs, or rows. As secret as the ground truth."""
    return engine_of(task, published).perfect(truth, published, task)
