"""What a child can be asked to take scores apart: thin calls of `scoring`, as in `acts`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from podium.scoring.analysis.segments import segments
from podium.scoring.analysis.session_file import SessionFile, read_session_file
from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task
from podium.scoring.truth import GroundTruth

Progress = Callable[[float], None]
Document = dict[str, Any]


def take_apart(
    _: Progress,
    *,
    hits: Sequence[str],
    task: Document,
    published: str,
    truth: str,
    truth_sha256: str,
    sessions: str | None,
    items: str | None,
    items_sha256: str | None,
) -> Document:
    """The score of the only submission by segments: `{"status": "segmented", "segments"}`."""
    the_task = Task.from_dict(task)
    ids = PublishedIds.read(Path(published), the_task.names)
    hidden = GroundTruth.load(Path(truth), sha256=truth_sha256, published=ids, task=the_task)
    known = SessionFile.read(Path(sessions)) if sessions else None
    popular = None
    if items is not None and items_sha256 is not None:
        popular = ItemFile.load(Path(items), sha256=items_sha256, task=the_task)
    found = segments(Hits.read(Path(hits[0]), hidden), sessions=known, items=popular)
    return {"status": "segmented", "segments": found}


def read_sessions(
    _: Progress, *, file: str, task: Document, published: str, sessions_to: str
) -> Document:
    """Reads a file about sessions: `{"status": "read", "columns", "sessions"}`."""
    the_task = Task.from_dict(task)
    ids = PublishedIds.read(Path(published), the_task.names)
    try:
        known = read_session_file(Path(file), task=the_task, published=ids)
    except FileRejected as rejected:
        return {"status": "rejected", "problem": rejected.rejection.to_dict()}
    known.write(Path(sessions_to))
    return {"status": "read", "columns": known.columns, "sessions": known.count}


ACTS: dict[str, Callable[..., Document]] = {
    "segments": take_apart,
    "read-sessions": read_sessions,
}
"""The acts by the names that orders use."""
