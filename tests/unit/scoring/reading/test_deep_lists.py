"""Lists as deep as a thousand items, of 64 bytes each."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.engine import judge, perfect_submission
from podium.scoring.published import PublishedIds
from podium.scoring.task import Objective
from podium.scoring.text.blocks import KEPT_BYTES
from tests.builders.scoring.competitions import score
from tests.builders.scoring.submissions import problems, read
from tests.unit.scoring.reading.text_truths import HASH, SINGLE, truth_of

DEEP = dataclasses.replace(SINGLE, objectives=(Objective("", Decimal(1), "recall@1000"),))


@pytest.mark.parametrize("shape", ["plain", "quoted", "parquet"])
def test_a_list_of_a_thousand_items_of_64_bytes_is_looked_at_to_its_end(
    tmp_path: Path, shape: str
) -> None:
    items = [f"{n:064}" for n in range(1200)]
    truth, published = truth_of(
        tmp_path, f"customer_id,labels\n{HASH},{items[999]} {items[1000]}\n", DEEP
    )
    fitting = items[: (DEEP.max_line_bytes - len(HASH) - 1) // 65]
    assert 1000 < len(fitting) < 1200
    row = {"plain": f"{HASH},{' '.join(fitting)}", "quoted": f'"{HASH}","{" ".join(fitting[:-1])}"'}
    path = tmp_path / "file"
    if shape == "parquet":
        frame = pl.DataFrame({"customer_id": [HASH], "labels": [" ".join(fitting)]})
        frame.write_parquet(path)
    else:
        path.write_text(f"customer_id,labels\n{row[shape]}\n")
    scored = judge(path, task=DEEP, published=published, truth=truth, scratch=tmp_path)
    assert scored.splits["all"].values[""] == Decimal("0.5")


def test_a_line_that_is_too_long_is_named_however_deep_lists_are() -> None:
    published = PublishedIds(pl.Series([HASH]), ("",))
    longest = b"customer_id,labels\n" + HASH.encode() + b"," + b"x" * 50
    longest += b" " * (DEEP.max_line_bytes - len(longest) + len(b"customer_id,labels\n"))
    assert read(longest, task=DEEP, published=published)[0].rows == 1
    assert problems(longest + b" ", task=DEEP, published=published)[0] == (2, "line-too-long")


@pytest.mark.parametrize("item_ids", ["integer", "string"])
def test_the_longest_line_fits_into_what_is_kept_of_a_line(item_ids: Any) -> None:
    deepest = dataclasses.replace(DEEP, item_ids=item_ids)
    assert deepest.max_line_bytes < KEPT_BYTES
    item = {"integer": "2147483647", "string": "x" * 64}[item_ids]
    assert len(f"{'x' * 64}_{'o' * 32},{' '.join([item] * 1000)}") < deepest.max_line_bytes


def test_a_perfect_file_of_a_thousand_labels_is_perfect(tmp_path: Path) -> None:
    labels = [f"{n:064}" for n in range(1500)]
    line = {"session": HASH, "labels": labels}
    task = dataclasses.replace(DEEP, diagnostics=("map_capped@1000", "ndcg@1000"))
    truth = truth_of(tmp_path, json.dumps(line) + "\n", task)
    split = score(tmp_path, b"".join(perfect_submission(*truth, task)), truth, task).splits["all"]
    assert split.hits == {"": 1000}
    assert {metric: of[""] for metric, of in split.diagnostics.items()} == {
        "map_capped@1000": 1,
        "ndcg@1000": 1,
    }
