"""The means of work that runs children."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from podium.sandbox import (
    Answer,
    FailureReason,
    Limits,
    Rejected,
    Result,
    Sandbox,
    SandboxTask,
)
from podium.storage import Storage


@dataclass(frozen=True, slots=True)
class Means:
    """The adapters, the limits of each child, and an empty folder for it. Children end once
    `should_stop` is true. One that used up its memory is followed by another one with
    `retry_memory_bytes`, where these are more."""

    storage: Storage
    sandbox: Sandbox
    limits: Limits
    scratch: Path
    should_stop: Callable[[], bool]
    on_progress: Callable[[float], None] | None = None
    retry_memory_bytes: int = 0

    def run(self, task: SandboxTask[Answer]) -> Result[Answer | Rejected]:
        """Runs a task in a child, or in two. Blocks until it has ended."""
        result = self.sandbox.run(
            task,
            limits=self.limits,
            scratch=self.scratch,
            on_progress=self.on_progress,
            should_stop=self.should_stop,
        )
        has_more = self.retry_memory_bytes > self.limits.memory_bytes
        if result.failure is FailureReason.MEMORY and has_more:
            return self._with_more_memory().run(task)
        return result

    def _with_more_memory(self) -> Means:
        limits = replace(self.limits, memory_bytes=self.retry_memory_bytes)
        # Whatever the first child has left in its folder.
        folder = tempfile.mkdtemp(dir=self.scratch)
        return replace(self, limits=limits, scratch=Path(folder))

    def within(self, seconds: float) -> Means:
        """Returns the same for children that run no longer than this."""
        shorter = replace(self.limits, wall_seconds=min(self.limits.wall_seconds, seconds))
        return replace(self, limits=shorter)

    def in_folder(self, name: str) -> Means:
        """Returns the same with a new folder inside this one, for one of several children."""
        folder = self.scratch / name
        folder.mkdir(mode=0o700)
        return replace(self, scratch=folder)
