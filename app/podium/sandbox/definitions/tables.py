"""The task of reading a submission of a table, without its solution."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from podium.sandbox import SandboxTask
from podium.sandbox.definitions.judging import Counts, FingerprintFigures
from podium.scoring.task import Task

COLUMNS = "columns.parquet"
"""The canonical columns of a submission: one row for each published id, in published order, without
the id."""

SOLUTION_OF = {"public": "solution-public.parquet", "private": "solution-private.parquet"}
"""Names of the files of a solution by split: its rows in published order, with `place` (UInt32, the
number of the published id, from 0), the id and its other columns; rows with `Usage` *Both* are in
both files, *Ignored* in neither. Each is stored separately, so that a run for one split never gets
the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRead:
    """A good submission; its canonical columns are written as `COLUMNS`."""

    STATUS: ClassVar = "read"

    counts: Counts
    fingerprint: FingerprintFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable(SandboxTask[TableRead]):
    """Reads and checks a submission of a table, and writes its canonical columns."""

    NAME: ClassVar = "read-table"
    RESULT: ClassVar = TableRead
    LEAVES: ClassVar = (COLUMNS,)

    file: Path
    task: Task
    published: Path
    fingerprint_seed: int | None = None
