"""Podium: every check of a submission, the hits with their ranks, the recalls on two splits.

Usage: `python -m benchmarks.contestants.ours FILE PREPARED [METRIC …]`, where PREPARED is a
folder made by `python -m benchmarks.prepare` with the canonical ground truth and the published ids,
divided into two splits; the metrics are computed as diagnostics, each with its standard error.
"""

# ruff: noqa: E402
from __future__ import annotations

import gc

# As the child of a judging does: looking for garbage among modules takes time.
gc.disable()

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.contest import hand_back
from podium.scoring.containers.detection import unpacked_ahead
from podium.scoring.engine import judge
from podium.scoring.published import PublishedIds
from podium.scoring.task import OTTO
from podium.scoring.truth.canonical import GroundTruth


def main(submission: Path, prepared: Path, metrics: tuple[str, ...]) -> None:
    """Judges as the service does, the check of the ground truth's hash included."""
    gc.freeze()
    gc.enable()
    started = time.perf_counter()
    task = replace(OTTO, diagnostics=metrics)
    sha256 = (prepared / "truth.sha256").read_text()
    with tempfile.TemporaryDirectory() as scratch, unpacked_ahead(submission, task) as unpacked:
        published = PublishedIds.read(prepared / "published.parquet", OTTO.names)
        truth = GroundTruth.load(
            prepared / "truth.parquet", sha256=sha256, published=published, task=task
        )
        scored = judge(
            submission,
            task=task,
            published=published,
            truth=truth,
            scratch=Path(scratch),
            unpacked=unpacked,
        )
    splits = scored.splits.values()
    hand_back(started, {name: sum(split.hits[name] for split in splits) for name in OTTO.names})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), tuple(sys.argv[3:]))
