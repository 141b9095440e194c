"""`strace` on a running process: which system calls it makes, and a fault at the n-th of them.

The tracer counts each thread's calls of each name by themselves. Judge children are let go as soon
as they begin (`--detach-on=execve`): a fault in the worker is not one in its child.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

CALLS = (
    "write",
    "writev",
    "pwrite64",
    "fsync",
    "fdatasync",
    "rename",
    "unlink",
    "openat",
    "mkdir",
    "sendto",
    "recvfrom",
    "close",
)
"""Calls that change what is kept, send what is promised, and those between them."""

KILL = "signal=SIGKILL"

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


@dataclass(frozen=True)
class Point:
    """Before the `number`-th `call` of a thread, counted from 1 since the tracer was attached."""

    call: str
    number: int


class Tracer:
    """Attached to a process with all its threads until that ends. Raises `ProcessLookupError`
    where there is none any more, or none that may be traced."""

    def __init__(self, pid: int, log: Path, calls: Sequence[str], *faults: str) -> None:
        self.pid = pid
        self.log = log
        self._calls = calls
        words = [f"trace={','.join(calls)}", *(f"inject={fault}" for fault in faults)]
        self._process = subprocess.Popen(
            ["strace", "-f", "-y", "-b", "execve", "-qq", "-o", str(log), "-p", str(pid)]
            + [word for expression in words for word in ("-e", expression)],
            stderr=subprocess.PIPE,
        )
        deadline = time.monotonic() + 60
        while not self._is_attached():
            if self._process.poll() is not None:
                _, told = self._process.communicate()
                if told:
                    raise ProcessLookupError(told)
                # It was attached, and the process ended at once, perhaps by the fault itself.
                return
            assert time.monotonic() < deadline, f"strace does not attach to {pid}"
            time.sleep(0.002)

    @classmethod
    def killing_at(cls, point: Point, pid: int, log: Path) -> Tracer:
        """`kill -9` at this point."""
        return cls(pid, log, [point.call], f"{point.call}:{KILL}:when={point.number}")

    def close(self) -> None:
        """Ends the tracer; after its process, for one that is told to let go can hang."""
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def seen(self) -> dict[str, int]:
        """The number of calls of each name that the busiest thread made."""
        found = Counter((thread, call) for thread, call, _ in _calls(self.log))
        most: dict[str, int] = {}
        for (_, call), count in found.items():
            # A tracer that is older than the kernel shows calls that it knows no name of, too.
            if call in self._calls:
                most[call] = max(count, most.get(call, 0))
        return most

    def has_failed(self, folder: Path) -> bool:
        """True if a call at a file of this folder met its error."""
        lines = self.log.read_text(errors="replace").splitlines()
        return any("(INJECTED)" in line and str(folder) in line for line in lines)

    def _is_attached(self) -> bool:
        try:
            threads = Path(f"/proc/{self.pid}/task").glob("*/status")
            tracers = [re.search(r"TracerPid:\s+(\d+)", path.read_text()) for path in threads]
        except (FileNotFoundError, ProcessLookupError):
            # A thread ended while it was looked at.
            return False
        return bool(tracers) and all(found and found[1] != "0" for found in tracers)


def points(seen: dict[str, int], budget: int | None) -> list[Point]:
    """Every point, or so many of them: each call in its turn, its first and last ones first."""
    orders = {call: _spread(seen[call]) for call in sorted(seen)}
    chosen = islice(_taking_turns(orders), budget)
    return [Point(call, number) for call, number in chosen]


def points_in(folder: Path, log: Path) -> set[Point]:
    """The calls of a log that name a file of this folder, or have one open."""
    made: Counter[tuple[str, str]] = Counter()
    found = set()
    for thread, call, rest in _calls(log):
        made[thread, call] += 1
        if str(folder) in rest:
            found.add(Point(call, made[thread, call]))
    return found


def _calls(log: Path) -> list[tuple[str, str, str]]:
    """Thread, name and the rest of the line of each call."""
    return re.findall(r"^(\d+) +(\w+)\((.*)", log.read_text(errors="replace"), re.MULTILINE)


def _taking_turns(orders: dict[str, list[int]]) -> Iterator[tuple[str, int]]:
    for turn in range(max(map(len, orders.values()), default=0)):
        for call, numbers in orders.items():
            if turn < len(numbers):
                yield call, numbers[turn]


def _spread(count: int) -> list[int]:
    """1 to `count`, the ends first, then the middles of what is between, and so on."""
    found = list(dict.fromkeys([1, count]))
    gaps = [(1, count)]
    while gaps:
        low, high = gaps.pop(0)
        middle = (low + high) // 2
        if low < middle < high:
            found.append(middle)
            gaps += [(low, middle), (middle, high)]
    return found
