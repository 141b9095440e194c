"""The sample and the perfect file against the same files written row by row."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from podium.scoring.engine import perfect_submission, sample_submission
from podium.scoring.task import OTTO, Task
from tests.builders.scoring.competitions import Labels, truth_of

TEXTS = replace(OTTO, query_ids="string", item_ids="string")
CARTS = replace(OTTO, objectives=(replace(OTTO.objectives[1], name=""),), id_column="user")


@pytest.mark.parametrize("task", [OTTO, TEXTS, CARTS], ids=["numbers", "texts", "bare"])
@pytest.mark.parametrize("sessions", [1, 50, 40_000])
def test_whole_files_are_those_written_row_by_row(
    task: Task, sessions: int, tmp_path: Path
) -> None:
    dice = random.Random(sessions)
    ids = dice.sample(range(10 * sessions + 1), sessions)
    labels: Labels = {each: _lists(task, dice) for each in ids} | {
        ids[0]: {name: [7] for name in task.names}
    }
    truth, published = truth_of(tmp_path, labels, task=task)
    lists: dict[int, list[str]] = {}
    for query, item in truth.frame.select("query", "item").iter_rows():
        lists.setdefault(query, []).append(str(item))
    head = f"{task.id_column},{task.labels_column}\n"
    rows = [(published.id_of(query), lists.get(query, [])) for query in range(published.count)]
    perfect = "".join(f"{name},{' '.join(items[: task.depth])}\n" for name, items in rows)
    assert b"".join(perfect_submission(truth, published, task)).decode() == head + perfect
    sample = "".join(f"{name},\n" for name, _ in rows)
    assert b"".join(sample_submission(published, task)).decode() == head + sample


def _lists(task: Task, dice: random.Random) -> dict[str, list[int]]:
    """Labels of some objectives, and more than count in a few of them."""
    most = 25 if dice.random() < 0.1 else 3
    return {
        name: dice.sample(range(99), dice.randint(1, most))
        for name in task.names
        if dice.random() < 0.5
    }
