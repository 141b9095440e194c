"""Judging in this process, for claims about what is answered rather than about what is survived.

The same tasks and the same answers, without what a child costs to start. Files that could end a
process, such as damaged Parquet, need the child.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from podium.application import Application
from podium.bootstrap import build
from podium.sandbox import Answer, Limits, Rejected, Result, SandboxTask
from podium.sandbox.outputs import with_files
from podium.sandbox.registry import TaskFunction
from podium.sandbox.serialization import answer_of, encoded
from podium.sandbox.tasks import TASKS
from podium.settings import Settings
from tests.builders.custom_metric_runner.imports import imports_undone


class InProcess:
    """Runs tasks without isolation and limits, each in its folder; never two at a time."""

    # The folder that a process works in is that of all its threads.
    _one_at_a_time = threading.Lock()

    def __init__(self, tasks: Mapping[str, TaskFunction] = TASKS) -> None:
        self._tasks = tasks

    def run(
        self,
        task: SandboxTask[Answer],
        *,
        limits: Limits,
        scratch: Path,
        on_progress: Callable[[float], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Result[Answer | Rejected]:
        """The answer, through JSON as from a child; raises what the task raises."""
        arguments = json.loads(json.dumps(encoded(task)))
        with self._one_at_a_time, chdir(scratch), imports_undone(scratch):
            document = self._tasks[task.NAME](on_progress or (lambda _: None), arguments)
        answer = answer_of(task.RESULT, json.loads(json.dumps(document)))
        return with_files(Result(answer), task.leaves, scratch)

    def describe(self) -> dict[str, str]:
        """Nothing is isolated here."""
        return {}

    def refusal(self) -> str | None:
        """Tasks are run."""
        return None

    def custom_metrics_refusal(self) -> str | None:
        """Code of tests is run."""
        return None

    def trouble(self) -> str | None:
        """Nothing is started."""
        return None

    def describe_start(self) -> str:
        """Nothing is started."""
        return "in this process"


def build_in_process(settings: Settings, tasks: Mapping[str, TaskFunction] = TASKS) -> Application:
    """The real collaborators, except that nothing is started to read what people send."""
    return replace(build(settings), sandbox=InProcess(tasks))
