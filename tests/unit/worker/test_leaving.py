"""A process that was told to leave ends, whatever still hangs in it."""

from __future__ import annotations

import subprocess
import sys


def ended(waits: str) -> subprocess.CompletedProcess[str]:
    """A process with 0.2 s to leave, and a thread that waits so."""
    code = (
        "import threading; from app.worker.leaving import leave_for_certain;"
        f"threading.Thread(target=lambda: {waits}, name='silent').start();"
        "leave_for_certain(0.2)"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def test_a_thread_that_waits_for_ever_is_left_behind_and_named() -> None:
    process = ended("threading.Event().wait()")
    assert process.returncode == 1
    assert "left-in-the-middle" in process.stdout + process.stderr
    assert "silent" in process.stdout + process.stderr


def test_who_has_ended_before_is_not_waited_for() -> None:
    process = ended("None")
    assert (process.returncode, process.stderr) == (0, "")
