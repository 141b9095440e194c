"""Comparisons by the terms that a custom metric tells."""

from __future__ import annotations

import array
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.analysis.custom_comparison import (
    CustomScores,
    compare_custom,
    custom_error,
    custom_ties,
    read_custom,
)
from podium.scoring.columns import TableColumn
from podium.scoring.splits import IGNORED, PRIVATE, PUBLIC
from podium.scoring.task import Objective, Task
from podium.scoring.uncertainty.custom_terms import (
    StoredTerms,
    TermKind,
    TermsCorrupt,
    TermsHead,
    stored_terms,
    write_terms,
)

TASK = Task(
    objectives=(Objective("", Decimal(1), "own", "x"),),
    kind="table",
    table=(TableColumn(name="x"),),
)
ERRORS = TASK.scored_by("own_error")


def stored(
    folder: Path, name: str, value: str, terms: list[float], kind: TermKind = "rows"
) -> StoredTerms:
    path = folder / name
    path.write_bytes(array.array("d", terms).tobytes())
    rows = len(terms) if terms and kind == "rows" else 4
    head = TermsHead(value, rows, kind if terms else "none", len(terms))
    return StoredTerms(head, path if terms else None)


def read(folder: Path, name: str, *args: Any, task: Task = TASK) -> CustomScores:
    write_terms(folder / f"{name}.hits", {"public": stored(folder, name, *args)})
    return read_custom(folder / f"{name}.hits", task)


def test_rows_give_the_standard_error_of_the_mean_difference(tmp_path: Path) -> None:
    one = read(tmp_path, "one", "1", [0.0, 1.0, 1.0, 2.0])
    two = read(tmp_path, "two", "1/2", [0.0, 1.0, 0.0, 1.0])
    # Differences 0, 0, 1, 1: a standard deviation of √(1/3), over √4 rows.
    assert custom_error(one, two, split="public") == pytest.approx((1 / 3) ** 0.5 / 2)
    assert custom_ties(one, [two, one], split="public") == [True, True]
    public = compare_custom([one, two], TASK)["public"]
    assert (public["sessions"], public["method"], public["replicates"]) == (4, "closed-form", None)
    assert public["submissions"][0]["score"]["value"] == 1.0
    (pair,) = public["pairs"]
    assert (pair["first"], pair["second"], pair["score"]["value"]) == (0, 1, 0.5)
    assert pair["score"]["better"] is None


def test_rows_that_belong_together_count_as_one(tmp_path: Path) -> None:
    task = replace(TASK, cluster_column="user")
    solution = tmp_path / "solution"
    sides = [PUBLIC, IGNORED, PUBLIC, PRIVATE, PUBLIC, 4]
    users = ["a", "a", "a", "a", "b", "c"]
    pl.DataFrame({"Usage": sides, "user": users}).write_parquet(solution)
    stored_scores = []
    for name, terms in (("one", [1.0, 1.0, 0.0, 2.0]), ("two", [0.0, 0.0, 0.0, 0.0])):
        write_terms(tmp_path / f"{name}.hits", {"public": stored(tmp_path, name, "1", terms)})
        stored_scores.append(read_custom(tmp_path / f"{name}.hits", task, solution=solution))
    one, two = stored_scores
    # Rows differ from the mean 1 by 0, 0, −1, 1, over four: clusters 0, −1/4, 1/4.
    assert custom_error(one, two, split="public") == pytest.approx((3 / 2 * 2 / 16) ** 0.5)
    assert compare_custom([one, two], task)["public"]["sessions"] == 3
    write_terms(tmp_path / "short", {"private": stored(tmp_path, "three", "1", [1.0])})
    with pytest.raises(TermsCorrupt, match="2 rows of private, not 1"):
        read_custom(tmp_path / "short", task, solution=solution)


def test_resamples_give_the_spread_of_paired_differences(tmp_path: Path) -> None:
    one = read(tmp_path, "one", "1", [1.0, 2.0, 4.0], "resamples")
    two = read(tmp_path, "two", "0", [0.0, 1.0, 1.0], "resamples")
    # Differences 1, 1, 3.
    assert custom_error(one, two, split="public") == pytest.approx((4 / 3) ** 0.5)
    public = compare_custom([one, two], TASK)["public"]
    assert (public["method"], public["replicates"]) == ("bootstrap", 3)


@pytest.mark.parametrize(("task", "better"), [(TASK, "first"), (ERRORS, "second")])
def test_the_better_one_is_the_higher_or_the_smaller_error(
    tmp_path: Path, task: Task, better: str
) -> None:
    one = read(tmp_path, "one", "9", [9.0, 9.1, 8.9, 9.0])
    two = read(tmp_path, "two", "1", [1.0, 1.0, 1.1, 0.9])
    (pair,) = compare_custom([one, two], task)["public"]["pairs"]
    assert pair["score"]["better"] == better


def test_without_terms_nothing_is_known_and_nothing_fails(tmp_path: Path) -> None:
    one, two = read(tmp_path, "one", "1/2", []), read(tmp_path, "two", "1/4", [])
    rows = read(tmp_path, "three", "1/2", [0.0, 1.0, 0.5, 0.5])
    assert custom_error(one, two, split="public") is None
    assert custom_error(one, rows, split="public") is None
    assert custom_ties(one, [two, one, rows], split="public") == [False, True, True]
    (pair,) = compare_custom([one, two], TASK)["public"]["pairs"]
    assert pair["score"]["value"] == 0.25
    assert (pair["score"]["standard_error"], pair["score"]["p"]) == (None, None)


def test_terms_that_are_no_numbers_say_nothing(tmp_path: Path) -> None:
    one = read(tmp_path, "one", "1", [float("nan"), 1.0, 1.0, 2.0])
    assert custom_error(one, one, split="public") is None


def test_weights_scale_values_and_errors(tmp_path: Path) -> None:
    heavy = Task(
        objectives=(Objective("", Decimal(2), "own", "x"),),
        kind="table",
        table=(TableColumn(name="x"),),
    )
    one = read(tmp_path, "one", "1/2", [0.0, 1.0], task=heavy)
    assert one["public"].value == 1
    assert (
        custom_error(one, read(tmp_path, "two", "0", [0.0, 0.0], task=heavy), split="public") == 1
    )


def test_a_private_part_joins_the_public_one_byte_by_byte(tmp_path: Path) -> None:
    write_terms(tmp_path / "one", {"public": stored(tmp_path, "a", "1/3", [1.0, 2.0])})
    private = stored(tmp_path, "b", "1", [5.0])
    write_terms(tmp_path / "both", stored_terms(tmp_path / "one") | {"private": private})
    both = read_custom(tmp_path / "both", TASK)
    assert both["public"].terms is not None
    assert both["private"].terms is not None
    assert both["public"].terms.to_list() == [1.0, 2.0]
    assert both["private"].terms.to_list() == [5.0]
    assert both["public"].value == Fraction(1, 3)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"podium own terms 1\n{}\nmore"])
def test_what_is_no_file_of_terms_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(TermsCorrupt):
        stored_terms(tmp_path / "file")
