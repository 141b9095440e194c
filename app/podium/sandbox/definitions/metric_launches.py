"""The task of creating the columns on which a launch tries a custom metric."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from podium.sandbox import SandboxTask
from podium.scoring.task import Task

PERFECT, BY_CHANCE, SHUFFLED = "perfect.parquet", "chance.parquet", "shuffled.parquet"
"""Names of the output files with columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsMade:
    """The columns were created; for the `unmatched` ones the perfect file has only the sample's
    values."""

    STATUS: ClassVar = "made"

    unmatched: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeTriedColumns(SandboxTask[ColumnsMade]):
    """Creates a perfect file, a random one and one with shuffled rows, as canonical columns, from
    those of the sample submission and the solution of each split."""

    NAME: ClassVar = "make-tried-columns"
    RESULT: ClassVar = ColumnsMade
    LEAVES: ClassVar = (PERFECT, BY_CHANCE, SHUFFLED)

    sample: Path
    solutions: tuple[Path, ...]
    task: Task
    seed: int
