"""Reads a whole submission of pairs: from a file of unknown bytes to its numbers, or to a rejection
with all problems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from podium.scoring.pairs.candidate_ranks import read_candidate_ranks
from podium.scoring.pairs.layout import layout_of
from podium.scoring.pairs.orders import order_lists, read_orders
from podium.scoring.rewriting.opening import problems_as_written, spelling_in
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.reading import read_rows
from podium.scoring.task import Task

Progress = Callable[[float], None]


def read_numbers(
    file: Path,
    *,
    task: Task,
    published: PublishedRows,
    probabilities: bool,
    progress: Progress | None = None,
) -> list[pl.Series]:
    """Reads for each objective the number of every published pair, Float64 in published order.
    Raises FileRejected, with `probabilities` also for other numbers.

    `progress` is called with the share of the pairs that was read, 0 to 1, from any thread.
    """
    spelling = spelling_in(file, task)
    with problems_as_written(file, task, spelling):
        if spelling.is_of_ranks:
            return [read_candidate_ranks(file, task=task, published=published, progress=progress)]
        lists = order_lists(file, task, published)
        if lists is not None:
            orders = read_orders(file, lists, task=task, published=published, progress=progress)
            return [orders]
    layout = layout_of(task, probabilities=probabilities)
    return read_rows(file, layout=layout, published=published, progress=progress)
