"""ADAPTER: runs one piece of `scoring` in a child process with limits; nothing else parses bytes
that came from outside.

This file is the interface: orders that go in as JSON, endings that come out. A child cannot
reach the database or the network, and its only output is one JSON document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Order:
    """What the child shall do. `act` names a function of `sandbox.acts`, `arguments` are its
    keyword arguments as JSON values (paths as text, tasks as `Task.to_dict()`).

    Acts: `judge(file, task, published, truth, truth_sha256, hits_to, items, items_sha256)`,
    `read-ground-truth(file, task, published, split, truth_to, published_to[, before, cutting,
    files_to])`,
    `read-published-ids(file, task, published_to)`, `read-items(file, task, training_users,
    items_to)`, `probe(task, published, truth, truth_sha256)`,
    `write-sample(task, published, sample_to)`.
    Every document has `status`: `scored` / `read` / `probed` / `written`, or `rejected` with
    `problem`.
    """

    act: str
    arguments: dict[str, Any]
    leaves: tuple[str, ...] = ()
    """Names, below the scratch folder, of the files that its parent takes; it takes no others."""


class Death(StrEnum):
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
    NO_WALLS = "no-walls"
    """It ended by itself before it read anything, because this machine cannot isolate it."""
    OUR_ERROR = "our-error"
    """Our code in the child raised something that is no verdict about the file."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use: bytes of memory, seconds of wall and CPU time, bytes of all its files
    together."""

    memory_bytes: int
    wall_seconds: float
    file_bytes: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended: with a `document`, or by a `death` with a `report` for the organizer."""

    document: dict[str, Any] | None = None
    death: Death | None = None
    report: str = ""
    files: Mapping[str, Path] = field(default_factory=dict)
    """What the child left under the names that the order gave: regular files of its own."""


class Sandbox(Protocol):
    """Runs orders, each in a child of its own."""

    def run(
        self,
        order: Order,
        *,
        limits: Limits,
        scratch: Path,
        on_progress: Callable[[float], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Ending:
        """Blocks until the child has ended. `scratch` is an empty folder that the child may fill.

        `on_progress` gets numbers from 0 to 1; `should_stop` is asked about four times a second.
        """

    def describe(self) -> dict[str, str]:
        """Which walls stand on this machine, by name: for start-up and `podium doctor`. What begins
        with `missing` does not stand."""

    def refusal(self) -> str | None:
        """Why this machine runs no order, as a sentence; None where it does."""

    def trouble(self) -> str | None:
        """Why a child that loads everything ends badly; None where it does not."""
