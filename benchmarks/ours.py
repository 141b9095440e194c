"""Podium: every check of a submission, the hits with their ranks, the recalls on two splits.

Usage: `python -m benchmarks.ours FILE PREPARED`, where PREPARED is a folder made by
`python -m benchmarks.prepare` with the canonical ground truth and the published ids.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from app.scoring.engine import judge
from app.scoring.ground_truth import GroundTruth
from app.scoring.published import PublishedIds
from app.scoring.task import OTTO
from benchmarks.contest import hand_back


def main(submission: Path, prepared: Path) -> None:
    """Judges as the service does, the check of the ground truth's hash included."""
    started = time.perf_counter()
    published = PublishedIds.read(prepared / "published.parquet", OTTO.names)
    sha256 = (prepared / "truth.sha256").read_text()
    truth = GroundTruth.load(
        prepared / "truth.parquet", sha256=sha256, published=published, task=OTTO
    )
    with tempfile.TemporaryDirectory() as scratch:
        scored = judge(
            submission, task=OTTO, published=published, truth=truth, scratch=Path(scratch)
        )
    splits = scored.splits.values()
    hand_back(started, {name: sum(split.hits[name] for split in splits) for name in OTTO.names})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
