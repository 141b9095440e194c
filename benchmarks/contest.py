"""The answer of every contestant, and the measurement of a whole process. Standard library only.

The measuring process must stay small: the kernel counts the peak memory of a process that starts
another one as a floor for the other's, so nothing here may import a data library.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median


def hand_back(started: float, hits: Mapping[str, int] | None = None) -> None:
    """Called last by a contestant: `started` is `perf_counter()` right after its imports."""
    print(json.dumps({"seconds": time.perf_counter() - started, "hits": hits}))


@dataclass(frozen=True, slots=True)
class Contestant:
    """A program to be measured: `python -m benchmarks.<module> <arguments>`."""

    name: str
    module: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One whole process: wall and CPU (user + system) seconds, peak resident set in MiB, the
    seconds after its imports, and the hits per type where it computes them."""

    wall: float
    cpu: float
    peak: float
    inner: float
    hits: dict[str, int] | None


class ContestantFailed(Exception):
    """A contestant ended with an error; the text is what it wrote."""


def measured(contestant: Contestant) -> Run:
    """Starts the contestant, waits for its end and reads what the kernel counted."""
    command = [sys.executable, "-m", f"benchmarks.{contestant.module}", *contestant.arguments]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        written, complaint = _read_both(process)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        end = complaint.decode(errors="replace")[-2000:]
        raise ContestantFailed(f"{contestant.name} ended with {process.returncode}: {end}")
    told = json.loads(written)
    cpu = usage.ru_utime + usage.ru_stime
    return Run(wall, cpu, usage.ru_maxrss / 1024, told["seconds"], told["hits"])


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


def paired_ratio(runs: Sequence[Run], others: Sequence[Run]) -> float:
    """The median over the rounds of one's wall time divided by the other's in the same round."""
    return median(run.wall / other.wall for run, other in zip(runs, others, strict=True))


def _read_both(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Both outputs to their ends. They are a few lines: no pipe fills while the other is read."""
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdout.read(), process.stderr.read()
