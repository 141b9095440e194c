"""Whole sessions that come as a ground truth: cut inside the sandbox, before labels are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.otto.preparation import RawFileRefused, keyed_cuts, looks_raw, prepare
from podium.sandbox.definitions.materials import Cutting
from podium.sandbox.registry import FileAtFault
from podium.scoring.task import Task


@dataclass(frozen=True, slots=True)
class Labels:
    """A file of labels; if it was made of sessions, what else was made, and what it was made of."""

    file: Path
    names: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


def prepared(file: Path, task: Task, cutting: Cutting | None, to: Path) -> Labels:
    """The labels of an upload: the file itself, or what a preparation made of it.

    Raises `FileAtFault`.
    """
    if cutting is None:
        return Labels(file)
    try:
        if cutting.days is None and not looks_raw(file):
            return Labels(file)
        made = prepare(
            [file],
            to,
            cuts=keyed_cuts(bytes.fromhex(cutting.key)),
            days=cutting.days,
            clickstream=cutting.columns,
            most_bytes=task.max_expanded_bytes,
        )
    except RawFileRefused as refused:
        raise FileAtFault(_problem(refused)) from None
    # The names of users stay private.
    shown = (made.train, made.test, *made.names[:1])
    written = [path.name for path in shown if path is not None]
    return Labels(made.labels, written, {"preparation": made.counts.to_dict()})


def _problem(refused: RawFileRefused) -> dict[str, Any]:
    return {
        "code": refused.code,
        "detail": refused.detail,
        "line": refused.problems[0]["line"],
        "errors": refused.problems,
        "error_count": refused.problem_count,
    }
