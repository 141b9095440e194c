"""Judges every file as usual; for one that ends with `WAITS` it first waits for SIGCONT.

So that a test can attach to the child, or let its worker lose the lease, before it goes on. The
sandbox forbids a child to stop itself; a child that waits is known by its handler of the signal.
"""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

from podium.sandbox import tasks
from podium.sandbox.definitions.judging import Judged, JudgeFile
from podium.sandbox.registry import Progress, registered
from podium.sandbox.tasks import judging

WAITS = b"\n\n\n\n\n"
"""Blank lines mean nothing in a submission."""


def judge(progress: Progress, task: JudgeFile) -> Judged:
    """Waits where the file says so, and judges."""
    if task.file.read_bytes().endswith(WAITS):
        told: list[int] = []
        signal.signal(signal.SIGCONT, lambda number, _: told.append(number))
        while not told:
            time.sleep(0.01)
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
    return judging.judge(progress, task)


def is_waiting(pid: int) -> bool:
    """True if this process is a child that waits."""
    try:
        found = re.search(r"SigCgt:\s+(\w+)", Path(f"/proc/{pid}/status").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return False
    return found is not None and bool(int(found[1], 16) & 1 << (signal.SIGCONT - 1))


TASKS = {**tasks.TASKS, **dict([registered(JudgeFile, judge)])}
