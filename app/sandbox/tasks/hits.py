"""What a child can be asked about stored hits: thin calls of `scoring`, as in `acts`.

Nothing here reads what a participant has sent: hits were written by a judging.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from podium.scoring.analysis.comparison import compare as compare_judged
from podium.scoring.analysis.comparison import error_of_difference, read_judged, ties_with_first
from podium.scoring.kinds import Truth, load_published, load_truth
from podium.scoring.task import Task

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
    submissions = [read_judged(Path(path), hidden) for path in hits]
    return {"status": "compared", "splits": compare_judged(submissions, hidden)}


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
    first, *others = (read_judged(Path(path), hidden) for path in hits)
    return {"status": "compared", "ties": ties_with_first(first, others, hidden, split=split)}


def find_error(
    _: Progress,
    *,
    hits: Sequence[str],
    task: Document,
    published: str,
    truth: str,
    truth_sha256: str,
) -> Document:
    """How uncertain the difference of two public scores is: `{"status": "compared",
    "standard_error"}`."""
    hidden = _truth(task, published, truth, truth_sha256)
    first, second = (read_judged(Path(path), hidden) for path in hits)
    error = error_of_difference(first, second, hidden, split="public")
    return {"status": "compared", "standard_error": error}


ACTS: dict[str, Callable[..., Document]] = {
    "compare": compare,
    "find-ties": find_ties,
    "find-error": find_error,
}
"""The acts by the names that orders use."""


def _truth(task: Document, published: str, truth: str, truth_sha256: str) -> Truth:
    the_task = Task.from_dict(task)
    ids = load_published(Path(published), the_task)
    return load_truth(Path(truth), sha256=truth_sha256, published=ids, task=the_task)
