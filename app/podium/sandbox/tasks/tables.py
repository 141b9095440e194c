"""The task of reading a submission of a table, as in `judging`; it has no access to the
solution."""

from __future__ import annotations

from pathlib import Path

from podium.sandbox.definitions.judging import Counts
from podium.sandbox.definitions.tables import COLUMNS, ReadTable, TableRead
from podium.sandbox.registry import Progress, blaming_the_file, registered
from podium.sandbox.tasks.fingerprints import figures_of
from podium.scoring.fingerprint import FingerprintReader
from podium.scoring.parquet.files import write_frame
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.tables.reading import fingerprint_of, read_table


def read(progress: Progress, task: ReadTable) -> TableRead:
    """Reads and checks a submission, and writes its canonical columns."""
    published = PublishedRows.read(task.published)
    with blaming_the_file():
        columns = read_table(task.file, task=task.task, published=published, progress=progress)
    write_frame(columns, Path.cwd() / COLUMNS)
    marks = None
    if task.fingerprint_seed is not None:
        marks = FingerprintReader(seed=task.fingerprint_seed, queries=published.count)
    return TableRead(
        counts=Counts(rows=published.count, missing=0, empty=0),
        fingerprint=figures_of(None if marks is None else fingerprint_of(columns, marks)),
    )


TASKS = dict([registered(ReadTable, read)])
