"""Tasks about scores by segments: thin calls of `scoring`, as in `judging`."""

from __future__ import annotations

from pathlib import Path

from podium.sandbox.definitions.hits import Segmented, TakeApart
from podium.sandbox.definitions.materials import COLUMNS, ReadSessions, SessionsRead
from podium.sandbox.registry import Progress, blaming_the_file, registered
from podium.scoring.analysis.segments import segments
from podium.scoring.analysis.session_file import SessionFile, read_session_file
from podium.scoring.hits import Hits
from podium.scoring.items import ItemFile
from podium.scoring.published import PublishedIds
from podium.scoring.truth.canonical import GroundTruth


def take_apart(_: Progress, task: TakeApart) -> Segmented:
    """Scores the only submission by segments."""
    judged = task.judged
    ids = PublishedIds.read(judged.published, judged.task.names)
    hidden = GroundTruth.load(
        judged.truth, sha256=judged.truth_sha256, published=ids, task=judged.task
    )
    known = SessionFile.read(task.sessions) if task.sessions else None
    popular = None
    if task.items is not None and task.items_sha256 is not None:
        popular = ItemFile.load(task.items, sha256=task.items_sha256, task=judged.task)
    hits = Hits.read(judged.hits[0], hidden)
    return Segmented(segments=segments(hits, sessions=known, items=popular))


def read_sessions(_: Progress, task: ReadSessions) -> SessionsRead:
    """Reads a file about sessions."""
    ids = PublishedIds.read(task.published, task.task.names)
    with blaming_the_file():
        known = read_session_file(task.file, task=task.task, published=ids)
    known.write(Path.cwd() / COLUMNS)
    return SessionsRead(columns=tuple(known.columns), sessions=known.count)


TASKS = dict([registered(TakeApart, take_apart), registered(ReadSessions, read_sessions)])
