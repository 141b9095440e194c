"""The share of the processors that a child gets where others want them too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from podium.sandbox import Limits, children
from podium.sandbox.children import ChildSandbox
from podium.sandbox.precedence import NICENESS, NICENESS_IN_BACKGROUND
from tests.builders.sandbox.children import LIMITS, run
from tests.builders.sandbox.hostile import HOSTILE, HostileTask


@pytest.mark.parametrize(
    ("in_background", "niceness", "policy"),
    [(False, NICENESS, os.SCHED_OTHER), (True, NICENESS_IN_BACKGROUND, os.SCHED_IDLE)],
)
def test_a_child_works_with_what_others_leave(
    tmp_path: Path, in_background: bool, niceness: int, policy: int
) -> None:
    seen: list[tuple[int, int, str]] = []

    def look() -> bool:
        for child in psutil.Process().children():
            if "podium.sandbox.child" in child.cmdline():
                group = Path(f"/proc/{child.pid}/autogroup")
                told = group.read_text() if group.exists() else ""
                found = os.sched_getscheduler(child.pid)
                if found == policy:
                    seen.append((child.nice(), found, told))
        return bool(seen)

    sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE)
    limits = replace(LIMITS, in_background=in_background)
    sandbox.run(HostileTask(function="sleep"), limits=limits, scratch=tmp_path, should_stop=look)
    [(nice, found, group)] = seen
    assert (nice, found) == (niceness, policy)
    assert group == "" or group.endswith(f"nice {niceness}\n")


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


@pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="this kernel does not tell who waits"
)
def test_one_in_the_background_waits_for_the_processors_as_long_as_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "WAITED_AT_MOST", 1)
    # The kernel counts a wait once it is over, and where much else runs beside the two, each one
    # may be seconds at a time. Beside the two alone, 0.4 s of work take half a minute.
    limits = Limits(memory_bytes=400 << 20, wall_seconds=15, file_bytes=4 << 20, in_background=True)
    with one_processor_wanted_by(2):
        result = run("work", tmp_path, limits, seconds=0.4)
    assert result.failure is None, result.report
