"""The share of the processors that a child gets where others want them too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest

from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from podium.sandbox.precedence import NICENESS
from tests.builders.sandbox.children import LIMITS, run
from tests.builders.sandbox.hostile import HOSTILE, HostileTask


def test_a_child_works_with_what_others_leave(tmp_path: Path) -> None:
    seen: list[tuple[int, str]] = []

    def look() -> bool:
        for child in psutil.Process().children():
            if "podium.sandbox.child" in child.cmdline():
                group = Path(f"/proc/{child.pid}/autogroup")
                seen.append((child.nice(), group.read_text() if group.exists() else ""))
        return bool(seen)

    sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE)
    sandbox.run(HostileTask(function="sleep"), limits=LIMITS, scratch=tmp_path, should_stop=look)
    [(nice, group)] = seen
    assert nice == NICENESS
    assert group == "" or group.endswith(f"nice {NICENESS}\n")


@contextmanager
def one_processor_wanted_by(others: int) -> Iterator[None]:
    """One processor for this thread and what it starts, beside others as modest as a child."""
    allowed = os.sched_getaffinity(0)
    with ExitStack() as stack:
        stack.callback(os.sched_setaffinity, 0, allowed)
        os.sched_setaffinity(0, {min(allowed)})
        for _ in range(others):
            other = subprocess.Popen(
                [sys.executable, "-c", "while True: pass"], start_new_session=True
            )
            stack.callback(other.wait)
            stack.callback(other.kill)
            os.setpriority(os.PRIO_PROCESS, other.pid, NICENESS)
            group = Path(f"/proc/{other.pid}/autogroup")
            if group.exists():
                group.write_text(str(NICENESS))
        yield


@pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="this kernel does not tell who waits"
)
def test_time_in_which_others_had_the_processors_is_not_held_against_a_child(
    tmp_path: Path,
) -> None:
    limits = Limits(memory_bytes=400 << 20, wall_seconds=4, file_bytes=4 << 20)
    with one_processor_wanted_by(8):
        result = run("work", tmp_path, limits, seconds=0.5)
    assert result.failure is None, result.report
