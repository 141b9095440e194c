"""Converts submissions of lists to canonical text, by the reader of their format."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from podium.scoring.lists.lines import LineCounts, normalize
from podium.scoring.lists.ordered.item_rows import normalize_item_rows
from podium.scoring.lists.ordered.runs import normalize_run
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.spelling import PODIUM, Spelling
from podium.scoring.task import Task
from podium.scoring.text.header import is_headed
from podium.scoring.text.trec import is_run


def write_canonical(
    blocks: Iterator[bytes],
    *,
    task: Task,
    published: PublishedIds,
    sink: BinaryIO,
    spelling: Spelling = PODIUM,
) -> LineCounts:
    """Writes canonical text like `normalize`, and also for one item per row, and for TREC runs,
    where the ids are bare topics."""
    if spelling.item_column:
        return normalize_item_rows(blocks, spelling, task=task, published=published, sink=sink)
    first = next(blocks, b"")
    read = (
        normalize_run
        if task.names == ("",) and is_run(first) and not is_headed(first, task)
        else normalize
    )
    return read(chain((first,), blocks), task=task, published=published, sink=sink)
