"""Problems of an organizer's Parquet file name rows, which it has, and never lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.preparation.files.findings import RawFileRefused
from podium.preparation.options import ColumnChoice
from podium.preparation.reading.interactions import read_interactions
from podium.scoring.columns import TableColumn
from podium.scoring.problems import FileRejected
from podium.scoring.solutions.pairs import read_pairs, read_true_pairs
from podium.scoring.solutions.tables import read_table_ids, read_true_table
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.truth.reading import read_ground_truth, read_published_ids

Reader = Callable[..., Any]
Columns = dict[str, list[Any]]

RATINGS = Task(
    (Objective("", Decimal(1), "rmse"),), kind="rating", id_column="user", labels_column="rating"
)
TABLE = Task(
    (Objective("", Decimal(1), "rmse"),),
    kind="table",
    id_column="id",
    table=(TableColumn(name="y"),),
    cluster_column="c",
)
USAGE = {"published": None, "split": SplitRule("usage")}
WHOLE = {"published": None, "split": SplitRule("whole")}
TORN = ["Public", "Private", "Public"]


@pytest.mark.parametrize(
    ("read", "task", "given", "columns", "row", "detail"),
    [
        (read_published_ids, OTTO, {}, {"session": [1, 1, 2]}, 1, "in row 0 and in row 1"),
        (read_published_ids, OTTO, {}, {"session": [1, -1, 2]}, 1, "is not an id"),
        (read_published_ids, OTTO, {}, {"q": [1, 1, 2]}, None, "expected session"),
        (
            read_ground_truth,
            OTTO,
            WHOLE,
            {"session": [1, 1, 2], "type": ["clicks", "clicks", "carts"], "aid": [5, 5, 7]},
            1,
            "in row 0 and in row 1",
        ),
        (
            read_ground_truth,
            OTTO,
            USAGE,
            {
                "session": [1, 1, 2],
                "type": ["clicks", "carts", "carts"],
                "aid": [5, 5, 7],
                "Usage": TORN,
            },
            1,
            "row 0 and row 1 differ",
        ),
        (read_pairs, RATINGS, {}, {"user": [1, 1], "item": [3, 3]}, 1, "in row 0 and in row 1"),
        (read_pairs, RATINGS, {}, {"user": [1, 1], "q": [3, 3]}, None, "item"),
        (
            read_true_pairs,
            RATINGS,
            WHOLE,
            {"user": [1, 1], "q": [3, 3], "rating": [1.0, 2.0]},
            None,
            "item",
        ),
        (
            read_true_pairs,
            RATINGS,
            USAGE,
            {"user": [1, 1, 2], "item": [1, 2, 1], "rating": [1.0, 2.0, 3.0], "Usage": TORN},
            1,
            "row 0 and row 1 differ",
        ),
        (read_table_ids, TABLE, {}, {"id": [1, 1]}, 1, "in row 0 and in row 1"),
        (
            read_true_table,
            TABLE,
            USAGE,
            {"id": [1, 2, 3], "y": [1.0, 2.0, 3.0], "c": ["a", "a", "b"], "Usage": TORN},
            1,
            "row 0 and row 1 differ",
        ),
    ],
)
def test_a_problem_is_in_a_row(
    tmp_path: Path,
    read: Reader,
    task: Task,
    given: dict[str, Any],
    columns: Columns,
    row: int | None,
    detail: str,
) -> None:
    file = tmp_path / "file.parquet"
    pl.DataFrame(columns).write_parquet(file)
    with pytest.raises(FileRejected) as caught:
        read(file, task=task, **given)
    first = caught.value.rejection.problems[0]
    assert (first.line, first.row) == (None, row), first
    assert detail in first.detail
    assert "line" not in first.detail


def test_interactions_are_in_rows_too(tmp_path: Path) -> None:
    file = tmp_path / "file.parquet"
    pl.DataFrame({"user": [1, None], "item": [1, 2]}).write_parquet(file)
    with pytest.raises(RawFileRefused) as caught:
        read_interactions(file, ColumnChoice(), work=tmp_path)
    [first] = caught.value.problems
    assert (first["line"], first["row"]) == (None, 1)
    assert first["detail"].startswith("row 1: ")


def test_texts_that_look_like_lines_stay(tmp_path: Path) -> None:
    file = tmp_path / "file.parquet"
    pl.DataFrame({"session": ["on line 7", "b"]}).write_parquet(file)
    with pytest.raises(FileRejected) as caught:
        read_published_ids(file, task=replace(OTTO, query_ids="string"))
    assert "“on line 7”" in caught.value.rejection.problems[0].detail
