"""The form of a table as its solution and a submission tell it, at home."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from podium.cli.offline.own_metrics.tables import described, read_solution
from podium.errors import NotConfigured
from podium.scoring.tables.columns import TableColumn

SOLUTION = "id,y,Usage\n3,0.5,Public\n1,,Private\n2,1.5,Both\n"


def test_the_files_tell_ids_and_columns(tmp_path: Path) -> None:
    truth, sent = tmp_path / "solution.csv", tmp_path / "sent.csv"
    truth.write_text(SOLUTION)
    sent.write_text("whole,id,flag,word,part\n1,1,True,a,0.5\n2,2,False,,1\n3,3,True,7,\n")

    task = described(None, truth, sent).task

    assert (task.kind, task.id_column, task.query_ids) == ("table", "id", "integer")
    assert task.table == (
        TableColumn(name="whole", type="integer", max_length=10_000_000),
        TableColumn(name="flag", type="boolean", max_length=10_000_000),
        TableColumn(name="word", type="text", is_optional=True, max_length=10_000_000),
        TableColumn(name="part", type="number", is_optional=True, max_length=10_000_000),
    )


@pytest.mark.parametrize("name", ["007", "a", "2147483648", "-1"])
def test_ids_that_are_no_plain_numbers_are_texts(tmp_path: Path, name: str) -> None:
    truth, sent = tmp_path / "solution.csv", tmp_path / "sent.csv"
    truth.write_text(f"row,y\n1,2\n{name},2\n")
    sent.write_text(f"row,y\n1,2\n{name},2\n")

    assert described(None, truth, sent).task.query_ids == "string"


def test_a_submission_without_the_ids_is_refused(tmp_path: Path) -> None:
    truth, sent = tmp_path / "solution.csv", tmp_path / "sent.csv"
    truth.write_text(SOLUTION)
    sent.write_text("ID,y\n1,1\n")

    with pytest.raises(NotConfigured, match='has no column "id", which is the first of'):
        described(None, truth, sent)


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
