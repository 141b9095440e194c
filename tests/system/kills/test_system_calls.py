"""Storing a file with a kill or an error at each of its system calls: no false word, no half file.

The tracer counts the calls of the whole process, so the loop runs from the first to past the last.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.storm.write_once import PIECE, PIECES

SHA256 = hashlib.sha256(PIECE * PIECES).hexdigest()
MAX_CALLS = 60

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


def stored(root: Path) -> bytes | None:
    path = root / "submissions" / SHA256[:2] / SHA256[2:4] / SHA256
    return path.read_bytes() if path.exists() else None


def _own_calls_only() -> dict[str, str]:
    """An environment in which nothing but the writer makes calls: no caches, no measuring."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    return kept | {"PYTHONDONTWRITEBYTECODE": "1"}


def with_fault(root: Path, call: str, fault: str, number: int, *words: str) -> tuple[int, bool]:
    """Runs the writer with a fault at the n-th such call: its exit status, and if it said so."""
    tracer = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}"]
    ended = subprocess.run(
        [
            *tracer,
            *("-e", f"inject={call}:{fault}:when={number}"),
            *(sys.executable, "-m", "tests.builders.storm.write_once", str(root), *words),
        ],
        env=_own_calls_only() | {"PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        check=False,
    )
    return ended.returncode, b"acknowledged" in ended.stdout


@needs_strace
@pytest.mark.parametrize("call", ["write", "fsync", "rename", "mkdir"])
@pytest.mark.parametrize("fault", ["signal=SIGKILL", "error=EIO", "error=ENOSPC"])
def test_nothing_is_acknowledged_that_is_not_whole_and_in_place(
    tmp_path: Path, call: str, fault: str
) -> None:
    faults = 0
    for number in range(1, MAX_CALLS):
        root = tmp_path / str(number)
        status, acknowledged = with_fault(root, call, fault, number)
        whole = stored(root) == PIECE * PIECES
        assert whole or stored(root) is None, f"half a file after {call} {number}"
        assert whole or not acknowledged, f"a false word after {call} {number}"
        if status == 0 and acknowledged:
            break
        faults += 1
    assert faults > 0
    assert acknowledged


@needs_strace
def test_a_large_file_is_synced_while_it_comes(tmp_path: Path) -> None:
    """So that the disk never has much to write before a transaction of the database is synced."""
    told = tmp_path / "calls"
    tracer = ["strace", "-f", "-qq", "-o", str(told), "-e", "trace=write,fsync"]
    writer = [sys.executable, "-m", "tests.builders.storm.write_once", str(tmp_path / "root")]
    environment = _own_calls_only() | {"PYTHONPATH": str(Path.cwd())}
    subprocess.run([*tracer, *writer], env=environment, capture_output=True, check=True)
    calls = [
        "fsync" if "fsync(" in line else "write"
        for line in told.read_text().splitlines()
        if "fsync(" in line or line.endswith(f" = {len(PIECE)}")
    ]
    assert calls.count("write") == PIECES
    last = len(calls) - calls[::-1].index("write")
    assert "fsync" in calls[calls.index("write") : last]


@needs_strace
def test_a_writer_that_speaks_too_early_is_caught(tmp_path: Path) -> None:
    _, acknowledged = with_fault(tmp_path, "rename", "signal=SIGKILL", 1, "careless")
    assert acknowledged
    assert stored(tmp_path) is None
