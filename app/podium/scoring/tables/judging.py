"""Judging tables by built-in metrics as pure computation: read → check → measure → splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from podium.scoring.analysis.fingerprint import FileFingerprint, FingerprintReader
from podium.scoring.metrics import table_metric_of
from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.result import SplitScore
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.tables.answers import TableAnswers
from podium.scoring.tables.checks import built_in
from podium.scoring.tables.moves import TableMoves
from podium.scoring.tables.perfect import perfect_columns
from podium.scoring.tables.reading import fingerprint_of, read_table
from podium.scoring.tables.samples import lines_of
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Task
from podium.scoring.uncertainty import Influence


def judge_table(
    file: Path,
    task: Task,
    published: PublishedPairs,
    truth: TrueTable,
    *,
    moves_to: Path | None,
    progress: Callable[[float], None] | None,
    marks: FingerprintReader | None = None,
) -> tuple[dict[str, int], dict[str, SplitScore], FileFingerprint | None]:
    """Counts, the score on every split, and what `marks` makes of the columns. Raises FileRejected.

    `moves_to` gets what each row moves of each metric, as Parquet.
    """
    columns = read_table(file, task=task, published=published, progress=progress)
    fingerprint = None if marks is None else fingerprint_of(columns, marks)
    moves = TableMoves.of(TableAnswers.of(columns, truth))
    if moves_to is not None:
        moves.write(moves_to)
    return counts_of(published), table_scores(moves), fingerprint


def counts_of(published: PublishedPairs) -> dict[str, int]:
    """The counts of a good file: a row for every id, as none may be missing."""
    return {"rows": published.count, "missing": 0, "empty": 0}


def perfect_table(truth: TrueTable, published: PublishedPairs, task: Task) -> Iterator[bytes]:
    """A complete submission that says what is true. As secret as the solution."""
    yield from lines_of(published, perfect_columns(truth), task)


def table_scores(moves: TableMoves) -> dict[str, SplitScore]:
    """Everything that a verdict says about each split, by its name. There are no hits to count:
    `hits` and `denominators` are 0, and `queries` are the rows."""
    truth, task = moves.truth, moves.truth.task
    scoring = [objective.metric for objective in task.objectives]
    weights = [Fraction(objective.weight) for objective in task.objectives]
    signed = [
        weight if table_metric_of(metric).higher_is_better else -weight
        for metric, weight in zip(scoring, weights, strict=True)
    ]
    told = [name for name in task.diagnostics if name in built_in(task, 0)]
    sure = _errors(moves.weighted(scoring, signed)[1])
    sure_of = {name: _errors(moves.weighted([name] * len(weights), weights)[1]) for name in told}
    return {
        SPLIT_NAMES[split]: SplitScore(
            hits=dict.fromkeys(task.names, 0),
            denominators=dict.fromkeys(task.names, 0),
            queries=dict.fromkeys(task.names, rows),
            values=_values(moves, scoring, split),
            standard_error=sure.get(split),
            diagnostics={name: _values(moves, [name] * len(weights), split) for name in told},
            diagnostic_errors={name: sure_of[name].get(split) for name in told},
            notes=moves.noted(split),
        )
        for split, rows in truth.totals.items()
    }


def _values(moves: TableMoves, metrics: list[str], split: int) -> dict[str, Fraction]:
    names = moves.truth.task.names
    return {
        name: moves.values[metric, position][split]
        for position, (name, metric) in enumerate(zip(names, metrics, strict=True))
    }


def _errors(moved: Influence | None) -> dict[int, float | None]:
    return {} if moved is None else moved.standard_errors()
