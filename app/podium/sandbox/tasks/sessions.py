"""Cuts whole sessions that are uploaded as a ground truth, inside the sandbox, before labels are
read."""

from __future__ import annotations

from pathlib import Path

from podium.preparation.sessions import RawFileRefused, keyed_cuts, looks_raw, prepare
from podium.sandbox.definitions.materials import Cutting
from podium.sandbox.tasks.labels import Labels, file_at_fault
from podium.scoring.task import Task


def cut(file: Path, task: Task, cutting: Cutting, to: Path) -> Labels:
    """Returns the labels of an upload: the file itself, or those of its preparation.

    Raises `FileAtFault`.
    """
    try:
        if cutting.days is None and not looks_raw(file):
            return Labels(file, task)
        prepared = prepare(
            [file],
            to,
            cuts=keyed_cuts(bytes.fromhex(cutting.key)),
            days=cutting.days,
            clickstream=cutting.columns,
            most_bytes=task.max_expanded_bytes,
        )
    except RawFileRefused as refused:
        raise file_at_fault(refused) from None
    # The names of users stay private.
    shown = (prepared.train, prepared.test, *prepared.names[:1])
    written = [path.name for path in shown if path is not None]
    return Labels(prepared.labels, task, written, {"preparation": prepared.counts.to_dict()})
