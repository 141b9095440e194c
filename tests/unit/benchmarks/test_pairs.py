"""The benchmark of scored pairs on few of them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from benchmarks.pairs import files, ours


def test_both_orders_of_the_rows_count_the_same_pairs(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    files.make(folder, 5000)
    in_order, shuffled = folder / files.IN_ORDER, folder / files.SHUFFLED
    assert in_order.read_bytes() != shuffled.read_bytes()
    assert pl.read_parquet(folder / files.PAIRS).is_unique().all()
    for file in (in_order, shuffled):
        assert ours.run(folder, file, ["floor"]) == ours.run(folder, file, []) == {"rows": 5000}
    counts = ours.run(folder, in_order, ["auc", "placements"])
    assert counts == ours.run(folder, shuffled, ["auc"])
    truth = pl.read_parquet(folder / files.TRUTH)
    # Positives score higher by two thirds of a standard deviation.
    split = truth.filter(pl.col("split") == 0)["positive"].to_list()
    area = counts["split 0"] / (2 * split.count(True) * split.count(False))
    assert area == pytest.approx(0.68, abs=0.08)
