"""Tasks that run in children of the sandbox: one function each, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from podium.sandbox.registry import TaskFunction

_MODULES = {
    "judge": "judging",
    "read-ground-truth": "materials",
    "read-published-ids": "materials",
    "write-sample": "materials",
    "read-items": "materials",
    "probe": "launches",
    "make-tried-columns": "metric_launches",
    "compare": "hits",
    "find-ties": "hits",
    "find-error": "hits",
    "segments": "segments",
    "read-sessions": "segments",
    "read-table": "tables",
    "check-metric": "custom_metrics",
    "run-metric": "custom_metrics",
}


class _Tasks(Mapping[str, TaskFunction]):
    """Loads the module of a task when it is looked up: a child runs one task, and would wait for
    anything else to load."""

    def __getitem__(self, name: str) -> TaskFunction:
        found: TaskFunction = import_module(f"{__name__}.{_MODULES[name]}").TASKS[name]
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


TASKS: Mapping[str, TaskFunction] = _Tasks()
"""The functions by the names of their tasks."""

__all__ = ["TASKS"]
