"""Loads the published ids and the hidden truth that a task needs."""

from __future__ import annotations

from podium.sandbox.definitions.judging import JudgingInputs
from podium.scoring.engine import Published, Truth, load_published, load_truth


def loaded(given: JudgingInputs) -> tuple[Published, Truth]:
    """Reads and checks published ids and truth. Raises GroundTruthCorrupt."""
    ids = load_published(given.published, given.task)
    hidden = load_truth(given.truth, sha256=given.truth_sha256, published=ids, task=given.task)
    return ids, hidden
