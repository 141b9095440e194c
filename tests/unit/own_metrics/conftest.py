"""The bench of tests of metric files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.own_metrics.bench import MetricBench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MetricBench]:
    """A bench; what a metric has done to Python's imports is undone."""
    path, modules = list(sys.path), set(sys.modules)
    yield MetricBench(tmp_path)
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(tmp_path)):
            del sys.modules[name]
