"""Types of columns in Parquet: what holds the same values is taken, and anything else named."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.builders.processes.typed import Typed, typed
from tests.builders.scoring.tables.parquet import WIDTHS

FRAMES: dict[str, tuple[tuple[str, ...], pl.DataFrame]] = {
    "ranking": (
        ("--metric", "recall@2"),
        pl.DataFrame({"user": [1, 2, 3], "labels": [[7, 8], [9, 5], [6, 4]]}),
    ),
    "rating": (
        ("--metric", "mae"),
        pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 7], "rating": [3.0, 4.5, 1.0]}),
    ),
    "scores": (
        ("--metric", "auc"),
        pl.DataFrame({"user": [1, 2, 3], "item": [7, 8, 7], "click": [0, 1, 0]}),
    ),
    "rerank": (
        ("--metric", "ndcg@2"),
        pl.DataFrame({"query": [1, 1, 1], "doc": [7, 8, 9], "click": [0, 1, 0]}),
    ),
    "table": (
        ("--metric", "mae"),
        pl.DataFrame({"id": [1, 2, 3], "y": [4, 3, 9]}),
    ),
}
"""Files that are a ground truth and the answer to it: the score is perfect."""

PERFECT = {"rating": 0.0, "table": 0.0}

WRONG_TYPES: dict[str, pl.Series] = {
    "List(Int64)": pl.Series([[1], [2], [3]], dtype=pl.List(pl.Int64)),
    "Array(Float64)": pl.Series([[1.5], [2], [3]], dtype=pl.Array(pl.Float64, 1)),
    "List(List(Int64))": pl.Series([[[1]], [[2]], [[3]]]),
    "Struct": pl.Series([{"a": 1}, {"a": 2}, {"a": 3}]),
    "Binary": pl.Series([b"1", b"2", b"3"]),
    "Date": pl.Series([date(2026, 1, day) for day in (1, 2, 3)]),
}

COLUMNS = [(kind, name) for kind, (_, frame) in FRAMES.items() for name in frame.columns]


def scored(folder: Path, kind: str, file: pl.DataFrame, truth: pl.DataFrame) -> Typed:
    file.write_parquet(folder / "s.parquet")
    truth.write_parquet(folder / "t.parquet")
    asked = (folder / "s.parquet", "--truth", folder / "t.parquet", "--task", kind)
    return typed("score", *asked, *FRAMES[kind][0], "--no-history", "--json")


@pytest.mark.parametrize("found", WRONG_TYPES)
@pytest.mark.parametrize(("kind", "name"), COLUMNS)
def test_a_column_that_holds_no_values_of_its_kind_is_named_with_its_type(
    tmp_path: Path, kind: str, name: str, found: str
) -> None:
    frame = FRAMES[kind][1]
    wrong = frame.with_columns(WRONG_TYPES[found].alias(name))
    if name == "labels" and found == "List(Int64)":
        return  # These are lists of items.

    file = scored(tmp_path, kind, wrong, frame)
    truth = scored(tmp_path, kind, frame, wrong)

    [problem] = file.document["problem"]["errors"]
    assert (file.code, problem["code"]) == (3, "parquet-schema")
    assert f"column “{name}” holds {found} instead of " in problem["detail"]
    assert problem["hint"].startswith("Write ")
    assert truth.code == 2
    assert f"{name}” holds {found} instead of" in truth.err or "--metric" in truth.err, truth.err


@pytest.mark.parametrize("width", WIDTHS, ids=str)
@pytest.mark.parametrize("kind", FRAMES)
def test_integers_of_every_width_are_ids_items_and_numbers(
    tmp_path: Path, kind: str, width: Any
) -> None:
    frame = FRAMES[kind][1]
    cast = frame.cast(
        {name: width if kind.is_integer() else kind for name, kind in frame.schema.items()}
    )
    cast = cast.with_columns(pl.selectors.list().cast(pl.List(width)))

    done = scored(tmp_path, kind, cast, cast)

    assert done.code == 0, done.err
    assert done.document["score"] == PERFECT.get(kind, 1.0)


@pytest.mark.parametrize(
    "labels",
    [
        pl.Series([[7, 8], [9, 5], [6, 4]], dtype=pl.Array(pl.Int64, 2)),
        pl.Series([[7, 8], [9, 5], [6, 4]], dtype=pl.Array(pl.UInt8, 2)),
        pl.Series([["7", "8"], ["9", "5"], ["6", "4"]]),
        pl.Series([["7", "8"], ["9", "5"], ["6", "4"]], dtype=pl.Array(pl.String, 2)),
        pl.Series([["7", "8"], ["9", "5"], ["6", "4"]], dtype=pl.List(pl.Categorical)),
        pl.Series(["7 8", "9 5", "6 4"]),
    ],
    ids=lambda series: str(series.dtype),
)
@pytest.mark.parametrize("kinds", ["integer", "string"])
def test_lists_of_every_kind_hold_items(tmp_path: Path, labels: pl.Series, kinds: str) -> None:
    frame = pl.DataFrame({"user": [1, 2, 3], "labels": labels})
    frame.write_parquet(tmp_path / "f.parquet")
    asked = ("--truth", tmp_path / "f.parquet", "--metric", "recall@2", "--item-ids", kinds)

    done = typed("score", tmp_path / "f.parquet", *asked, "--no-history", "--json")

    assert (done.code, done.err) == (0, "")
    assert (done.document["score"], done.document["lists"]["distinct"]) == (1.0, 6)


@pytest.mark.parametrize("item", ["a b", "", 'a"', "a,b", "a\tb", None])
def test_an_item_of_a_list_that_no_line_can_hold_is_named_by_its_row(
    tmp_path: Path, item: str | None
) -> None:
    good = pl.DataFrame({"user": [1, 2], "labels": [["a", "b"], ["c"]]})
    bad = pl.DataFrame({"user": [1, 2], "labels": [["a", "b"], ["c", item]]})

    file = scored(tmp_path, "ranking", bad, good)
    truth = scored(tmp_path, "ranking", good, bad)

    [problem] = file.document["problem"]["errors"]
    assert (file.code, problem["code"], problem["row"]) == (3, "bad-label", 1)
    assert "an item of the list is " in problem["detail"]
    assert (truth.code, "an item of the list is " in truth.err) == (2, True)
