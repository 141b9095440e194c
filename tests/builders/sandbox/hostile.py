"""The task that runs anything: a test's own functions inside the sandbox, and their findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from podium.sandbox import SandboxTask

HOSTILE = "tests.builders.sandbox.hostile_tasks"
"""The module with these functions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The findings of a function, by name."""

    STATUS: ClassVar = "scored"

    found: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeTask(SandboxTask[Found]):
    """The same for a child that is isolated as one that runs an organizer's code."""

    NAME: ClassVar = "hostile"
    RESULT: ClassVar = Found
    RUNS_FOREIGN_CODE: ClassVar = True

    function: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    hash_seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileTask(SandboxTask[Found]):
    """Calls a function of `HOSTILE` by its name; `names` are the files that it shall leave."""

    NAME: ClassVar = "hostile"
    RESULT: ClassVar = Found

    function: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @property
    def leaves(self) -> tuple[str, ...]:
        return self.names


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignTask(HostileTask):
    """The same as code of an organizer's; with a `hash_seed`, its process has that."""

    RUNS_FOREIGN_CODE: ClassVar = True

    hash_seed: int | None = None
