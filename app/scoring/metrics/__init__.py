"""Metrics over hits: one family per file; a metric is a frozen value, and its docstring is its
specification. A new one is added here and nowhere else."""

from app.scoring.metrics.recall import ByObjective, RecallCapped
from app.scoring.task import Task


def metric_of(task: Task) -> RecallCapped:
    """The metric that a task names. Raises ValueError for a name that is not known."""
    if task.metric == "recall_capped":
        return RecallCapped(task.k, task.average)
    raise ValueError(f"unknown metric {task.metric!r}")


__all__ = ["ByObjective", "RecallCapped", "metric_of"]
