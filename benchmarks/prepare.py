"""Brings the ground truth of the benchmark into Podium's canonical form, once before the rounds.

Done anew each time, because the form belongs to the code under test.
Usage: `python -m benchmarks.prepare LABELS OUT`.
"""

from __future__ import annotations

import sys
import time
from decimal import Decimal
from pathlib import Path

from benchmarks.contest import hand_back
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO
from podium.scoring.truth.reading import read_ground_truth

SPLIT = SplitRule(kind="hash", secret=b"benchmark", public_fraction=Decimal("0.33"))


def main(labels: Path, out: Path) -> None:
    """Writes `truth.parquet`, `truth.sha256` and `published.parquet`."""
    started = time.perf_counter()
    out.mkdir(parents=True, exist_ok=True)
    truth, published = read_ground_truth(labels, task=OTTO, published=None, split=SPLIT)
    (out / "truth.sha256").write_text(truth.write(out / "truth.parquet"))
    published.write(out / "published.parquet")
    hand_back(started)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
