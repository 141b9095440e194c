"""An organizer's files of any form of task: what is published and what is true, as they come."""

from __future__ import annotations

from pathlib import Path

from podium.scoring.kinds import Published, Truth, ids_of, pairs_of
from podium.scoring.pairs.truth_reading import read_pairs, read_true_pairs
from podium.scoring.splits import SplitRule
from podium.scoring.tables.solution.reading import read_table_ids, read_true_table
from podium.scoring.task import Task
from podium.scoring.truth.reading import read_ground_truth, read_published_ids


def read_truth(
    path: Path, *, task: Task, published: Published | None, split: SplitRule
) -> tuple[Truth, Published]:
    """Reads an organizer's file in any of its forms and checks all of it. Raises FileRejected.

    Without `published`, what the file lists is published, in its order.
    """
    if task.is_of_tables:
        rows = None if published is None else pairs_of(published)
        return read_true_table(path, task=task, published=rows, split=split)
    if task.is_of_pairs:
        pairs = None if published is None else pairs_of(published)
        return read_true_pairs(path, task=task, published=pairs, split=split)
    ids = None if published is None else ids_of(published)
    return read_ground_truth(path, task=task, published=ids, split=split)


def read_published(path: Path, *, task: Task) -> Published:
    """Reads an organizer's list, or a sample submission. Raises FileRejected."""
    if task.is_of_tables:
        return read_table_ids(path, task=task)
    if task.is_of_pairs:
        return read_pairs(path, task=task)
    return read_published_ids(path, task=task)
