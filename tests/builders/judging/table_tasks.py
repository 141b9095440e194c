"""Tasks of tables for claims about what is made of their answers.

A submission is JSON that says how the metric ends on each split; a part of the solution is the name
of its split.
"""

from __future__ import annotations

import array
import json
import os
import time
from pathlib import Path

from podium.sandbox import tasks
from podium.sandbox.definitions.custom_metrics import TERMS, MetricRun, RunMetric
from podium.sandbox.definitions.judging import Counts
from podium.sandbox.definitions.tables import COLUMNS, ReadTable, TableRead
from podium.sandbox.registry import FileAtFault, Progress, registered

TABLE_TASKS = "tests.builders.judging.table_tasks"

ROWS = 4


def read_table(_: Progress, task: ReadTable) -> TableRead:
    content = task.file.read_bytes()
    if content.startswith(b"bad"):
        raise FileAtFault(
            {"code": "bad-number", "detail": "no", "line": 2, "errors": [], "error_count": 1}
        )
    if content.startswith(b"raise"):
        raise ValueError("a mistake of ours")
    Path(COLUMNS).write_bytes(content)
    return TableRead(counts=Counts(rows=ROWS, missing=0, empty=0), fingerprint=None)


def run_metric(_: Progress, task: RunMetric) -> MetricRun:
    told = json.loads(task.columns.read_text())[task.solution.read_text()]
    if (act := told.pop("act", None)) is not None:
        _act(act, Path(told.pop("path", "")))
    if "terms_of" in told:
        Path(TERMS).write_bytes(array.array("d", told.pop("terms_of")).tobytes())
    if isinstance(told.get("score"), float):
        told["score"] = told["score"].hex()
    if "numbers" in told:
        told["numbers"] = {name: value.hex() for name, value in told["numbers"].items()}
    return MetricRun(**{"outcome": "measured", "rows": 2, "processor": "a processor"} | told)


def _act(act: str, path: Path) -> None:
    if act == "abort":
        os.abort()
    if act == "leave":
        os._exit(0)
    if act == "raise":
        raise ValueError("the metric's own process says that this is a mistake of ours")
    if act == "sleep":
        time.sleep(600)
    if act == "fill":
        with Path("large").open("wb") as stream:
            stream.truncate(0)
            while True:
                stream.write(bytes(1 << 20))
    if act == "link":
        Path(TERMS).symlink_to("/etc/hostname")


TASKS = {
    **tasks.TASKS,
    **dict([registered(ReadTable, read_table), registered(RunMetric, run_metric)]),
}
