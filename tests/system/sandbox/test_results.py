"""Every way in which a child can end, each with a real child that does it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.children import LIMITS, run
from tests.builders.sandbox.hostile import HOSTILE, Found, HostileTask


def test_a_child_answers_with_its_document_and_tells_its_progress(tmp_path: Path) -> None:
    heard: list[float] = []
    result = ChildSandbox(tasks_module=HOSTILE).run(
        HostileTask(function="answer"), limits=LIMITS, scratch=tmp_path, on_progress=heard.append
    )
    assert result.failure is None
    assert isinstance(result.answer, Found)
    assert result.answer.found["folder"] == str(tmp_path)
    assert heard[-1:] in ([], [1.0])


@pytest.mark.parametrize(
    ("function", "failure"),
    [
        ("grow", FailureReason.MEMORY),
        ("allocate-at-once", FailureReason.MEMORY),
        ("polars-explodes", FailureReason.MEMORY),
        ("panic", FailureReason.CRASH),
        ("abort", FailureReason.CRASH),
        ("segfault", FailureReason.CRASH),
        ("exit-with-three", FailureReason.CRASH),
        ("talk-without-end", FailureReason.CRASH),
        ("exit-silently", FailureReason.NO_ANSWER),
        ("half-an-answer", FailureReason.NO_ANSWER),
        ("answer-of-another-task", FailureReason.OUR_ERROR),
        ("answer-with-more", FailureReason.OUR_ERROR),
        ("nonsense", FailureReason.NO_ANSWER),
        ("claim-to-be-stopped", FailureReason.NO_ANSWER),
        ("claim-to-lack-memory", FailureReason.NO_ANSWER),
        ("claim-to-lack-isolation", FailureReason.NO_ANSWER),
        ("write-too-much", FailureReason.FILE_SIZE),
        ("our-error", FailureReason.OUR_ERROR),
        ("no-such-function", FailureReason.OUR_ERROR),
    ],
)
def test_each_end_has_its_name_and_a_report(
    tmp_path: Path, function: str, failure: FailureReason
) -> None:
    result = run(function, tmp_path)
    assert result.answer is None
    assert result.failure is failure, result.report
    assert result.report


def test_a_growing_child_is_ended_near_its_limit_and_not_at_that_of_its_address_space(
    tmp_path: Path,
) -> None:
    [megabytes] = re.findall(r"at most (\d+) MiB", run("grow", tmp_path).report)
    assert 400 <= int(megabytes) < 1200


@pytest.mark.parametrize("function", ["sleep", "spin", "ignore-signals", "complain-without-end"])
def test_a_child_that_takes_too_long_is_killed(tmp_path: Path, function: str) -> None:
    result = run(
        function, tmp_path, Limits(memory_bytes=1 << 30, wall_seconds=1, file_bytes=1 << 20)
    )
    assert result.failure is FailureReason.WALL_TIME
    assert _children_in(tmp_path) == []


def test_a_child_that_burns_more_processor_time_than_it_may_is_killed(tmp_path: Path) -> None:
    sandbox = ChildSandbox(tasks_module=HOSTILE, cpu_per_wall=0.01)
    result = sandbox.run(HostileTask(function="spin"), limits=LIMITS, scratch=tmp_path)
    assert result.failure is FailureReason.CPU_TIME


def test_a_child_killed_from_outside_is_a_crash(tmp_path: Path) -> None:
    results: list[Result[Found | Rejected]] = []
    thread = threading.Thread(target=lambda: results.append(run("sleep", tmp_path)))
    thread.start()
    os.kill(_child_in(tmp_path), signal.SIGKILL)
    thread.join(60)
    assert [result.failure for result in results] == [FailureReason.CRASH]


def test_a_child_is_stopped_when_asked(tmp_path: Path) -> None:
    result = ChildSandbox(tasks_module=HOSTILE).run(
        HostileTask(function="sleep"),
        limits=LIMITS,
        scratch=tmp_path,
        should_stop=(tmp_path / "started").exists,
    )
    assert result.failure is FailureReason.STOPPED
    assert _children_in(tmp_path) == []


def test_a_child_that_cannot_start_is_our_fault(tmp_path: Path) -> None:
    assert run("answer", tmp_path / "missing").failure is FailureReason.NOT_STARTED
    missing = ChildSandbox(tasks_module="tests.no_such_module")
    result = missing.run(HostileTask(function="answer"), limits=LIMITS, scratch=tmp_path)
    assert result.failure is FailureReason.OUR_ERROR


def test_no_child_outlives_a_parent_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from tests.system.sandbox.test_results import run; run('sleep', Path(sys.argv[1]))"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    child = _child_in(tmp_path)
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 60
    while _is_running(child):
        assert time.monotonic() < deadline, "the child lives on"
        time.sleep(0.02)


def test_a_callback_that_raises_leaves_no_child(tmp_path: Path) -> None:
    def stop() -> bool:
        raise RuntimeError("planted")

    sandbox = ChildSandbox(tasks_module=HOSTILE)
    with pytest.raises(RuntimeError, match="planted"):
        sandbox.run(
            HostileTask(function="sleep"), limits=LIMITS, scratch=tmp_path, should_stop=stop
        )
    assert _children_in(tmp_path) == []


def _child_in(folder: Path) -> int:
    deadline = time.monotonic() + 60
    while not (found := _children_in(folder)):
        assert time.monotonic() < deadline, "no child started"
        time.sleep(0.02)
    while not (folder / "started").exists():
        assert time.monotonic() < deadline, "the act did not start"
        time.sleep(0.02)
    return found[0]


def _children_in(folder: Path) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.joinpath("cwd").readlink() == folder and _is_running(int(process.name)):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
