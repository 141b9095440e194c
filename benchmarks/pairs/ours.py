"""Ours: `python -m benchmarks.pairs.ours FOLDER FILE STEP…`.

All checks of a submission of pairs, and with the step `auc` the area under the ROC curve of each
split, with `placements` also what its standard error is made of. The step `floor` stands alone and
reads three columns without any check.
"""

from __future__ import annotations

import sys
import time
from decimal import Decimal
from pathlib import Path

import polars as pl

from benchmarks.contest import hand_back
from benchmarks.pairs.files import PAIRS, SPLITS, TRUTH
from podium.scoring.kernel.library import compiled
from podium.scoring.kernel.ranks import pair_columns, placements
from podium.scoring.kernel.text import WholeLines
from podium.scoring.rows.compiled import read_numbers
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.task import Objective, Task

TASK = Task(
    (Objective("", Decimal(1), "rmse"),),
    kind="rating",
    id_column="user",
    item_column="item",
    labels_column="score",
)


def read(file: Path, pairs: pl.DataFrame) -> pl.Series:
    """The score of each published pair."""
    functions = compiled()
    with file.open("rb", buffering=0) as source:
        (scores,) = read_numbers(
            WholeLines(source, functions.podium_count_lines),
            functions,
            task=TASK,
            published=pairs,
            roles=lambda _: ("key0", "key1", "number0"),
        )
    return scores


def run(folder: Path, file: Path, steps: list[str]) -> dict[str, int]:
    """Does the steps; returns, twice, how many pairs each split has in the right order."""
    if steps == ["floor"]:
        columns = {"user": pl.Int32, "item": pl.Int32, "score": pl.Float64}
        return {"rows": pl.scan_csv(file, schema=columns).collect().height}
    # As in a judging, the truth lies in memory meanwhile: 9 bytes a pair here.
    truth = pl.read_parquet(folder / TRUTH)
    scores = read(file, PublishedRows.read(folder / PAIRS).frame)
    if "auc" not in steps:
        return {"rows": len(scores)}
    given = scores, truth["positive"], truth["split"]
    counts = pair_columns(*given, size=SPLITS).rows()
    if "placements" in steps:
        placements(*given, size=SPLITS)
    return {f"split {split}": twice for split, (twice, _, _) in enumerate(counts)}


if __name__ == "__main__":
    started = time.perf_counter()
    hand_back(started, run(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
