"""Ours: `python -m benchmarks.tables.ours FOLDER COLUMN ORDER STEP`.

The step `read` does all checks of a submission of a table, and brings its rows into published
order; `floor` reads both columns with their types, without any check.
"""

from __future__ import annotations

import sys
import time
from decimal import Decimal
from pathlib import Path

import polars as pl

from benchmarks.contest import hand_back
from benchmarks.tables.files import CLASSES, IDS, NUMBERS
from podium.scoring.columns import TableColumn
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.tables.reading import read_table
from podium.scoring.task import Objective, Task

COLUMNS = {
    True: TableColumn(name="value", minimum=0, maximum=1),
    False: TableColumn(name="value", type="category", values=CLASSES),
}
"""The column of numbers, and that of labels."""


def run(folder: Path, column: str, order: str, step: str) -> dict[str, int]:
    """Does the step; returns the rows, or a sum that depends on their order."""
    file, is_number = folder / f"{column}-{order}.csv", column == NUMBERS
    if step == "floor":
        columns = {"id": pl.Int32, "value": pl.Float64 if is_number else pl.String}
        return {"rows": pl.scan_csv(file, schema=columns).collect().height}
    task = Task(
        (Objective("", Decimal(1), "own"),),
        kind="table",
        id_column="id",
        table=(COLUMNS[is_number],),
    )
    published = PublishedRows.read(folder / IDS)
    [values] = read_table(file, task=task, published=published)
    places = pl.int_range(len(values), dtype=pl.UInt64, eager=True)
    return {"sum": int((values.hash() * (2 * places + 1)).sum())}


if __name__ == "__main__":
    started = time.perf_counter()
    hand_back(started, run(Path(sys.argv[1]), *sys.argv[2:]))
