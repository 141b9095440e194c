"""Hostile metrics in real children: what they find, what they may leave, and what they may say.

One metric makes many attempts and reports those that went well, so that a few children do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from podium.custom_metric_runner.boards import Board
from podium.custom_metric_runner.values import MetricRun
from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.children import ChildSandbox
from podium.sandbox.metric_answers import run_of
from tests.builders.custom_metric_runner.bench import MetricBench

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=30, file_bytes=16 << 20)

HEAD = "def score(solution, submission, row_id_column_name: str) -> float:\n"

MARKS = '''
import fcntl, os, signal, socket, sys, threading

PLACES = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/root", "/dev/mqueue", "..", sys.prefix]


def attempts():
    """What would reach further than this process, by name."""
    for place in PLACES:
        mark = os.path.join(place, "podium-test-mark")
        yield f"write {place}", lambda mark=mark: open(mark, "w")
        yield f"list {place}", lambda place=place: os.listdir(place)
    library = os.__file__
    yield "append", lambda: open(library, "ab")
    yield "times", lambda: os.utime(library)
    yield "mode", lambda: os.chmod(library, 0o777)
    yield "attribute", lambda: os.setxattr(library, "user.mark", b"1")
    yield "lock", lambda: fcntl.flock(os.open(library, os.O_RDONLY), fcntl.LOCK_SH)
    yield "link", lambda: os.symlink("/etc/passwd", "terms.bin")
    yield "pipe", lambda: os.mkfifo("terms.bin")
    yield "abstract socket", lambda: socket.socket(socket.AF_UNIX).bind("\\0mark")
    yield "socket", lambda: socket.socket(socket.AF_INET)
    yield "fork", os.fork
    yield "program", lambda: os.execv(sys.executable, [sys.executable])
    yield "stop", lambda: os.kill(os.getpid(), signal.SIGSTOP)
    yield "parent", lambda: os.kill(os.getppid(), 0)
    yield "parent's memory", lambda: open(f"/proc/{os.getppid()}/maps")
    yield "environment", lambda: open(f"/proc/{os.getppid()}/environ")


def score(solution, submission, row_id_column_name: str) -> float:
    done = [name for name in ("json", "numpy") if hasattr(sys.modules.get(name), "mark")]
    for name in ("json", "numpy"):
        setattr(sys.modules[name], "mark", 1)
    for name, attempt in attempts():
        try:
            attempt()
        except OSError:
            continue
        done.append(name)
    raise RuntimeError(f"done: {done}")
'''

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("custom metrics")]

FORGED: list[dict[str, Any]] = [
    {"status": "run", "outcome": "measured", "score": "zzz", "numbers": {"\u202e": "q"}},
    {"status": "run", "outcome": "measured", "score": "0x1.0p+9999", "standard_error": -5},
    {"status": "rejected", "problem": {"code": "bad-id", "detail": "for nothing", "errors": []}},
    {"status": "described", "isolation": {}},
]


@pytest.fixture
def bench(tmp_path: Path) -> MetricBench:
    bench = MetricBench(tmp_path)
    bench.small()
    return bench


def run(
    bench: MetricBench, source: str, sandbox: ChildSandbox | None = None, folder: str = "scratch"
) -> Result[MetricRun | Rejected]:
    bench.write(source)
    scratch = bench.folder / folder
    scratch.mkdir()
    child = sandbox or ChildSandbox(threads=1, custom_metrics="on")
    return child.run(bench.task(), limits=LIMITS, scratch=scratch)


def test_nothing_of_a_run_reaches_another_or_anything_else(bench: MetricBench) -> None:
    warm = ChildSandbox(threads=1, is_warm=True, custom_metrics="on")

    for folder in ("first", "second"):
        ended = run(bench, MARKS, warm, folder)

        assert isinstance(ended.answer, MetricRun), ended
        assert "RuntimeError: done: []" in ended.answer.report


@pytest.mark.parametrize("forged", FORGED)
def test_what_a_metric_says_by_itself_is_checked(
    bench: MetricBench, forged: dict[str, Any]
) -> None:
    line = json.dumps({"document": forged, "failure": "not-started", "report": "again"})
    tries = f"try: os.write(fd, {line!r}.encode() + b'\\n')"
    source = f"{HEAD}    import os\n    for fd in range(3, 256):\n        {tries}\n"

    result = run(bench, f"{source}        except OSError: pass\n    os._exit(0)\n")

    assert result.failure in (None, FailureReason.OUR_ERROR)
    told = run_of(result, Board((), 5))
    assert (told.outcome, told.score, told.numbers, told.text) == ("failed", None, None, "")


@pytest.mark.parametrize("name", ["ParticipantVisibleError", "RuntimeError"])
def test_a_text_of_any_length_is_cut_before_it_is_said(bench: MetricBench, name: str) -> None:
    body = f"    class {name}(Exception): ...\n    raise {name}('truth ' * 2_000_000)\n"

    ended = run(bench, HEAD + body).answer

    assert isinstance(ended, MetricRun)
    is_refused = name == "ParticipantVisibleError"
    assert ended.outcome == ("refused" if is_refused else "failed")
    assert (len(ended.text), len(ended.report)) == ((280, 0) if is_refused else (0, 16_000))
