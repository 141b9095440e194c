"""The tasks that run an organizer's code: thin calls of `custom_metric_runner`, as in `judging`."""

from __future__ import annotations

from pathlib import Path

from podium.custom_metric_runner import running
from podium.custom_metric_runner.values import MetricChecked, MetricRun
from podium.sandbox.definitions.custom_metrics import TERMS, CheckMetric, RunMetric
from podium.sandbox.registry import Progress, registered


def check_metric(_: Progress, task: CheckMetric) -> MetricChecked:
    """Loads and checks a custom metric."""
    return running.check(task.metric, Path.cwd())


def run_metric(_: Progress, task: RunMetric) -> MetricRun:
    """Scores one split with a custom metric."""
    return running.run(task, Path.cwd(), Path.cwd() / TERMS)


TASKS = dict([registered(CheckMetric, check_metric), registered(RunMetric, run_metric)])
