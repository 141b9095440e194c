"""Children with an organizer's code have the limits of that code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.custom_metrics.service.checking import for_code
from podium.jobs.means import Means
from podium.sandbox import Limits

GIB = 1 << 30


def test_no_second_child_has_more_memory_than_the_metric_may_use() -> None:
    unused: Any = None
    means = Means(
        storage=unused,
        sandbox=unused,
        limits=Limits(memory_bytes=3 * GIB, wall_seconds=600, file_bytes=GIB),
        scratch=Path(),
        should_stop=lambda: False,
        retry_memory_bytes=6 * GIB,
    )
    child = for_code(means, seconds=30, memory_bytes=GIB)
    assert (child.limits.memory_bytes, child.retry_memory_bytes) == (GIB, 0)
