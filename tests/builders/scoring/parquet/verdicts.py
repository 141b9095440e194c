"""Files of Parquet beside their text: the findings of the compiled reader, and of all readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.kernel.library import compiled
from podium.scoring.kernel.text import Lines, NotPlain, WholeLines
from podium.scoring.lists.compiled import read_lists
from podium.scoring.lists.opening import list_source
from podium.scoring.lists.parquet_lines import ParquetLines
from podium.scoring.lists.plan import ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.problems import FileRejected
from podium.scoring.repeating import repeat
from podium.scoring.task import MAX_SURPLUS_ROWS, Task
from tests.builders.scoring.mutations import DEPTH, Case, answers_of, labels_of


@contextmanager
def as_columns(file: Path, task: Task, max_rows: int) -> Iterator[Lines]:
    """The lines of a file of Parquet."""
    yield ParquetLines(file, task, compiled(), max_rows=max_rows)


@contextmanager
def as_text(file: Path, task: Task, max_rows: int) -> Iterator[Lines]:
    """The lines of its text."""
    with list_source(file, task, max_rows=max_rows) as source:
        yield WholeLines(source)


def compiled_verdict(file: Path, case: Case, opened: Any, threads: int = 2) -> Any:
    """The compiled reader's answer; None where the strict reader has to decide."""
    try:
        with opened(file, case.task, case.published.count + MAX_SURPLUS_ROWS) as lines:
            read = read_lists(
                lines, compiled(), task=case.task, published=case.published, plan=_plan_of(case),
                threads=threads,
            )  # fmt: skip
    except (NotPlain, FileRejected):
        return None
    return _findings(read)


def _plan_of(case: Case) -> ReadingPlan[Any]:
    every = repeat(1, case.published.count, pl.UInt8)
    return ReadingPlan(DEPTH, labels_of(case, {}), every, lambda block: block)


def _findings(read: Any) -> Any:
    return answers_of(read.parts), read.rows, read.missing, read.empty, read.ranks.to_list()


def whole_verdict(file: Path, case: Case) -> Any:
    """The findings, or all problems that a participant gets."""
    try:
        read = read_submission(
            file, task=case.task, published=case.published, plan=_plan_of(case), scratch=file.parent
        )
    except FileRejected as rejected:
        return rejected.rejection
    return _findings(read)
