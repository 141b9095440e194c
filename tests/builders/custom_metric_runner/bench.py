"""A folder with a custom metric, a submission's canonical columns and the solution of a split."""

from __future__ import annotations

import shutil
import struct
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from podium.custom_metric_runner import running
from podium.custom_metric_runner.problems import CODE
from podium.custom_metric_runner.values import MetricChecked, MetricRun
from podium.sandbox.definitions.custom_metrics import RunMetric

Columns = Mapping[str, Any]

MEAN = """
    import pandas as pd

    def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
        return float((solution["y"] - submission["p"]).abs().mean())
"""
"""The mean absolute error of the column `p` for the column `y`."""


@dataclass(frozen=True)
class MetricBench:
    """Everything lies below one folder."""

    folder: Path

    @property
    def metric(self) -> Path:
        """The custom metric, named as storage names files."""
        return self.folder / "0f3a"

    def write(self, source: str | bytes) -> Path:
        """Writes the custom metric; Python may be indented as a whole."""
        # A child has no bytecode of an earlier file; here that of one as long, a second ago, would
        # be taken for its own.
        shutil.rmtree(self.folder / "scratch" / CODE, ignore_errors=True)
        content = textwrap.dedent(source).encode() if isinstance(source, str) else source
        self.metric.write_bytes(content)
        return self.metric

    def tables(
        self, solution: Columns, answers: Columns, places: Sequence[int] | None = None
    ) -> None:
        """Writes the solution, whose rows are at these places of the submission, or all in order,
        and the submission."""
        frame = pl.DataFrame(dict(solution))
        numbers = range(frame.height) if places is None else places
        place = pl.Series("place", list(numbers), dtype=pl.UInt32)
        frame.insert_column(0, place).write_parquet(self.folder / "solution.parquet")
        pl.DataFrame(dict(answers)).write_parquet(self.folder / "columns.parquet")

    def small(self) -> None:
        """Writes four rows, of which the answers are 0, 1, 2 and 3 too high."""
        self.tables({"id": [7, 5, 9, 1], "y": [1.0, 2, 3, 4]}, {"p": [1.0, 3, 5, 7]})

    def task(self, **changes: Any) -> RunMetric:
        """The task of scoring what was written."""
        given: dict[str, Any] = {
            "metric": self.metric,
            "columns": self.folder / "columns.parquet",
            "solution": self.folder / "solution.parquet",
            "id_column": "id",
            "arguments": {},
        }
        return RunMetric(**(given | changes))

    def run(self, source: str | bytes | None = None, **changes: Any) -> MetricRun:
        """Scores what was written, in this process."""
        if source is not None:
            self.write(source)
        return running.run(self.task(**changes), self.folder / "scratch", self.folder / "terms.bin")

    def score(self, source: str | bytes | None = None, **changes: Any) -> float:
        """The score of what was written."""
        run = self.run(source, **changes)
        assert run.outcome == "measured", run
        assert run.score is not None
        return float.fromhex(run.score)

    def check(self, source: str | bytes) -> MetricChecked:
        """Looks at a custom metric, in this process."""
        return running.check(self.write(source), self.folder / "scratch")

    def terms(self) -> list[float]:
        """The numbers of the file of terms."""
        content = (self.folder / "terms.bin").read_bytes()
        return list(struct.unpack(f"<{len(content) // 8}d", content))
