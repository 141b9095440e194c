"""Reads whole submissions of lists, as judging does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.reading import read_submission
from podium.scoring.problems import FileRejected
from podium.scoring.repeating import repeat
from tests.builders.scoring.mutations import DEPTH, Case, answers_of


def read(case: Case, folder: Path) -> Any:
    """The lists and counts of a file, or its rejection."""
    file = folder / "submission.csv"
    file.write_bytes(case.text)
    every = repeat(1, case.published.count, pl.UInt8)
    depth = min(DEPTH, case.task.depth)
    plan = ReadingPlan(depth, None, every, lambda block: block)
    try:
        found: ListsRead[ListBlock] = read_submission(
            file, task=case.task, published=case.published, plan=plan, scratch=folder
        )
    except FileRejected as rejected:
        return rejected.rejection
    return answers_of(found.parts), found.rows, found.missing, found.empty, found.lengths
