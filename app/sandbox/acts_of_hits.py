"""What a child can be asked about stored hits: thin calls of `scoring`, as in `acts`.

Nothing here reads what a participant has sent: hits were written by a judging.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.scoring.comparison import compare as compare_hits
from app.scoring.comparison import ties_with_first
from app.scoring.ground_truth import GroundTruth
from app.scoring.hits import Hits
from app.scoring.published import PublishedIds
from app.scoring.task import Task

Progress = Callable[[float], None]
Document = dict[str, Any]


def compare(
    _: Progress,
    *,
    hits: Sequence[str],
    task: Document,
    published: str,
    truth: str,
    truth_sha256: str,
) -> Document:
    """Compares submissions by their hits: `{"status": "compared", "splits"}`."""
    hidden = _truth(task, published, truth, truth_sha256)
    submissions = [Hits.read(Path(path), hidden) for path in hits]
    return {"status": "compared", "splits": compare_hits(submissions, hidden)}


def find_ties(
    _: Progress,
    *,
    hits: Sequence[str],
    task: Document,
    published: str,
    truth: str,
    truth_sha256: str,
    split: str,
) -> Document:
    """Which submissions do not differ from the first: `{"status": "compared", "ties": [bool]}`, one
    for each but the first."""
    hidden = _truth(task, published, truth, truth_sha256)
    first, *others = (Hits.read(Path(path), hidden) for path in hits)
    return {"status": "compared", "ties": ties_with_first(first, others, hidden, split=split)}


ACTS: dict[str, Callable[..., Document]] = {"compare": compare, "find-ties": find_ties}
"""The acts by the names that orders use."""


def _truth(task: Document, published: str, truth: str, truth_sha256: str) -> GroundTruth:
    the_task = Task.from_dict(task)
    ids = PublishedIds.read(Path(published), the_task.names)
    return GroundTruth.load(Path(truth), sha256=truth_sha256, published=ids, task=the_task)
