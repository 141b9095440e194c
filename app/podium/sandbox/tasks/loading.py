"""Loads the published ids and the hidden truth that a task needs."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from podium.scoring.engine import Published, Truth, load_published, load_truth
from podium.scoring.task import Task


class Against(Protocol):
    """The part of a task that names what submissions are scored against."""

    @property
    def task(self) -> Task:
        """The form of a submission."""

    @property
    def published(self) -> Path:
        """The published ids."""

    @property
    def truth(self) -> Path:
        """The canonical truth."""

    @property
    def truth_sha256(self) -> str:
        """The hash of the canonical truth."""


def loaded(given: Against) -> tuple[Published, Truth]:
    """Reads and checks published ids and truth. Raises GroundTruthCorrupt."""
    ids = load_published(given.published, given.task)
    hidden = load_truth(given.truth, sha256=given.truth_sha256, published=ids, task=given.task)
    return ids, hidden
