"""Reads an organizer's file into the canonical solution of a table, and into the list of published
ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import problems_of
from podium.scoring.hints.texts import Hint
from podium.scoring.names import header_of
from podium.scoring.problems import Code, FileRejected, Problem, Rejection, quoted
from podium.scoring.rows.keys import PublishedRows, RowNumbers
from podium.scoring.scores.table_checks import undefined
from podium.scoring.solutions.cells import SolutionCells, read_cells
from podium.scoring.solutions.column_types import Inferred, controls, inferred
from podium.scoring.solutions.described import described_columns, read_described
from podium.scoring.solutions.division import check_splits, division_warnings
from podium.scoring.solutions.table_rows import (
    bad_clusters,
    bad_weights,
    missing_columns,
    read_ids,
    read_sides,
    repeated,
    torn_clusters,
)
from podium.scoring.splits import IGNORED, SplitRule
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.task import USAGE, Task
from podium.scoring.text.header import INDEX_NAMES, header_hint
from podium.scoring.truth.suspicious import as_floats


def read_true_table(
    path: Path, *, task: Task, published: PublishedRows | None, split: SplitRule
) -> tuple[TrueTable, PublishedRows]:
    """Reads a solution and checks all of it. Raises FileRejected.

    Its columns are the id, its own, and `Usage` if it defines the split. Without `published`, its
    ids are published, in the file's order.
    """
    with problems_of(path):
        frame, ids, warnings = _read(read_cells(path, task), task, published, split)
    truth = TrueTable(frame, task, ids.count)
    check_splits(truth, split, undefined(truth))
    return replace(truth, warnings=(*warnings, *_warnings(truth, split))), ids


def read_table_ids(path: Path, *, task: Task) -> PublishedRows:
    """Reads the list of published ids, in its order: a file with the column of ids, and any others;
    CSV in any container, or Parquet. Raises FileRejected."""
    with problems_of(path):
        cells = read_cells(path, task)
        _check_id_column(cells, task)
        ids, problems = read_ids(cells.frame[task.id_column], task, cells.lines)
        problems += repeated(ids, cells.lines, task)
        if problems:
            raise FileRejected(Rejection.of(problems))
        if not len(ids):
            raise FileRejected.because(Code.EMPTY_FILE, "the file lists no id")
    return PublishedRows(pl.DataFrame({"key0": ids}))


def _check_id_column(cells: SolutionCells, task: Task) -> None:
    names = cells.frame.columns
    if task.id_column not in names:
        detail = f"the columns are {quoted(header_of(names))}, and {task.id_column} is not there"
        hint = header_hint(names, [(task.id_column,)])
        raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)
    if names[0].encode() in INDEX_NAMES:
        detail = f"the first column is called {quoted(names[0])}"
        hint = Hint.INDEX_COLUMN
        raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)


def _read(
    cells: SolutionCells, task: Task, published: PublishedRows | None, split: SplitRule
) -> tuple[pl.DataFrame, PublishedRows, tuple[str, ...]]:
    """Builds the canonical frame, the published ids, and the warnings. Raises FileRejected with all
    problems of the rows."""
    _check_id_column(cells, task)
    frame, lines = cells.frame, cells.lines
    problems = list(missing_columns(frame, task, split))
    if problems:
        raise FileRejected(Rejection.of(problems))
    ids, wrong = read_ids(frame[task.id_column], task, lines)
    problems += [*wrong, *repeated(ids, lines, task)]
    named = [name for name in frame.columns if name not in (task.id_column, USAGE)]
    own = list(_own_columns(named, cells, task))
    rows = pl.DataFrame([ids, *(column.values for column in own)])
    problems += [problem for column in own for problem in column.problems]
    sides = None
    if USAGE in frame.columns:
        sides, wrong = read_sides(frame[USAGE].cast(pl.String), lines)
        problems += wrong
    problems += [*bad_weights(rows, task, lines), *bad_clusters(rows, task, lines)]
    if sides is not None and split.kind == "usage":
        problems += torn_clusters(rows, sides, task, lines)
    places = pl.int_range(rows.height, dtype=pl.UInt32, eager=True)
    if published is not None and not problems:
        places = RowNumbers(published).of(pl.DataFrame({"key0": ids}))
        problems += _unpublished(ids, places, lines)
    if problems:
        raise FileRejected(Rejection.of(problems))
    usage = _sides(rows, sides, task, split).alias(USAGE)
    canonical = pl.DataFrame([places.alias(PLACE), usage, *rows.get_columns()])
    warnings = [words for column in own for words in column.warnings]
    if task.query_ids == "string":
        warnings += as_floats(ids, task.id_column)
    if sides is not None and split.kind != "usage":
        warnings.insert(0, split.warning_of_unused_column)
    known = published or PublishedRows(pl.DataFrame({"key0": ids}))
    return canonical.sort(PLACE), known, tuple(warnings)


def _own_columns(names: list[str], cells: SolutionCells, task: Task) -> Iterator[Inferred]:
    described = described_columns(task, names)
    for name in names:
        if name in described:
            yield read_described(cells.frame[name], cells.lines, described[name])
        else:
            yield own_column(cells.frame[name], cells)


def own_column(column: pl.Series, cells: SolutionCells) -> Inferred:
    """Infers the type of one of a solution's own columns."""
    if cells.is_typed and column.dtype == pl.String:
        return Inferred(column, controls(column, cells.lines))
    return inferred(column, cells.lines)


def _sides(rows: pl.DataFrame, given: pl.Series | None, task: Task, split: SplitRule) -> pl.Series:
    """Computes the UInt8 side of each row: by the column or by the rule, but ignored rows stay
    ignored."""
    if given is not None and split.kind == "usage":
        return given
    unit = rows[task.cluster_column or task.id_column]
    units = unit.unique(maintain_order=True)
    table = pl.DataFrame({"unit": units, "side": split.of_sessions(units)})
    divided = pl.DataFrame({"unit": unit}).join(
        table, on="unit", how="left", maintain_order="left", nulls_equal=True
    )["side"]
    if given is None:
        return divided
    return divided.zip_with(given != IGNORED, given)


def _unpublished(ids: pl.Series, places: pl.Series, lines: pl.Series) -> Iterator[Problem]:
    if not places.null_count():
        return
    unknown = places.is_null().arg_true()
    for at in unknown:
        detail = f"{quoted(str(ids[at]))} is not among the published ids"
        yield Problem(Code.UNPUBLISHED_SESSION, detail, lines[at], id=str(ids[at]))


def _warnings(truth: TrueTable, split: SplitRule) -> Iterator[str]:
    task = truth.task
    for name in truth.own_columns:
        values = truth.frame[name]
        if len(values) > 1 and values.n_unique() == 1 and name != task.weight_column:
            yield f"all values in {name} are the same"
    yield from division_warnings(truth, split)
