"""The figures beside a score at home: only those that there are, and the notes in the text too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders.processes.typed import Typed, typed


def scored(folder: Path, truth: str, file: str, *options: str) -> Typed:
    (folder / "t.csv").write_text(truth)
    (folder / "s.csv").write_text(file)
    return typed("score", folder / "s.csv", "--truth", folder / "t.csv", "--no-history", *options)


LISTS = ("user,item\n42,7\n42,9\n43,9\n", "user,labels\n42,7 1 9\n43,1\n")


@pytest.mark.parametrize("metric", ["map", "r_precision", "mean_f1"])
def test_all_items_of_lists_count_where_a_metric_has_no_k(tmp_path: Path, metric: str) -> None:
    told = scored(tmp_path, *LISTS, "--metric", metric)
    found = scored(tmp_path, *LISTS, "--metric", metric, "--json").document

    assert "2.0 items per list on average; no list is empty\n" in told.out
    assert "3 different items\n" in told.out
    assert (found["lists"]["objectives"][""]["items"], found["lists"]["distinct"]) == (4, 3)
    part = found["objectives"][""]
    assert (part["hits"], part["denominator"], part["queries"]) == (2, 3, 2)


RERANK = (
    "impression,doc,click\n1,7,1\n1,8,0\n2,7,0\n2,9,0\n3,7,1\n",
    "impression,doc,click\n1,7,0.9\n1,8,0\n2,7,0\n2,9,1\n3,7,1\n",
)


def test_a_query_of_candidates_is_all_of_them_and_has_no_hits(tmp_path: Path) -> None:
    document = scored(tmp_path, *RERANK, "--metric", "ndcg@5", "--json").document

    part = document["objectives"][""]
    assert (part["queries"], part["hits"], part["denominator"]) == (3, None, None)


MASKS = ("id,m\n1,1 3\n2,5 2\n", "id,m\n1,1 3\n2,1 3 5\n")


@pytest.mark.parametrize(
    ("files", "options", "note"),
    [
        (
            ("user,labels\n1,7\n2,\n3,\n", "user,labels\n1,7\n2,8\n3,8\n"),
            ("--metric", "map"),
            "2 of 3 ids have no labels: left out of the average",
        ),
        (RERANK, ("--metric", "ndcg@5"), "ndcg@5: 1 query has no relevant candidate: left out"),
        (
            ("user,item,click\n1,7,1\n1,8,0\n2,7,1\n2,8,1\n", "user,item,click\n1,7,1\n1,8,0\n"
             "2,7,1\n2,8,0\n"),
            ("--metric", "gauc", "--task", "scores"),
            "gauc: 1 query has candidates of one class: left out",
        ),
        (MASKS, ("--metric", "jaccard_rle"), "jaccard_rle: 1 row has no mask: 0"),
    ],
)  # fmt: skip
def test_the_notes_of_a_score_stand_in_the_text(
    tmp_path: Path, files: tuple[str, str], options: tuple[str, ...], note: str
) -> None:
    told = scored(tmp_path, *files, *options)

    assert told.code == 0, told.err
    assert [line.split("  ")[-1].strip() for line in told.out.splitlines() if "notes" in line] == [
        note
    ]


def test_a_score_without_notes_has_no_line_of_them(tmp_path: Path) -> None:
    told: Any = scored(tmp_path, *LISTS, "--metric", "map")
    assert "notes" not in told.out
