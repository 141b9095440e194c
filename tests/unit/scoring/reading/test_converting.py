"""Submissions of other forms become files as the competition takes them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from podium.scoring import engine
from podium.scoring.combining.converting import Converted, convert
from podium.scoring.problems import FileRejected
from podium.scoring.task import Objective, Task

TASKS = {
    "ranking": Task((Objective("", Decimal(1), "recall@2"),), id_column="user"),
    "rating": Task((Objective("", Decimal(1), "rmse"),), kind="rating", id_column="user"),
}
SAMPLES = {"ranking": "user,labels\n1,\n2,\n", "rating": "user,item,labels\n1,7,0\n2,8,0\n"}


def converted(text: str, folder: Path, kind: str = "ranking", **changes: Any) -> Any:
    """The text that a file becomes, beside what is told of it; None where nothing is to do."""
    file, sample, to = (folder / name for name in ("file", "sample.csv", "to.csv"))
    file.write_text(text)
    sample.write_text(SAMPLES[kind])
    task = replace(TASKS[kind], **changes)
    published = engine.read_published(sample, task=task)
    found = convert(file, task=task, published=published, scratch=folder, to=to)
    return None if found is None else (to.read_text(), found)


def test_rows_of_items_become_lists_of_those_that_count(tmp_path: Path) -> None:
    text = "user\titem\trank\n2\t5\t3\n1\t9\t2\n1\t7\t1\n1\t4\t8\n"
    assert converted(text, tmp_path) == (
        "user,labels\n1,7 9\n2,5\n",
        Converted(
            "one item per row, by rank; separated by tabs",
            ("separators", "item-rows"),
            {"rows": 2, "missing": 0, "empty": 0},
            cut=2,
        ),
    )


def test_numbers_of_pairs_keep_their_spelling(tmp_path: Path) -> None:
    text, found = converted("n;labels;item;user\na;1e0;7;1\n;0.10;8;2\n", tmp_path, "rating")
    assert text == "labels,item,user\n1e0,7,1\n0.10,8,2\n"
    assert found.forms == ("separators", "extra-columns")
    assert found.cut is None
    text, _ = converted("1,7,5\n2,8,1\n", tmp_path, "rating")
    assert text == "user,item,labels\n1,7,5\n2,8,1\n"


def test_a_file_in_the_form_of_the_sample_is_left_alone(tmp_path: Path) -> None:
    assert converted("user,labels\n1,7 9\n2,\n", tmp_path) is None
    assert not (tmp_path / "to.csv").exists()


BAD = {
    "1\t7\n1\t9\n3\t5\n2\t5\n": (3, "unknown-id"),
    "1\t7\n1\t9\n": (None, "missing-ids"),
    "user;labels\n1;7\n2;8\n1;9\n": (4, "duplicate-id"),
    # A header with a wrong name is no row.
    "id,labels\n1,7 9\n2,5\n": (1, "header-mismatch"),
}


@pytest.mark.parametrize("text", BAD)
def test_a_file_with_problems_is_refused_with_their_lines(text: str, tmp_path: Path) -> None:
    with pytest.raises(FileRejected) as refused:
        converted(text, tmp_path)
    first = refused.value.rejection.problems[0]
    assert (first.line, first.code) == BAD[text]
    assert not (tmp_path / "to.csv").exists()


def test_an_order_of_candidates_is_not_guessed(tmp_path: Path) -> None:
    ranked = Task((Objective("", Decimal(1), "mrr"),), kind="rerank", id_column="user")
    file, sample = tmp_path / "file", tmp_path / "sample.csv"
    file.write_text("1 [2,1]\n")
    sample.write_text("user,item,labels\n1,7,0\n1,8,0\n")
    published = engine.read_published(sample, task=ranked)
    with pytest.raises(FileRejected) as refused:
        convert(file, task=ranked, published=published, scratch=tmp_path, to=tmp_path / "to")
    found = refused.value.rejection
    assert found.problems[0].code == "header-mismatch"
    assert found.readable_as is not None
    assert found.readable_as.forms == ("candidate-ranks",)
