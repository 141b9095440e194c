"""ADAPTER: runs one piece of `scoring` in a child process with limits; nothing else parses bytes
that came from outside.

This file is the interface: tasks go in, results come out. `definitions` lists the tasks. A child
cannot reach the database or the network, and its only output is one JSON document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

Answer = TypeVar("Answer")


class SandboxTask(Generic[Answer]):
    """A task for the child: a frozen dataclass whose members are the arguments. `NAME` is that of a
    function of `sandbox.tasks`, `RESULT` the class of the answer for a good file."""

    __slots__ = ()

    NAME: ClassVar[str]
    RESULT: ClassVar[Any]
    LEAVES: ClassVar[tuple[str, ...]] = ()
    """Names, below the scratch folder, of the files that its parent takes; it takes no others."""
    RUNS_FOREIGN_CODE: ClassVar[bool] = False
    """True where the child runs code of an organizer's, and is isolated more closely."""

    @property
    def leaves(self) -> tuple[str, ...]:
        """The names of the files that this task leaves."""
        return self.LEAVES

    @property
    def hash_seed(self) -> int | None:
        """The seed of Python's hashes in the child; None leaves it to chance."""
        return None


def inputs_of(task: SandboxTask[Any]) -> Iterator[Path]:
    """The files that a task, or a part of one, names, which the child may read."""
    for each in fields(task):  # type: ignore[arg-type] # every task is a dataclass
        value = getattr(task, each.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Path):
                yield one
            elif hasattr(one, "__dataclass_fields__"):
                yield from inputs_of(one)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProblem:
    """One thing that is wrong with a file, as `scoring.problems.Problem` tells it."""

    code: str
    line: int | None
    row: int | None
    id: str | None
    column: str | None
    detail: str
    hint: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """All that is wrong with a file: the first reason, and the first problems by line; there may be
    more than `error_count` after the line where `reading_stopped`."""

    code: str
    detail: str
    line: int | None
    errors: tuple[LineProblem, ...]
    error_count: int
    reading_stopped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The answer for a file that is at fault."""

    STATUS: ClassVar = "rejected"

    problem: FileProblem


class FailureReason(StrEnum):
    """Every way in which a child can end without an answer."""

    MEMORY = "memory"
    """It used more than it may."""
    LACK_OF_MEMORY = "lack-of-memory"
    """The kernel killed it within its limits, because the machine or the container was full: our
    fault, never the file's."""
    WALL_TIME = "wall-time"
    CPU_TIME = "cpu-time"
    FILE_SIZE = "file-size"
    CRASH = "crash"
    NO_ANSWER = "no-answer"
    STOPPED = "stopped"
    """We ended it, because the judging was cancelled or the worker leaves."""
    NOT_STARTED = "not-started"
    """The machine could not start it: our fault, never the file's."""
    NOT_ISOLATED = "not-isolated"
    """It ended by itself before it read anything, because this machine cannot isolate it."""
    NOT_ALLOWED = "not-allowed"
    """It was not started, because this installation runs no code of organizers."""
    OUR_ERROR = "our-error"
    """Our code in the child raised something that is no verdict about the file."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a child: bytes of memory, seconds of wall and CPU time, bytes of all its files
    together. One `in_background` works while no other process wants the processors, and has the
    time that it waits for them."""

    memory_bytes: int
    wall_seconds: float
    file_bytes: int
    in_background: bool = False


@dataclass(frozen=True, slots=True)
class Result(Generic[Answer]):
    """The result of a child: an `answer`, or a `failure` with a `report` for the organizer."""

    answer: Answer | None = None
    failure: FailureReason | None = None
    report: str = ""
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files that the child left under the names that the task gives: regular files of its
    own."""


class Sandbox(Protocol):
    """Runs tasks, each in a child of its own."""

    def run(
        self,
        task: SandboxTask[Answer],
        *,
        limits: Limits,
        scratch: Path,
        on_progress: Callable[[float], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Result[Answer | Rejected]:
        """Blocks until the child has ended. `scratch` is an empty folder that the child may fill.

        `on_progress` gets numbers from 0 to 1; `should_stop` is asked about four times a second.
        """

    def describe(self) -> dict[str, str]:
        """The isolation of this machine, by the name of each part: for start-up and `podium
        doctor`. A state that begins with `missing` is a part that this machine lacks."""

    def refusal(self) -> str | None:
        """The reason why this machine runs no task, as a sentence; None where it does."""

    def custom_metrics_refusal(self) -> str | None:
        """The reason why no code of organizers is run here, as a sentence with what the operator
        can do; None where it is."""

    def trouble(self) -> str | None:
        """The reason why a child that loads everything fails; None where it does not."""

    def start_told(self) -> str:
        """The way in which children start, for `podium doctor`."""
