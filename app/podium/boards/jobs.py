"""Kinds of jobs that compare submissions and segment scores."""

from __future__ import annotations

from typing import Any

from podium.application import Application
from podium.boards.service import comparison, segments
from podium.boards.service.segments import ScoreToSegment
from podium.boards.service.stored_hits import StoredHits
from podium.jobs.kinds import JobKind, Means


def _compare(_: Application, given: StoredHits, means: Means) -> dict[str, Any]:
    return comparison.compare(given, **means)


def _take_apart(_: Application, given: ScoreToSegment, means: Means) -> dict[str, Any]:
    return segments.take_apart(given, **means)


COMPARISON = JobKind("comparison", StoredHits, dict[str, Any], work=_compare)

SEGMENTS = JobKind("segments", ScoreToSegment, dict[str, Any], work=_take_apart)

KINDS = (COMPARISON, SEGMENTS)
"""All kinds of jobs of this subject."""
