"""Labels that a task reads, and the files that were prepared together with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.preparation.files.findings import RawFileRefused
from podium.sandbox.registry import FileAtFault
from podium.scoring.task import Task


@dataclass(frozen=True, slots=True)
class Labels:
    """A file of labels and the task for which it is read; after a preparation also the names of the
    other files, and facts about the source.

    `listed` has the ids to answer for, if the labels do not imply them. `settings` are those that
    the preparation has changed. `catalogue` has the items of a training set of `training_users`
    users.
    """

    file: Path
    task: Task
    names: list[str] = field(default_factory=list)
    facts: Mapping[str, Any] = field(default_factory=dict)
    listed: Path | None = None
    settings: Mapping[str, Any] | None = None
    catalogue: Path | None = None
    training_users: int | None = None


def file_at_fault(refused: RawFileRefused) -> FileAtFault:
    """Returns the error that names the problems of a raw file by line."""
    return FileAtFault(
        {
            "code": refused.code,
            "detail": refused.detail,
            "line": refused.problems[0]["line"],
            "errors": refused.problems,
            "error_count": refused.problem_count,
        }
    )
