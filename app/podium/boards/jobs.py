"""Kinds of jobs that compare submissions and segment scores."""

from __future__ import annotations

from typing import Any

from podium.boards.service import comparison, segments
from podium.boards.service.segments import ScoreToSegment
from podium.boards.service.stored_hits import StoredHits
from podium.jobs.kinds import JobKind, apart

COMPARISON = JobKind("comparison", StoredHits, dict[str, Any], work=apart(comparison.compare))

SEGMENTS = JobKind("segments", ScoreToSegment, dict[str, Any], work=apart(segments.take_apart))

KINDS = (COMPARISON, SEGMENTS)
"""All kinds of jobs of this subject."""
