"""Warm processes that end or cannot fork, and parents that end."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.children import LIMITS
from tests.builders.sandbox.hostile import HOSTILE, Found, HostileTask
from tests.places import ROOT

ANSWER = HostileTask(function="answer")

WAITING = """
import time
Path("started").touch()
while not Path("go").exists():
    time.sleep(0.02)
"""

WAITS = HostileTask(function="take-over", arguments={"code": WAITING})
"""A task that goes on until a file `go` lies in its folder."""


def warm_sandbox() -> ChildSandbox:
    return ChildSandbox(threads=1, tasks_module=HOSTILE, is_warm=True)


def warm_processes(parent: psutil.Process | None = None) -> set[psutil.Process]:
    children = (parent or psutil.Process()).children()
    return {each for each in children if "podium.sandbox.warm.process" in each.cmdline()}


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"this did not happen within {seconds} s"
        time.sleep(0.02)


class Running:
    """A task that runs in a thread of its own."""

    def __init__(self, sandbox: ChildSandbox, task: HostileTask, scratch: Path) -> None:
        scratch.mkdir()
        self.scratch = scratch
        self._results: list[Result[Found | Rejected]] = []
        self._thread = threading.Thread(
            target=lambda: self._results.append(sandbox.run(task, limits=LIMITS, scratch=scratch))
        )
        self._thread.start()

    def result(self) -> Result[Found | Rejected]:
        self._thread.join()
        return self._results[0]


def test_children_outlive_their_warm_process_and_another_takes_over(tmp_path: Path) -> None:
    sandbox, before = warm_sandbox(), warm_processes()
    (tmp_path / "first").mkdir()
    assert sandbox.run(ANSWER, limits=LIMITS, scratch=tmp_path / "first").answer
    [warm] = warm_processes() - before
    running = Running(sandbox, WAITS, tmp_path / "waits")
    until(lambda: (running.scratch / "started").exists())
    warm.kill()
    # Its end is not taken down yet.
    until(lambda: warm.status() == psutil.STATUS_ZOMBIE)
    assert sandbox.run(ANSWER, limits=LIMITS, scratch=tmp_path / "first").answer
    assert sandbox.describe_start().startswith("warm")
    (running.scratch / "go").touch()
    assert running.result().answer


def test_children_outlive_the_thread_that_started_their_warm_process(tmp_path: Path) -> None:
    sandbox = warm_sandbox()
    first = Running(sandbox, WAITS, tmp_path / "first")
    until(lambda: (first.scratch / "started").exists())
    second = Running(sandbox, WAITS, tmp_path / "second")
    until(lambda: (second.scratch / "started").exists())
    (first.scratch / "go").touch()
    assert first.result().answer
    (second.scratch / "go").touch()
    assert second.result().answer


def test_many_threads_get_children_at_once(tmp_path: Path) -> None:
    sandbox = warm_sandbox()
    running = [Running(sandbox, ANSWER, tmp_path / str(number)) for number in range(6)]
    folders = set()
    for each in running:
        answer = each.result().answer
        assert isinstance(answer, Found)
        folders.add(answer.found["folder"])
    assert folders == {str(each.scratch) for each in running}


def test_a_process_with_threads_is_not_forked(tmp_path: Path) -> None:
    before = warm_processes()
    sandbox = ChildSandbox(
        threads=1, tasks_module="tests.builders.sandbox.threaded_tasks", is_warm=True
    )
    for _ in range(2):
        assert isinstance(sandbox.run(ANSWER, limits=LIMITS, scratch=tmp_path).answer, Found)
        assert sandbox.describe_start() == "each by itself: never 2 threads run in the warm process"
        assert warm_processes() <= before


def test_no_warm_process_outlives_its_sandbox(tmp_path: Path) -> None:
    sandbox, before = warm_sandbox(), warm_processes()
    assert sandbox.run(ANSWER, limits=LIMITS, scratch=tmp_path).answer
    assert warm_processes() - before
    del sandbox
    assert warm_processes() <= before


def test_nothing_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from tests.system.sandbox import test_warm_faults as t;"
        "t.warm_sandbox().run(t.WAITS, limits=t.LIMITS, scratch=Path(sys.argv[1]))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT)
    try:
        until(lambda: (tmp_path / "started").exists())
        both = warm_processes(psutil.Process(parent.pid))
        assert len(both) == 2
    finally:
        parent.kill()
        parent.wait()
    _, alive = psutil.wait_procs(both, timeout=60)
    assert not alive


def test_without_descriptors_a_task_does_not_start_and_is_no_crash(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from pathlib import Path;"
        "from tests.system.sandbox import test_warm_faults as t;"
        "sandbox = t.warm_sandbox(); run = lambda: sandbox.run("
        "    t.ANSWER, limits=t.LIMITS, scratch=Path(sys.argv[1]));"
        "assert run().answer; most = len(list(Path('/proc/self/fd').iterdir())) + 3;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)); print(run().failure)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert ended.stdout.strip() == FailureReason.NOT_STARTED, ended.stderr


def test_limits_hold_in_a_warm_child(tmp_path: Path) -> None:
    sandbox = warm_sandbox()
    short = Limits(memory_bytes=400 << 20, wall_seconds=1, file_bytes=4 << 20)
    for function, reason in (
        ("grow", FailureReason.MEMORY),
        ("write-too-much", FailureReason.FILE_SIZE),
        ("abort", FailureReason.CRASH),
        ("exit-silently", FailureReason.NO_ANSWER),
    ):
        task = HostileTask(function=function)
        assert sandbox.run(task, limits=LIMITS, scratch=tmp_path).failure is reason
    late = sandbox.run(HostileTask(function="ignore-signals"), limits=short, scratch=tmp_path)
    assert late.failure is FailureReason.WALL_TIME
    assert sandbox.describe_start().startswith("warm")
