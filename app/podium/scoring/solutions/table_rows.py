"""Checks a solution's rows: ids, sides, weights and clusters, each with its problems."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from podium.scoring.columns import MAX_TABLE_COLUMNS
from podium.scoring.problems import Code, Problem, quoted
from podium.scoring.repeating import repeat
from podium.scoring.rows.cells import unproven_ids
from podium.scoring.rows.fields import read_key
from podium.scoring.solutions.twice import repeats, torn
from podium.scoring.splits import BOTH, PRIVATE, PUBLIC, USAGE_SIDES, SplitRule
from podium.scoring.tables.layout import key_of
from podium.scoring.tables.truth import PLACE
from podium.scoring.task import USAGE, Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.findings import ENOUGH_PROBLEMS, on_lines

_SIDES = {**USAGE_SIDES, "both": BOTH}


def missing_columns(cells: pl.DataFrame, task: Task, split: SplitRule) -> Iterator[Problem]:
    """Reports columns that the solution lacks, and other problems of the file as a whole."""
    names = cells.columns
    if not cells.height:
        yield Problem(Code.EMPTY_FILE, "the file lists no id")
    own = [name for name in names if name not in (task.id_column, USAGE)]
    if not own:
        detail = f"there is no column beside {task.id_column}"
        yield Problem(Code.HEADER_MISMATCH, detail, 1)
    if len(own) > MAX_TABLE_COLUMNS:
        yield Problem(Code.HEADER_MISMATCH, f"there are more than {MAX_TABLE_COLUMNS:,} columns", 1)
    if PLACE in names:
        detail = f"a column of the solution cannot be called {PLACE}"
        yield Problem(Code.HEADER_MISMATCH, detail, 1, column=PLACE, hint="Rename it.")
    if split.kind == "usage" and USAGE not in names:
        detail = "there is no column Usage, by which the settings split"
        hint = "Add it, with Public or Private in each row, or give the settings a public share."
        yield Problem(Code.BAD_USAGE, detail, 1, hint=hint)
    for name in filter(None, (task.weight_column, task.cluster_column)):
        if name not in own:
            detail = f"there is no column {quoted(name)}, which the settings name"
            yield Problem(Code.HEADER_MISMATCH, detail, 1, column=name)


def read_ids(cells: pl.Series, task: Task, lines: pl.Series) -> tuple[pl.Series, list[Problem]]:
    """Reads the ids, null for invalid cells, and reports these."""
    ids, wrong = unproven_ids(cells, task.query_ids)
    problems = []
    for at in wrong.arg_true().head(ENOUGH_PROBLEMS):
        text = "" if cells[at] is None else str(cells[at])
        try:
            read_key(text.encode(), key_of(task))
        except RowProblem as found:
            hint = found.hint
            column = task.id_column
            problems.append(Problem(found.code, found.detail, lines[at], column=column, hint=hint))
    return ids.alias(task.id_column), problems


def repeated(ids: pl.Series, lines: pl.Series, task: Task) -> Iterator[Problem]:
    """Reports repeated ids, with both lines."""
    given = pl.DataFrame({"id": ids, "line": lines}).drop_nulls()
    if given["id"].n_unique() == given.height:
        return
    for (name,), line, before in repeats(given, ["id"]):
        detail = f"{quoted(str(name))} occurs twice: on line {before} and on line {line}"
        yield Problem(Code.DUPLICATE_ID, detail, line, id=str(name), column=task.id_column)


def read_sides(cells: pl.Series, lines: pl.Series) -> tuple[pl.Series, list[Problem]]:
    """Reads the UInt8 side of each row, and reports invalid words."""
    sides = cells.str.to_lowercase().replace_strict(_SIDES, default=None, return_dtype=pl.UInt8)
    detail = "Usage must be Public, Private, Both or Ignored"
    wrong = lines.filter(sides.is_null())
    return sides, on_lines(wrong, Code.BAD_USAGE, detail, column=USAGE)


def bad_weights(rows: pl.DataFrame, task: Task, lines: pl.Series) -> list[Problem]:
    """Reports weights that are not above 0."""
    if not task.weight_column:
        return []
    weights = rows[task.weight_column]
    is_numeric = weights.dtype.is_numeric()
    good = weights > 0 if is_numeric else repeat(False, len(weights), pl.Boolean)
    bad = lines.filter(~good.fill_null(False))
    return on_lines(bad, Code.BAD_NUMBER, "a weight is above 0", column=task.weight_column)


def bad_clusters(rows: pl.DataFrame, task: Task, lines: pl.Series) -> Iterator[Problem]:
    """Reports rows without a cluster."""
    if task.cluster_column:
        empty = lines.filter(rows[task.cluster_column].is_null())
        yield from on_lines(empty, Code.BAD_ID, "the field is empty", column=task.cluster_column)


def torn_clusters(
    rows: pl.DataFrame, sides: pl.Series, task: Task, lines: pl.Series
) -> Iterator[Problem]:
    """Reports clusters with rows in both the public and the private split."""
    if task.cluster_column:
        cluster = rows[task.cluster_column]
        given = pl.DataFrame({"cluster": cluster, "side": sides, "line": lines})
        yield from torn(given.filter(pl.col("side").is_in([PUBLIC, PRIVATE])), "cluster", "cluster")
