"""The differences between two versions of a ground truth, counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.analysis.truth_changes import changes
from tests.builders.scoring.pairs import USAGE, truth_of
from tests.unit.scoring.truth.forms import JSONL, read


def counted(tmp_path: Path, before: str, after: str) -> dict[str, Any]:
    """The changes from one text to another with the ids of the first."""
    one, published = read(tmp_path, before)
    other, _ = read(tmp_path, after, published=published)
    return changes(one.frame, other.frame, published=published)


def test_a_version_has_no_changes_to_itself(tmp_path: Path) -> None:
    found = counted(tmp_path, JSONL, JSONL)
    same = {"only_before": 0, "only_after": 0}
    assert found == {
        "ids": {"before": 2, "after": 2, **same, "different": 0},
        "lists": {"before": 4, "after": 4, **same, "different": 0},
        "labels": {"before": 5, "after": 5, **same},
        "examples": {"only_before": [], "only_after": [], "different": []},
    }


def test_lists_that_appear_vanish_or_change_are_counted_apart(tmp_path: Path) -> None:
    after = '{"session": 42, "labels": {"clicks": 3, "carts": [2, 4], "orders": [3]}}\n'
    found = counted(tmp_path, JSONL, after)
    assert found["ids"] == {
        "before": 2,
        "after": 1,
        "only_before": 1,
        "only_after": 0,
        "different": 1,
    }
    assert found["lists"] == {
        "before": 4,
        "after": 3,
        "only_before": 1,
        "only_after": 0,
        "different": 1,
    }
    assert found["labels"] == {"before": 5, "after": 4, "only_before": 2, "only_after": 1}
    assert found["examples"] == {"only_before": ["7"], "only_after": [], "different": ["42"]}


def test_the_first_ten_ids_whose_labels_changed_are_named_in_order(tmp_path: Path) -> None:
    def lines(clicks: int) -> str:
        row = '{{"session": {0}, "labels": {{"clicks": {1}, "carts": [2], "orders": [5]}}}}\n'
        return "".join(row.format(session, clicks) for session in range(112, 100, -1))

    found = counted(tmp_path, lines(3), lines(4))
    assert found["ids"]["different"] == 12
    _, published = read(tmp_path, lines(3))
    named = [str(session) for session in published.sessions[:10]]
    assert found["examples"]["different"] == named


@pytest.mark.parametrize(("relevance", "different"), [(1.0, 0), (2.0, 1)])
def test_labels_that_are_not_graded_count_1(
    tmp_path: Path, relevance: float, different: int
) -> None:
    truth, published = read(tmp_path, JSONL)
    first = pl.int_range(truth.frame.height, eager=True) == 0
    graded = truth.frame.with_columns(relevance=pl.when(first).then(relevance).otherwise(1.0))
    for pair in ((truth.frame, graded), (graded, truth.frame)):
        assert changes(*pair, published=published)["lists"]["different"] == different


def test_a_rated_pair_is_an_id_with_one_list(tmp_path: Path) -> None:
    text = "user,item,rating,Usage\n7,10,4,Public\n7,11,2,Public\n3,10,5,Private\n"
    before, published = truth_of(tmp_path, text, split=USAGE)
    frame = before.frame.filter(pl.col("pair") < 2)
    after = frame.with_columns(target0=pl.when(pl.col("pair") == 0).then(1.5).otherwise("target0"))
    found = changes(before.frame, after, published=published)
    assert found["ids"]["only_before"] == 1
    assert (found["ids"]["different"], found["lists"]["different"]) == (1, 1)
    assert found["examples"]["different"] == [published.name_of(0)]
    assert found["examples"]["only_before"] == [published.name_of(2)]
