"""A competition whose ids are those of TREC, and short ways to read files for it."""

from __future__ import annotations

import io
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.lists.canonical import write_canonical
from podium.scoring.lists.lines import LineCounts
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import Objective, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.submissions import blocks

TASK = Task(
    objectives=(Objective("", Decimal(1), "ndcg@5"),),
    diagnostics=("map@1000", "recall@3", "precision@3", "mrr@1000"),
    id_column="topic",
    query_ids="string",
    item_ids="string",
)
PUBLISHED = PublishedIds(pl.Series(["b", "a", "7"]), ("",))
RUN = "a Q0 d1 1 2.5 me\nb Q0 d2 1 1 me\n7 Q0 d3 1 -1e-3 me\n"


def truth_of(folder: Path, text: str, task: Task = TASK) -> tuple[GroundTruth, PublishedIds]:
    path = folder / "qrels.txt"
    path.write_text(text)
    return read_ground_truth(path, task=task, published=None, split=WHOLE)


def canonical(text: str | bytes, task: Task = TASK, size: int = 40) -> tuple[LineCounts, str]:
    """Counts and canonical text of a run for `PUBLISHED`."""
    sink = io.BytesIO()
    data = text if isinstance(text, bytes) else text.encode()
    counts = write_canonical(blocks(data, size), task=task, published=PUBLISHED, sink=sink)
    return counts, sink.getvalue().decode()


def lists(text: str | bytes, task: Task = TASK, size: int = 40) -> dict[str, str]:
    _, *rows = canonical(text, task, size)[1].splitlines()
    return dict(row.split(",") for row in rows)


def problems(text: str | bytes, task: Task = TASK, size: int = 40) -> list[tuple[int | None, str]]:
    with pytest.raises(FileRejected) as rejected:
        canonical(text, task, size)
    return [(p.line, str(p.code)) for p in rejected.value.rejection.problems]
