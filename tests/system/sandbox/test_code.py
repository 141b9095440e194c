"""An organizer's code that attacks: what it can see, and how its attempts end."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from podium.sandbox import FailureReason, Limits
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox import ordinary_user
from tests.builders.sandbox.hostile import HOSTILE, CodeTask, Found
from tests.builders.sandbox.ordinary_user import code_run, code_run_by_an_ordinary_user
from tests.places import ROOT

LIMITS = Limits(memory_bytes=300 << 20, wall_seconds=30, file_bytes=4 << 20)
ISOLATION = ChildSandbox().describe()

needs_landlock = pytest.mark.skipif("Landlock" not in ISOLATION["files"], reason=ISOLATION["files"])

LOOK_AROUND = """
import os, resource, sys
def outcome(act):
    try:
        act()
    except OSError as error:
        return type(error).__name__
    return "reached"
found["environment"] = dict(os.environ)
found["open"] = sorted(os.listdir("/proc/self/fd"), key=int)
found["limits"] = [
    resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in ("NOFILE", "CORE")
]
found["task"] = Path(sys.argv[1]).exists()
found["read"] = {path: outcome(Path(path).read_bytes) for path in paths}
found["listed"] = {path: outcome(lambda: os.listdir(path)) for path in folders}
from podium.sandbox.inputs import input_at
found["own"] = input_at(given).read_bytes().decode()
"""


@needs_landlock
def test_code_sees_its_inputs_and_libraries_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_ADMIN_TOKEN", "planted-token")
    (tmp_path / "other").mkdir()
    for name in ("input", "other/team", "metric.py"):
        (tmp_path / name).write_text(name)
    parent = os.getpid()
    closed = [
        *("/etc/passwd", "/etc/hostname", "/proc/1/environ", "/proc/self/environ"),
        *("/proc/self/mountinfo", "/proc/self/cgroup", "/proc/meminfo", "/proc/stat"),
        *("/sys/devices/system/cpu/online", "/sys/kernel/mm/transparent_hugepage/enabled"),
        *(f"/proc/{parent}/{name}" for name in ("environ", "maps", "mem", "cmdline", "fd/0")),
        *(str(tmp_path / name) for name in ("other/team", "metric.py", "input")),
    ]
    folders = [f"/proc/{parent}/fd", "/proc", "/", "/tmp", str(tmp_path), str(tmp_path / "other")]
    with socket.create_server(("127.0.0.1", 0)) as server:
        os.set_inheritable(server.fileno(), True)
        found = code_run(
            tmp_path / "s",
            LOOK_AROUND,
            file=tmp_path / "input",
            given=str(tmp_path / "input"),
            paths=closed,
            folders=folders,
        )
    assert {path for path, end in found["read"].items() if end == "reached"} == set()
    assert {path for path, end in found["listed"].items() if end == "reached"} == set()
    assert found["own"] == "input"
    assert not found["task"]
    # Standard input, output and error, the pipe of the answers, the input, and the listing itself.
    assert len(found["open"]) == 6
    assert found["limits"] == [[65, 65], [0, 0]], "the input is beside what it may open"
    names = set(found["environment"])
    assert not [name for name in names if name.startswith(("PYTHON", "PODIUM"))]
    assert {"LANG", "HOME", "TMPDIR", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"} <= names
    assert "planted-token" not in str(found["environment"])


@pytest.mark.parametrize("landlock", [0, None])
def test_code_changes_nothing_outside_and_reaches_no_one(
    tmp_path: Path, landlock: int | None
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("truth")
    code = """
import ctypes, os, signal, socket, subprocess, sys, time
def outcome(act):
    try:
        act()
    except OSError as error:
        return type(error).__name__
    return "reached"
found["tried"] = {
    "fork": outcome(os.fork), "program": outcome(lambda: subprocess.run([sys.executable])),
    "socket": outcome(socket.socket), "kill": outcome(lambda: os.kill(os.getppid(), 9)),
    "stop": outcome(lambda: os.kill(os.getppid(), signal.SIGSTOP)),
    "chmod": outcome(lambda: os.chmod(secret, 0o777)), "own": outcome(lambda: os.chmod(".", 0o777)),
    "utime": outcome(lambda: os.utime(secret, (1, 1))),
    "link": outcome(lambda: os.link(secret, "link")),
    "cut": outcome(lambda: os.truncate(secret, 0)),
    "symlink": outcome(lambda: os.symlink(secret, "link")), "fifo": outcome(lambda: os.mkfifo("f")),
    "clock": outcome(lambda: time.clock_settime(time.CLOCK_REALTIME, 0)),
    "affinity": outcome(lambda: os.sched_setaffinity(0, {0})),
    "nice": outcome(lambda: os.setpriority(os.PRIO_PROCESS, 0, 5)),
    "lock": outcome(lambda: __import__("fcntl").flock(os.open(".", 0), 2)),
    "memory": outcome(lambda: os.memfd_create("x")), "root": outcome(lambda: os.setuid(0)),
    "hidden": call(316, -100, b"a", -100, b"b", 4), "filter": call(317, 1, 0, 0),
}
"""
    found = code_run(tmp_path / "s", code, landlock, secret=str(secret))
    ends = found["tried"]
    assert {name for name, end in ends.items() if end not in ("PermissionError", "EPERM")} == set()
    assert secret.read_text() == "truth"
    assert [path.name for path in (tmp_path / "s").iterdir()] == []


THREADS = """
import threading, time
threading.stack_size(65536)
end, started = threading.Event(), []
try:
    for _ in range(500):
        started.append(threading.Thread(target=end.wait))
        started[-1].start()
except RuntimeError:
    found["refused"] = True
