"""The start of a judging: a child in its sandbox judges a file of one session. What is timed ends
with the child, and begins before it is started.

Usage: `python -m benchmarks.contestants.judge_child`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.contest import hand_back
from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from podium.sandbox.definitions.judging import Judged, JudgeFile
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO
from podium.scoring.truth.reading import read_ground_truth

LABELS = '{"session": 1, "labels": {"clicks": 1, "carts": [1], "orders": [1]}}\n'
SUBMISSION = "session_type,labels\n" + "".join(f"1_{name},1\n" for name in OTTO.names)
LIMITS = Limits(memory_bytes=4 << 30, wall_seconds=60, file_bytes=1 << 30)


def judging(folder: Path) -> JudgeFile:
    """Writes the files of one session, and says how they are judged."""
    labels, file, form = folder / "labels.jsonl", folder / "one.csv", folder / "truth.parquet"
    labels.write_text(LABELS)
    file.write_text(SUBMISSION)
    truth, published = read_ground_truth(
        labels, task=OTTO, published=None, split=SplitRule("whole")
    )
    sha256, ids = truth.write(form), folder / "published.parquet"
    published.write(ids)
    return JudgeFile(file=file, task=OTTO, published=ids, truth=form, truth_sha256=sha256)


if __name__ == "__main__":
    # Isolation costs its time wherever there is some; where there is none, the rest is measured.
    sandbox = ChildSandbox(is_weak_allowed=True)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as scratch:
        task = judging(Path(folder))
        sandbox.readable  # noqa: B018 - found once in the life of a worker
        started = time.perf_counter()
        result = sandbox.run(task, limits=LIMITS, scratch=Path(scratch))
        if not isinstance(result.answer, Judged):
            sys.exit(f"{result.failure}: {result.report}")
    hand_back(started)
