"""Our NDCG@20 on the data set that other libraries get: JSON to stdout, as theirs.

python -m benchmarks.libraries.ours DATA.npz LISTS.csv ROUNDS
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl

from podium import __version__
from podium.scoring.engine import judge
from podium.scoring.hits import Hits
from podium.scoring.published import PublishedIds
from podium.scoring.scores.list_scores import split_scores
from podium.scoring.splits import ALL
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruth

K = 20
OURS = "ours: CSV to score, all checks"
ARRAYS = "ours: from the same arrays"

TASK = Task((Objective("", Decimal(1), f"ndcg@{K}"),), id_column="user")


def main(path: str, file: Path, rounds: int) -> None:
    """Times both ways, and prints seconds and values."""
    data = np.load(path)
    lists, users = data["lists"], len(data["lists"])
    labels = pl.DataFrame({"query": data["user"], "item": data["item"]})
    labels = labels.cast({"query": pl.UInt32, "item": pl.Int32}).sort("query", "item")
    truth = GroundTruth(labels.with_columns(split=pl.lit(ALL, dtype=pl.UInt8)), TASK, users)
    published = PublishedIds(pl.int_range(users, dtype=pl.Int32, eager=True), TASK.names)
    with tempfile.TemporaryDirectory() as scratch:
        ways: dict[str, Callable[[], float]] = {
            OURS: lambda: _from_text(file, replace(truth), published, Path(scratch)),
            ARRAYS: lambda: _from_arrays(lists, replace(truth)),
        }
        found = {name: _timed(way, rounds) for name, way in ways.items()}
    print(json.dumps(found))


def _from_text(file: Path, truth: GroundTruth, published: PublishedIds, scratch: Path) -> float:
    scored = judge(file, task=TASK, published=published, truth=truth, scratch=scratch)
    return float(scored.splits["all"].score(TASK))


def _from_arrays(lists: np.ndarray, truth: GroundTruth) -> float:
    size = lists.shape[0] * K
    number = pl.int_range(size, dtype=pl.UInt32, eager=True)
    places = pl.DataFrame({"query": number // K, "item": lists.ravel(), "rank": number % K + 1})
    wanted = truth.frame.select("query", "item").with_row_index("label")
    found = places.join(wanted, on=["query", "item"])
    hits = Hits.of(found, truth)
    return float(split_scores(hits, truth)["all"].score(TASK))


def _timed(way: Callable[[], float], rounds: int) -> dict[str, object]:
    value, seconds = way(), []
    for _ in range(rounds):
        start = time.perf_counter()
        way()
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "value": value, "version": __version__}


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
