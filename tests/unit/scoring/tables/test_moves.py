"""Scores of tables: splits, errors of clusters, weights, and comparisons from what was stored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.analysis.comparison import compare, error_of_difference
from podium.scoring.columns import TableColumn
from podium.scoring.engine import (
    judge,
    moved_sides,
    perfect_submission,
    read_kept,
    sample_submission,
    validate,
)
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.scores.moves import TableMoves
from podium.scoring.solutions.tables import read_true_table
from podium.scoring.splits import SplitRule
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Objective, Task
from tests.builders.scoring.tables.files import table_task

ROWS = [(1, 1.0, "Public", "a"), (2, 2.0, "Public", "a"), (3, 4.0, "Public", "b")]
ROWS += [(4, 8.0, "Private", "c"), (5, 16.0, "Both", "d"), (6, 32.0, "Private", "e")]

TASK = table_task(metric="mae", diagnostics=("mse",))
CLUSTERED = replace(TASK, cluster_column="who")


def truth_of(path: Path, task: Task) -> tuple[TrueTable, PublishedRows]:
    header, rows = "id,value,Usage", [f"{a},{b},{c}" for a, b, c, _ in ROWS]
    if task.cluster_column:
        header, rows = (
            f"{header},{task.cluster_column}",
            [f"{a},{b},{c},{d}" for a, b, c, d in ROWS],
        )
    (path / "solution").write_text("\n".join([header, *rows, ""]))
    split = SplitRule("usage")
    return read_true_table(path / "solution", task=task, published=None, split=split)


def submission(path: Path, values: Sequence[float]) -> Path:
    file = path / "file"
    file.write_text("id,value\n" + "".join(f"{n},{v}\n" for n, v in enumerate(values, start=1)))
    return file


def moves_of(path: Path, values: Sequence[float], task: Task, name: str = "moves") -> TableMoves:
    truth, ids = truth_of(path, task)
    file = submission(path, values)
    judge(file, task=task, published=ids, truth=truth, scratch=path, hits_to=path / name)
    found = read_kept(path / name, truth)
    assert isinstance(found, TableMoves)
    return found


def test_a_row_of_both_counts_in_either_split(tmp_path: Path) -> None:
    truth, ids = truth_of(tmp_path, TASK)
    file = submission(tmp_path, [1, 2, 4, 8, 20, 32])
    scored = judge(file, task=TASK, published=ids, truth=truth, scratch=tmp_path)
    assert scored.splits["public"].values[""] == 1
    assert float(scored.splits["private"].values[""]) == pytest.approx(4 / 3)
    assert scored.splits["public"].diagnostics["mse"][""] == 4
    assert scored.splits["public"].queries == {"": 4}
    assert scored.counts == {"rows": 6, "missing": 0, "empty": 0}


def test_moves_of_clusters_are_added_up(tmp_path: Path) -> None:
    # The public errors are 3, 1, 0 and 0, their mean is 1.
    values = [4, 3, 4, 8, 16, 32]
    alone = moves_of(tmp_path, values, TASK)
    together = moves_of(tmp_path, values, CLUSTERED)
    _, of_rows = alone.weighted(["mae"], [Fraction(1)])
    _, of_units = together.weighted(["mae"], [Fraction(1)])
    assert of_rows is not None
    assert of_units is not None
    moves = [each / 4 for each in (2, 0, -1, -1)]
    expected = math.sqrt(4 / 3 * sum(move**2 for move in moves))
    assert of_rows.standard_errors()[1] == pytest.approx(expected)
    expected = math.sqrt(3 / 2 * ((2 / 4) ** 2 + (1 / 4) ** 2 + (1 / 4) ** 2))
    assert of_units.standard_errors()[1] == pytest.approx(expected)
    assert together.truth.unit_count(1) == 3


@pytest.mark.parametrize("name", ["split", "unit", "z", "*", "^who", "who$"])
def test_a_column_of_clusters_may_have_any_name(name: str, tmp_path: Path) -> None:
    values = [4, 3, 4, 8, 16, 32]
    errors = [
        moves_of(tmp_path, values, replace(TASK, cluster_column=each)).weighted(
            ["mae"], [Fraction(1)]
        )[1]
        for each in ("who", name)
    ]
    first, second = (None if each is None else each.standard_errors() for each in errors)
    assert first is not None
    assert first == second


def test_a_comparison_is_one_subtraction_of_what_was_stored(tmp_path: Path) -> None:
    first = moves_of(tmp_path, [4, 3, 4, 8, 16, 32], TASK, "first")
    second = moves_of(tmp_path, [1, 2, 4, 8, 18, 30], TASK, "second")
    document = compare([first, second], first.truth)["public"]
    [pair] = document["pairs"]
    assert document["sessions"] == 4
    assert pair["score"]["value"] == 0.5
    assert pair["metrics"]["mse"]["value"] == (9 + 1 - 4) / 4
    moves = [d / 4 - 0.5 / 4 for d in (3, 1, 0, -2)]
    expected = math.sqrt(4 / 3 * sum(move**2 for move in moves))
    assert pair["score"]["standard_error"] == pytest.approx(expected)
    found = error_of_difference(first, second, first.truth, split="public")
    assert found == pytest.approx(expected)


def test_moves_belong_to_one_version_of_the_solution(tmp_path: Path) -> None:
    stored = moves_of(tmp_path, [1, 2, 3, 4, 5, 6], TASK)
    fewer = replace(stored.truth, frame=stored.truth.frame.head(5))
    with pytest.raises(ValueError, match="another version"):
        TableMoves.read(tmp_path / "moves", fewer)


def test_objectives_have_columns_metrics_and_weights_of_their_own(tmp_path: Path) -> None:
    columns = [TableColumn(name="a"), TableColumn(name="b", type="category", values=("x", "y"))]
    objectives = (Objective("a", Decimal(1), "mae"), Objective("b", Decimal(4), "accuracy"))
    task = table_task(columns, objectives=objectives, weight_column="w")
    (tmp_path / "solution").write_text("id,a,b,w\n1,1,x,1\n2,2,y,3\n")
    whole = SplitRule("whole")
    truth, ids = read_true_table(tmp_path / "solution", task=task, published=None, split=whole)
    file = tmp_path / "file"
    file.write_text("id,b,a\n2,y,3\n1,y,1\n")
    [score] = judge(file, task=task, published=ids, truth=truth, scratch=tmp_path).splits.values()
    assert {name: float(value) for name, value in score.values.items()} == {"a": 0.75, "b": 0.75}
    assert float(score.score(task)) == 4 * 0.75 - 0.75
    file.write_bytes(b"".join(perfect_submission(truth, ids, task)))
    [best] = judge(file, task=task, published=ids, truth=truth, scratch=tmp_path).splits.values()
    assert float(best.score(task)) == 4


def test_the_sample_submission_is_accepted(tmp_path: Path) -> None:
    columns = [
        TableColumn(name="high", minimum=5),
        TableColumn(name="low", type="integer", maximum=-2.5),
        TableColumn(name="kind", type="category", values=("a,b", "c")),
        TableColumn(name="words", type="text"),
        TableColumn(name="none", type="text", is_optional=True),
        TableColumn(name="yes", type="boolean"),
        TableColumn(name="chosen", sample="0.5"),
    ]
    task = table_task(columns)
    ids = PublishedRows(pl.DataFrame({"key0": pl.Series([7], dtype=pl.Int32)}))
    text = b"".join(sample_submission(ids, task))
    assert text == b'id,high,low,kind,words,none,yes,chosen\n7,5,-3,"a,b",x,,false,0.5\n'
    (tmp_path / "file").write_bytes(text)
    found = validate(tmp_path / "file", task=task, published=ids, scratch=tmp_path)
    assert found == {"rows": 1, "missing": 0, "empty": 0}


def test_rows_that_change_sides_are_found(tmp_path: Path) -> None:
    truth, _ = truth_of(tmp_path, TASK)
    sides = truth.frame["Usage"].to_list()
    other = truth.frame.with_columns(Usage=pl.Series([2, *sides[1:]], dtype=pl.UInt8))
    assert moved_sides(truth, replace(truth, frame=other)).to_list() == [0]
    assert moved_sides(truth, truth).to_list() == []
