"""The answer of every contestant, and the measurement of a whole process. Standard library only.

The measuring process must stay small: the kernel counts the peak memory of a process that starts
another one as a floor for the other's, so nothing here may import a data library.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median


def hand_back(started: float, hits: Mapping[str, int] | None = None) -> None:
    """Called last by a contestant: `started` is `perf_counter()` right after its imports.

    The process ends here, as the child of a judging does: nothing is torn down.
    """
    print(json.dumps({"seconds": time.perf_counter() - started, "hits": hits}), flush=True)
    os._exit(0)


@dataclass(frozen=True, slots=True)
class Told:
    """A program about itself: the seconds after its imports, and its hits per type; None where it
    does not tell."""

    seconds: float | None = None
    hits: dict[str, int] | None = None


def handed_back(out: bytes, _: bytes) -> Told:
    """The end of a program of ours, which calls `hand_back`."""
    told = json.loads(out)
    return Told(told["seconds"], told["hits"])


def nothing(_: bytes, __: bytes) -> Told:
    """The output of commands, which write for people."""
    return Told()


@dataclass(frozen=True, slots=True)
class Contestant:
    """A program to be measured: `command` with its arguments, and what it checks of the file.

    `question` is the same for all whose hits must be equal; `told` reads standard output and
    standard error; `environment` is added to ours. One that `keeps` something for its next run is
    run once before the first round.
    """

    name: str
    command: tuple[str, ...]
    checks: str = "–"
    question: str = "whole"
    told: Callable[[bytes, bytes], Told] = handed_back
    environment: Mapping[str, str] = field(default_factory=dict)
    keeps: bool = False


def of_ours(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module of this package."""
    return (sys.executable, "-m", f"benchmarks.{module}", *arguments)


@dataclass(frozen=True, slots=True)
class Run:
    """One whole process: wall and CPU (user + system) seconds, peak resident set in MiB, and what
    it told."""

    wall: float
    cpu: float
    peak: float
    told: Told

    @property
    def inner(self) -> float:
        """The seconds after imports of a contestant that tells them."""
        assert self.told.seconds is not None
        return self.told.seconds


class ContestantFailed(Exception):
    """A contestant ended with an error; the text is what it wrote."""


def measured(contestant: Contestant) -> Run:
    """Starts the contestant, waits for its end and reads what the kernel counted."""
    # Files, because a program that draws progress bars would fill a pipe.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as complaint:
        environment = os.environ | contestant.environment
        started = time.perf_counter()
        process = subprocess.Popen(
            contestant.command, stdout=out, stderr=complaint, env=environment
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        complaint.seek(0)
        told, error = out.read(), complaint.read()
    if process.returncode != 0:
        end = error.decode(errors="replace")[-2000:]
        raise ContestantFailed(f"{contestant.name} ended with {process.returncode}: {end}")
    cpu = usage.ru_utime + usage.ru_stime
    return Run(wall, cpu, usage.ru_maxrss / 1024, contestant.told(told, error))


def compete(contestants: Sequence[Contestant], rounds: int) -> dict[str, list[Run]]:
    """All contestants in turn, `rounds` times, so that a slow minute of the machine hits all."""
    results: dict[str, list[Run]] = {contestant.name: [] for contestant in contestants}
    for number in range(rounds):
        for contestant in contestants:
            run = measured(contestant)
            results[contestant.name].append(run)
            line = f"round {number + 1}: {contestant.name}: {run.wall:.2f} s, {run.peak:.0f} MiB"
            print(line, file=sys.stderr)
    return results


def paired_ratio(figures: Sequence[float], others: Sequence[float]) -> float:
    """The median over the rounds of one's figure divided by the other's in the same round; of the
    medians where one took part in fewer rounds."""
    if len(figures) != len(others):
        return median(figures) / median(others)
    return median(one / other for one, other in zip(figures, others, strict=True))
