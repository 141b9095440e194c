"""Both readers of label files, one beside the other."""

from __future__ import annotations

from pathlib import Path

from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.splits import SplitRule
from podium.scoring.task import Task
from podium.scoring.truth.labels import LabelsRead
from podium.scoring.truth.reading import collect_labels
from podium.scoring.truth.well_formed import read_well_formed
from tests.builders.scoring.competitions import WHOLE


def both(
    path: Path, task: Task, published: PublishedIds | None, split: SplitRule = WHOLE
) -> tuple[LabelsRead | None, LabelsRead | None]:
    """The answer of either reader; the collecting one raises where the other only falls back."""
    try:
        collected = collect_labels(path, task=task, published=published, split=split)
    except FileRejected:
        collected = None
    by_usage = split.kind == "usage"
    fast = read_well_formed(path, task=task, published=published, needs_usage=by_usage)
    return fast, collected


def alike(one: LabelsRead, other: LabelsRead) -> bool:
    return (
        one.frame.equals(other.frame)
        and one.frame.schema == other.frame.schema
        and one.published.sessions.equals(other.published.sessions)
        and one.published.sessions.dtype == other.published.sessions.dtype
        and one.only_labelled == other.only_labelled
        and (one.sides is None) == (other.sides is None)
        and (one.sides is None or other.sides is None or one.sides.equals(other.sides))
        and (one.irrelevant, one.repeated) == (other.irrelevant, other.repeated)
        and (one.ignored, one.without_item) == (other.ignored, other.without_item)
    )


def agree(
    path: Path, task: Task, published: PublishedIds | None = None, split: SplitRule = WHOLE
) -> bool | None:
    """True where the compiled reader takes a file, None where the collecting one refuses it."""
    fast, collected = both(path, task, published, split)
    if fast is None:
        return None if collected is None else False
    assert collected is not None, path.read_bytes()
    assert alike(fast, collected), path.read_bytes()
    return True
