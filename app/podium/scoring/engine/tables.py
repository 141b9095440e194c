"""Judges tables: read → check → measure → splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.engine.base import Probing
from podium.scoring.engine.rows import counted, row_engine, row_extremes
from podium.scoring.metrics import row_metric_of
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.writing import lines_of
from podium.scoring.scores.extremes import Extremes
from podium.scoring.scores.moves import TableMoves, table_keys
from podium.scoring.scores.perfect_tables import perfect_table, shuffled_columns
from podium.scoring.scores.table_answers import TableAnswers
from podium.scoring.scores.table_checks import built_in, undefined
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.tables.reading import fingerprint_of, read_table
from podium.scoring.tables.samples import sample_table
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.task import USAGE, Task


def _read_published(path: Path, **known: Any) -> PublishedRows:
    from podium.scoring.solutions.tables import read_table_ids

    return read_table_ids(path, **known)


def _read_truth(path: Path, **known: Any) -> tuple[TrueTable, PublishedRows]:
    from podium.scoring.solutions.tables import read_true_table

    return read_true_table(path, **known)


def _sides(truth: TrueTable) -> pl.DataFrame:
    """Returns the splits of rows."""
    return truth.frame.select(pl.col(PLACE).alias("whose"), pl.col(USAGE).alias("split"))


def _kept(columns: pl.DataFrame, truth: TrueTable) -> TableMoves:
    return TableMoves.of(table_keys(truth.task), TableAnswers.of(columns, truth))


def _keeps(metric: str, task: Task) -> bool:
    """True for built-in metrics; a custom metric is computed elsewhere."""
    return metric in built_in(task, 0)


def _measure(_: Sequence[str], moves: TableMoves) -> TableMoves:
    """Returns the moves unchanged, as all metrics were measured before."""
    return moves


def _extremes(tried: Probing) -> Extremes:
    """Estimates the range of scores: by a bounded metric the truth has 1; chance is the truth of
    other rows."""
    task = tried.task
    bounded = [o.name for o in task.objectives if row_metric_of(o.metric, task.kind).is_bounded]
    is_optimal = all(
        split.values[name] == 1 for split in tried.perfect.splits.values() for name in bounded
    )
    others = lines_of(tried.published, shuffled_columns(tried.truth), task)
    return row_extremes(tried, tried.score(others), is_optimal=is_optimal)


def _parts(truth: TrueTable, paths: Mapping[str, Path]) -> dict[str, str]:
    named = ((split, SPLIT_NAMES[split]) for split in truth.splits)
    return {name: truth.write_part(split, paths[name]) for split, name in named}


ENGINE = row_engine(
    load_truth=TrueTable.load,
    read=read_table,
    marked=fingerprint_of,
    kept=_kept,
    measured=lambda moves: moves,
    read_published=_read_published,
    read_truth=_read_truth,
    undefined=undefined,
    sides=_sides,
    sample=sample_table,
    perfect=perfect_table,
    extremes=_extremes,
    counted=counted,
    read_kept=TableMoves.read,
    keeps=_keeps,
    measure=_measure,
    parts=_parts,
)
