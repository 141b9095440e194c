"""The bench of tests of custom metrics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.custom_metric_runner.bench import MetricBench
from tests.builders.custom_metric_runner.imports import imports_undone


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MetricBench]:
    """A bench; what a metric has done to Python's imports is undone."""
    with imports_undone(tmp_path):
        yield MetricBench(tmp_path)
