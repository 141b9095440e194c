"""Tasks of the sandbox: each has a function, and loads no module that only others need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from podium.sandbox import SandboxTask
from podium.sandbox.definitions import (
    custom_metrics,
    describing,
    hits,
    judging,
    launches,
    materials,
    metric_launches,
    tables,
)
from podium.sandbox.tasks import TASKS

DEFINED = [
    each
    for module in (hits, judging, launches, materials, metric_launches, custom_metrics, tables)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, SandboxTask) and each is not SandboxTask
]


def test_each_task_that_is_defined_has_its_function() -> None:
    assert {each.NAME for each in DEFINED} == set(TASKS)
    assert describing.Describe.NAME not in TASKS
    for name in TASKS:
        assert callable(TASKS[name])


@pytest.mark.parametrize(
    ("name", "unused"),
    [
        ("judge", "podium.otto"),
        ("judge", "podium.sandbox.definitions.materials"),
        ("judge", "podium.scoring.analysis.segments"),
        ("compare", "podium.scoring.analysis.segments"),
        ("segments", "podium.sandbox.tasks.judging"),
        ("read-table", "podium.custom_metric_runner.running"),
        ("run-metric", "podium.custom_metric_runner.examples"),
    ],
)
def test_a_task_does_not_load_what_others_need(name: str, unused: str) -> None:
    program = (
        f"import sys; from podium.sandbox.tasks import TASKS; TASKS[{name!r}]; print(*sys.modules)"
    )
    loaded = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert "polars" in loaded
    assert unused not in loaded
