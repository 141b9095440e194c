"""Finds the sessions that a submission has rows of, where there is no list of published ids."""

from __future__ import annotations

from pathlib import Path

from podium.scoring.combining.spool import deep
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.text import NotPlain
from podium.scoring.lists.opening import list_source
from podium.scoring.lists.reading import list_lines
from podium.scoring.lists.sessions import list_sessions
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.opening import spelling_in
from podium.scoring.task import Task
from podium.scoring.truth.reading import read_published_ids

MAX_LISTED_ROWS = 1 << 28
"""The most rows of a Parquet file from which ids are read."""


def answered_ids(file: Path, *, task: Task) -> PublishedIds:
    """Finds the sessions that a submission has rows of, in their order. Most problems of the file
    are left to its reader; raises FileRejected if not even the ids can be read."""
    functions, spelling = kernel(), spelling_in(file, task)
    if functions is not None:
        try:
            with list_source(
                file, deep(task), max_rows=MAX_LISTED_ROWS, spelling=spelling
            ) as source:
                lines = list_lines(source, functions, deep(task), spelling)
                sessions = list_sessions(lines, functions, deep(task))
            return PublishedIds(sessions, task.names)
        except NotPlain:
            pass
    return read_published_ids(file, task=deep(task))
