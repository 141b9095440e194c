"""Columns on which a launch tries a metric."""

from __future__ import annotations

from typing import Any

import polars as pl

from podium.scoring.analysis.tried_columns import TriedColumns, tried_columns
from podium.scoring.columns import TableColumn

NUMBER = TableColumn(name="y", minimum=0, maximum=9)


def solution(places: list[int], **columns: list[Any]) -> pl.DataFrame:
    """The rows of a split."""
    return pl.DataFrame({"place": pl.Series(places, dtype=pl.UInt32), **columns})


def tried(sample: pl.Series, *splits: pl.DataFrame, column: TableColumn = NUMBER) -> TriedColumns:
    """The columns that are tried where a submission has this one."""
    return tried_columns(sample.to_frame(), splits, [column], seed=17)


ZEROS = pl.Series("y", [0.0] * 6)
PUBLIC, PRIVATE = solution([4, 0], y=[4, 1]), solution([0, 2, 3], y=[1, 2, 3])


def test_the_perfect_file_has_the_solution_in_its_places() -> None:
    found = tried(ZEROS, PUBLIC, PRIVATE)
    assert found.perfect["y"].to_list() == [1, 0, 2, 3, 4, 0]
    assert found.perfect["y"].dtype == pl.Float64
    assert not found.unmatched


def test_others_hold_the_same_values_in_another_order_and_leave_ignored_rows() -> None:
    found = tried(ZEROS, PUBLIC, PRIVATE)
    for frame in (found.by_chance, found.shuffled):
        values = frame["y"].to_list()
        assert sorted(values) == [0, 0, 1, 2, 3, 4]
        assert (values[1], values[5]) == (0, 0)


def test_the_same_seed_makes_the_same_files() -> None:
    first, again = tried(ZEROS, PUBLIC, PRIVATE), tried(ZEROS, PUBLIC, PRIVATE)
    assert first.by_chance.equals(again.by_chance)
    assert first.shuffled.equals(again.shuffled)


def test_rows_are_shuffled_as_a_whole() -> None:
    sample = pl.DataFrame({"a": [0.0] * 50, "b": [0.0] * 50})
    rows = solution(list(range(50)), a=list(range(50)), b=list(range(50)))
    columns = [TableColumn(name="a"), TableColumn(name="b")]
    found = tried_columns(sample, [rows], columns, seed=17)
    assert found.shuffled["a"].equals(found.shuffled["b"], check_names=False)
    assert not found.by_chance["a"].equals(found.by_chance["b"], check_names=False)


def test_a_column_that_the_solution_lacks_is_drawn_within_its_range() -> None:
    found = tried(ZEROS, solution([0, 1], z=[1, 2]))
    assert found.unmatched == ("y",)
    assert found.perfect["y"].equals(ZEROS)
    assert all(0 <= value <= 9 for value in found.by_chance["y"])
    assert found.by_chance["y"].n_unique() > 1


def test_values_that_no_submission_may_hold_are_no_perfect_file() -> None:
    assert tried(ZEROS, solution([0], y=[10])).unmatched == ("y",)
    assert tried(ZEROS, solution([0], y=["cat"])).unmatched == ("y",)
    assert tried(ZEROS, solution([0, 1], y=[1, None])).unmatched == ("y",)
    whole = TableColumn(name="y", type="integer")
    integers = pl.Series("y", [0, 0])
    assert tried(integers, solution([0], y=[1.5]), column=whole).unmatched == ("y",)
    assert tried(integers, solution([0], y=[2.0]), column=whole).unmatched == ()
    kind = TableColumn(name="y", type="category", values=("cat", "dog"))
    texts = pl.Series("y", ["cat", "cat"])
    assert tried(texts, solution([0], y=["cow"]), column=kind).unmatched == ("y",)
    assert set(tried(texts, solution([0], z=[1]), column=kind).by_chance["y"]) <= {"cat", "dog"}
