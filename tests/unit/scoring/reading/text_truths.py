"""Ground truths whose sessions and items are text."""

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

TEXT = dataclasses.replace(OTTO, query_ids="string", item_ids="string")
SINGLE = dataclasses.replace(TEXT, objectives=(Objective("", Decimal(1)),), id_column="customer_id")
HASH = "00000dbacae5abe5e23885899a1fa44253a17956c6d1c3d25f88aa139fdfc657"


def truth_of(
    folder: Path,
    text: str,
    task: Task = TEXT,
    *,
    published: PublishedIds | None = None,
    split: SplitRule = WHOLE,
) -> tuple[GroundTruth, PublishedIds]:
    path = folder / "truth"
    path.write_text(text)
    return read_ground_truth(path, task=task, published=published, split=split)
