"""The form of a table that a custom metric scores at home, as its solution tells it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from podium.cli.offline.custom_metrics.tables import described, read_solution
from podium.errors import NotConfigured
from podium.scoring.columns import TableColumn

SOLUTION = "id,y,Usage\n3,0.5,Public\n1,,Private\n2,1.5,Both\n"


def column(name: str, kind: str = "number", *, is_optional: bool = False) -> TableColumn:
    return TableColumn(name=name, type=kind, is_optional=is_optional, max_length=10_000_000)  # type: ignore[arg-type]


def test_the_solution_tells_ids_and_columns(tmp_path: Path) -> None:
    truth, sent = tmp_path / "solution.csv", tmp_path / "sent.csv"
    truth.write_text("id,whole,flag,word,part\n1,1,True,a,0.5\n2,2,False,,1\n3,3,True,7,\n")
    # Neither its columns nor its values decide anything.
    sent.write_text(",id,whole,flag,word,part\n0,1,x,x,1,x\n")

    task = described(None, truth, sent).task

    assert (task.kind, task.id_column, task.query_ids) == ("table", "id", "integer")
    assert task.table == (
        column("whole"),
        column("flag", "boolean"),
        column("word", "text", is_optional=True),
        column("part", is_optional=True),
    )


def test_a_submission_may_have_some_of_the_columns_of_a_solution(tmp_path: Path) -> None:
    truth, sent = tmp_path / "solution.csv", tmp_path / "sent.csv"
    truth.write_text("id,y,weight\n1,2,1\n2,3,1\n")
    sent.write_text("id,y\n1,2\n2,3\n")

    assert described(None, truth, sent).task.table == (column("y"),)
    sent.write_text("id,y,other\n1,2,3\n2,3,3\n")
    assert described(None, truth, sent).task.table == (column("y"), column("weight"))


def test_columns_that_no_solution_has_are_named_by_an_option(tmp_path: Path) -> None:
    truth = tmp_path / "solution.csv"
    truth.write_text(SOLUTION)

    task = described(None, truth, truth, "low,id,high").task

    assert task.columns == ("id", "low", "high")
    assert task.table == (column("low"), column("high"))
    with pytest.raises(NotConfigured, match="the column of ids is missing, which is id in"):
        described(None, truth, truth, "low,high")


@pytest.mark.parametrize("name", ["007", "a", "2147483648", "-1"])
def test_ids_that_are_no_plain_numbers_are_texts(tmp_path: Path, name: str) -> None:
    truth = tmp_path / "solution.csv"
    truth.write_text(f"row,y\n1,2\n{name},2\n")

    assert described(None, truth, truth).task.query_ids == "string"


def test_a_solution_is_divided_by_its_usage_or_stays_whole(tmp_path: Path) -> None:
    truth, sent = tmp_path / "solution.csv", tmp_path / "sent.csv"
    truth.write_text(SOLUTION)
    sent.write_text("id,y\n1,1\n2,1\n3,1\n")
    task = described(None, truth, sent).task

    parts = read_solution(truth, task, tmp_path).parts

    ids = {name: pl.read_parquet(path)["id"].to_list() for name, path in parts.items()}
    assert ids == {"public": [3, 2], "private": [1, 2]}
    truth.write_text("id,y\n3,0.5\n1,1.5\n")
    assert list(read_solution(truth, task, tmp_path).parts) == ["all"]
