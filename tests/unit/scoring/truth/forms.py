"""One ground truth in the forms that organizers have."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

from podium.scoring.published import PublishedIds
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import WHOLE

SINGLE = dataclasses.replace(OTTO, objectives=(Objective("", Decimal(1)),), id_column="user")

JSONL = """\
{"session": 42, "labels": {"clicks": 3, "carts": [2, 3], "orders": [3]}}
{"session": 7, "labels": {"orders": [0]}}
"""
LONG_FORM = """\
session,type,aid
42,clicks,3
42,carts,2
42,carts,3
42,orders,3
7,orders,0
"""


def read(
    folder: Path,
    text: str | bytes,
    *,
    task: Task = OTTO,
    published: PublishedIds | None = None,
    split: SplitRule = WHOLE,
) -> tuple[GroundTruth, PublishedIds]:
    path = folder / "truth"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_ground_truth(path, task=task, published=published, split=split)