else:
    time.sleep(60)
end.set()
found["started"] = len(started)
"""


@pytest.mark.skipif("64747" not in ISOLATION["privileges"], reason=ISOLATION["privileges"])
def test_threads_are_few(tmp_path: Path) -> None:
    found = code_run(tmp_path / "s", THREADS)
    assert found["refused"]
    assert 20 < found["started"] < 70


@pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None, reason="setpriv is not installed"
)
@pytest.mark.skipif("namespace of its own" not in ISOLATION["network"], reason=ISOLATION["network"])
def test_threads_are_few_where_the_service_is_an_ordinary_user() -> None:
    found = code_run_by_an_ordinary_user(THREADS)
    assert found["refused"]
    assert 20 < found["started"] < 70


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only root can lose its rights"
)
def test_more_threads_are_the_end_where_only_the_parent_counts_them(tmp_path: Path) -> None:
    """Root whose rights do not suffice to give another user away: its threads are all users'."""
    words = ["setpriv", "--bounding-set", "-setuid", sys.executable, "-m", ordinary_user.__name__]
    ended = subprocess.run(
        [*words, str(tmp_path), "[null, false]"],
        input=THREADS,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
    )
    assert "It started more than 64 threads." in ended.stderr


ENDS = {
    "a metric rejects no file": (
        'answer({"status": "rejected", "problem": {"code": "x", "detail": "the truth is 7",'
        ' "line": None, "errors": [], "error_count": 0}}); os._exit(0)',
        FailureReason.OUR_ERROR,
    ),
    "two answers": (
        'answer({"status": "scored", "found": {}}); answer({"status": "scored", "found": {}})',
        FailureReason.CRASH,
    ),
    "no number": ('answer({"status": "scored", "found": {"x": float("nan")}})', None),
    "a closed pipe": ("os.close(pipe)", FailureReason.CRASH),
    "a closed pipe and a good end": ("os.close(pipe); os._exit(0)", FailureReason.NO_ANSWER),
    "junk": ('os.write(pipe, b"\\xff[[[[\\n" * 9999); os._exit(0)', FailureReason.NO_ANSWER),
    "words without end": (
        "while True: os.write(pipe, b'x')",
        FailureReason.CRASH,
    ),
    "memory behind a dead first thread": (
        """
import ctypes, threading
def grow():
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1 << 20)) * 4); time.sleep(0.002)
threading.Thread(target=grow).start()
ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
""",
        FailureReason.MEMORY,
    ),
    "gigabytes in files": (
        "while True: open(str(time.monotonic()), 'wb').write(bytes(1 << 20))",
        FailureReason.FILE_SIZE,
    ),
    "a stop": ("import signal; signal.raise_signal(signal.SIGSTOP)", FailureReason.WALL_TIME),
    "deaf": (
        "import signal\nfor n in (15, 24, 2): signal.signal(n, signal.SIG_IGN)\ntime.sleep(999)",
        FailureReason.WALL_TIME,
    ),
}
HELP = """
import json, os, stat, time
def is_pipe(number):
    try:
        return number > 2 and stat.S_ISFIFO(os.fstat(number).st_mode)
    except OSError:
        return False
[pipe] = filter(is_pipe, range(64))
def answer(document):
    os.write(pipe, json.dumps({"document": document}).encode() + b"\\n")
"""


@pytest.mark.parametrize("name", ENDS)
def test_each_attack_is_a_failure_within_the_limits(tmp_path: Path, name: str) -> None:
    code, failure = ENDS[name]
    limits = LIMITS
    if failure is FailureReason.WALL_TIME:
        limits = Limits(memory_bytes=LIMITS.memory_bytes, wall_seconds=3, file_bytes=1 << 20)
    task = CodeTask(function="take-over", arguments={"code": HELP + code})
    sandbox = ChildSandbox(tasks_module=HOSTILE, custom_metrics="on-unsandboxed")
    result = sandbox.run(task, limits=limits, scratch=tmp_path)
    assert result.failure is failure, (result.answer, result.report)
    if failure is None:
        assert isinstance(result.answer, Found)
        assert result.answer.found == {}, "what holds no number is not an answer"
    else:
        assert result.answer is None


def test_hashes_are_those_of_the_seed(tmp_path: Path) -> None:
    hashes = set()
    for number, seed in enumerate((7, 7, 8)):
        (tmp_path / str(number)).mkdir()
        task = CodeTask(
            function="take-over",
            arguments={"code": "found['hash'] = hash('words')"},
            hash_seed=seed,
        )
        sandbox = ChildSandbox(tasks_module=HOSTILE, custom_metrics="on-unsandboxed")
        answer = sandbox.run(task, limits=LIMITS, scratch=tmp_path / str(number)).answer
        assert isinstance(answer, Found)
        hashes.add((seed, answer.found["hash"]))
    assert len({seed for seed, _ in hashes}) == len(hashes) == 2


def test_code_runs_only_where_the_installation_says_so(tmp_path: Path) -> None:
    task = CodeTask(function="answer")
    off = ChildSandbox(tasks_module=HOSTILE, is_weak_allowed=True)
    result = off.run(task, limits=LIMITS, scratch=tmp_path)
    assert result.failure is FailureReason.NOT_ALLOWED
    assert "PODIUM_CUSTOM_METRICS is off" in result.report

    weak = ChildSandbox(
        tasks_module=HOSTILE, is_weak_allowed=True, landlock_at_most=0, custom_metrics="on"
    )
    result = weak.run(task, limits=LIMITS, scratch=tmp_path)
    assert result.failure is FailureReason.NOT_ALLOWED
    assert "files (missing" in result.report
    assert result.report == weak.custom_metrics_refusal()
