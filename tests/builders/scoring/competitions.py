"""Tiny competitions for tests of the engine, and short ways to score a text in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from podium.scoring.engine import judge
from podium.scoring.published import PublishedIds
from podium.scoring.scores.result import ScoreResult
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import read_ground_truth

WHOLE = SplitRule("whole")
HALVES = SplitRule("hash", secret=b"not a secret here", public_fraction=Decimal("0.5"))

Labels = Mapping[int, Mapping[str, Sequence[int] | Sequence[str] | int]]


def truth_of(
    folder: Path, labels: Labels, *, task: Task = OTTO, split: SplitRule = WHOLE
) -> tuple[GroundTruth, PublishedIds]:
    """A ground truth from labels by session and objective."""
    path = folder / "labels.jsonl"
    lines = [json.dumps({"session": s, "labels": found}) for s, found in labels.items()]
    path.write_text("\n".join(lines) + "\n")
    return read_ground_truth(path, task=task, published=None, split=split)


def score(
    folder: Path, text: str | bytes, truth: tuple[GroundTruth, PublishedIds], task: Task = OTTO
) -> ScoreResult:
    """The verdict on the text of a submission."""
    path = folder / "submission.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return judge(path, task=task, published=truth[1], truth=truth[0], scratch=folder)


def submission(rows: Mapping[str, Sequence[int] | str]) -> str:
    """The text of an OTTO submission from labels by id."""
    lines = [
        f"{row_id},{items if isinstance(items, str) else ' '.join(map(str, items))}"
        for row_id, items in rows.items()
    ]
    return "\n".join(["session_type,labels", *lines]) + "\n"


def recalls(scored: ScoreResult, split: str = "all") -> dict[str, Fraction]:
    """Exact values by objective."""
    return scored.splits[split].values
