"""The task of creating the columns on which a metric is tried, as in `judging`."""

from __future__ import annotations

from pathlib import Path

from podium.sandbox.definitions.metric_launches import (
    BY_CHANCE,
    PERFECT,
    SHUFFLED,
    ColumnsMade,
    MakeTriedColumns,
)
from podium.sandbox.registry import Progress, registered
from podium.scoring.analysis.tried_columns import tried_columns
from podium.scoring.parquet.files import read_parquet


def make_tried_columns(_: Progress, task: MakeTriedColumns) -> ColumnsMade:
    """Creates the columns from files that are our own."""
    tried = tried_columns(
        read_parquet(task.sample),
        [read_parquet(each) for each in task.solutions],
        task.task.table,
        seed=task.seed,
    )
    for name, frame in (
        (PERFECT, tried.perfect),
        (BY_CHANCE, tried.by_chance),
        (SHUFFLED, tried.shuffled),
    ):
        frame.write_parquet(Path.cwd() / name)
    return ColumnsMade(unmatched=tried.unmatched)


TASKS = dict([registered(MakeTriedColumns, make_tried_columns)])
