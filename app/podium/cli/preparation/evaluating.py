"""Scores of a baseline on its training set and on the ground truth, side by side."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.offline.inference.file_heads import table_head
from podium.cli.offline.tasks import TaskOptions, as_written, task_for
from podium.cli.offline.truths import unusable
from podium.scoring.engine import judge, read_published, read_truth
from podium.scoring.metrics import metric_of
from podium.scoring.problems import FileRejected
from podium.scoring.splits import SplitRule
from podium.scoring.task import Objective
from podium.scoring.writing import write_rows

if TYPE_CHECKING:
    from podium.baselines.matrix.recommending import Learned
    from podium.cli.preparation.users_items import UsersItemsFiles
    from podium.scoring.task import Task

METRICS = ("ndcg@10", "map@10")

Scores = dict[str, dict[str, float]]
"""By metric, the scores `train` and `test`."""


def train_and_test(
    submission: Path, learned: Learned, files: UsersItemsFiles, metrics: Sequence[str]
) -> Scores:
    """Returns the scores of a submission, and of the same model when it recommends items that it
    was trained on."""
    assert files.labels is not None, "the caller has asked for it"
    task = _task(files, submission, metrics)
    test = _scores(submission, files.labels, task)
    with tempfile.TemporaryDirectory(prefix="podium-") as name:
        known, truth = Path(name, "known.csv"), Path(name, "truth.csv")
        write_rows(learned.rows(keep_seen=True), known, "plain")
        is_graded = task.names == ("",) and "relevance" in table_head(files.labels).columns
        write_rows(learned.known_rows(graded=is_graded), truth, "plain")
        train = _scores(known, truth, task)
    return {metric: {"train": train[metric], "test": test[metric]} for metric in test}


def _task(files: UsersItemsFiles, submission: Path, metrics: Sequence[str]) -> Task:
    """Returns a task with an objective for each of the data's, all of weight 1."""
    assert files.labels is not None, "there is a ground truth"
    published = files.data.published
    names = published.objectives
    known = files.labels if names == ("",) else submission
    kinds = {"query_ids": files.kinds["query_ids"], "item_ids": files.kinds["item_ids"]}
    task = task_for(known, TaskOptions(metrics=list(metrics), submission=submission, **kinds))
    id_column, labels_column = published.columns
    metric = task.objectives[0].metric
    objectives = tuple(Objective(name, Decimal(1), metric) for name in names)
    return replace(task, objectives=objectives, id_column=id_column, labels_column=labels_column)


def _scores(submission: Path, labels: Path, task: Task) -> dict[str, float]:
    """Returns each metric's value, as `podium score` computes it; the mean of all objectives."""
    try:
        published = read_published(submission, task=task)
        truth, _ = read_truth(
            labels, task=as_written(labels, task), published=published, split=SplitRule("whole")
        )
    except FileRejected as refusal:
        raise unusable(labels, refusal, task) from None
    truth = replace(truth, task=task)
    with tempfile.TemporaryDirectory(prefix="podium-") as scratch:
        judged = judge(
            submission, task=task, published=published, truth=truth, scratch=Path(scratch)
        )
    whole = judged.splits["all"]
    sums = {task.objectives[0].metric: whole.shown(task)}
    sums |= {metric: whole.diagnostic(metric, task) for metric in task.diagnostics}
    scored = {metric: float(value / len(task.names)) for metric, value in sums.items()}
    return {metric_of(metric).name: value for metric, value in scored.items()}
