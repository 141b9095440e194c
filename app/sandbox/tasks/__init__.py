"""Tasks that children of the sandbox do: one function each, by its name."""

from podium.sandbox.registry import TaskFunction
from podium.sandbox.tasks import hits, judging, segments

TASKS: dict[str, TaskFunction] = {**judging.TASKS, **hits.TASKS, **segments.TASKS}
"""The functions by the names of their tasks."""

__all__ = ["TASKS"]
