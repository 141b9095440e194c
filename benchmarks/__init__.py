"""Benchmarks: the cost of scoring beside other programs (`python -m benchmarks`), of boards,
workers and libraries, and the seasons of load, kills and faults. README.md tells them apart."""

from __future__ import annotations

from pathlib import Path

RESULTS_FOLDER = Path(__file__).parent / "results"
"""Holds what was measured last, one Markdown file for each benchmark."""
