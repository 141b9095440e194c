"""ADAPTER: runs a piece of `scoring` in a child process with limits. Bytes from outside are parsed
in such children only.

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
    """Names of output files, relative to the scratch folder; the parent takes no others."""
    RUNS_FOREIGN_CODE: ClassVar[bool] = False
    """True if the child runs an organizer's code, and is isolated more strictly."""

    @property
    def leaves(self) -> tuple[str, ...]:
        """The names of this task's output files."""
        return self.LEAVES

    @property
    def hash_seed(self) -> int | None:
        """The seed of Python's hashes in the child; None: random."""
        return None


def inputs_of(task: SandboxTask[Any]) -> Iterator[Path]:
    """Yields the files named by a task, or by a part of one, which the child may read."""
    for each in fields(task):  # type: ignore[arg-type] # every task is a dataclass
        value = getattr(task, each.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Path):
                yield one
            elif hasattr(one, "__dataclass_fields__"):
                yield from inputs_of(one)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProblem:
    """One problem of a file, with the members of `scoring.problems.Problem`."""

    code: str
    line: int | None
    row: int | None
    id: str | None
    column: str | None
    detail: str
    hint: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """A form by which a file can be read, with the members of `scoring.problems.OtherForm`."""

    form: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """The problems of a file: the first reason, and the first problems by line; after the line
    where `reading_stopped` there may be more than `error_count`."""

    code: str
    detail: str
    line: int | None
    errors: tuple[LineProblem, ...]
    error_count: int
    reading_stopped: bool = False
    readable_as: FileReading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The answer for a file that is at fault."""

    STATUS: ClassVar = "rejected"

    problem: FileProblem


class FailureReason(StrEnum):
    """The reasons for which a child ends without an answer."""

    MEMORY = "memory"
    """It exceeded its memory limit."""
    LACK_OF_MEMORY = "lack-of-memory"
    """The kernel killed it within its limits, because the machine or the container was out of
    memory: our fault, never the file's."""
    WALL_TIME = "wall-time"
    CPU_TIME = "cpu-time"
    FILE_SIZE = "file-size"
    CRASH = "crash"
    NO_ANSWER = "no-answer"
    STOPPED = "stopped"
    """We ended it, because the judging was cancelled or the worker stops."""
    NOT_STARTED = "not-started"
    """The machine could not start it: our fault, never the file's."""
    NOT_ISOLATED = "not-isolated"
    """It ended itself before it read anything, because this machine cannot isolate it."""
    NOT_ALLOWED = "not-allowed"
    """It was not started, because this installation runs no code of organizers."""
    OUR_ERROR = "our-error"
    """Our code in the child raised an error that is not a verdict about the file."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a child: bytes of memory, seconds of wall and CPU time, bytes of all its files
    together. A child `in_background` runs only while no other process wants the processors, and its
    wait for them does not count as its time."""

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
    """The output files that the child wrote, by the names in the task: regular files with a single
    link."""


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

        `on_progress` gets numbers from 0 to 1; `should_stop` is called about four times a second.
        """

    def describe(self) -> dict[str, str]:
        """Returns the state of each part of this machine's isolation, by name: for start-up and
        `podium doctor`. A state that begins with `missing` is a part that this machine lacks."""

    def refusal(self) -> str | None:
        """Returns the reason why this machine runs no tasks, as a sentence; None if it runs
        them."""

    def custom_metrics_refusal(self) -> str | None:
        """Returns the reason why no code of organizers runs here, as a sentence with what the
        operator can do; None if it runs."""

    def trouble(self) -> str | None:
        """Returns the reason why a child that loads all libraries fails; None if it does not."""

    def describe_start(self) -> str:
        """Returns how children are started, for `podium doctor`."""
