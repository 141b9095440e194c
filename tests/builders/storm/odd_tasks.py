"""Judges every file as usual, except those that begin with a word for what shall happen."""

from __future__ import annotations

import os
import time

from podium.sandbox import tasks
from podium.sandbox.definitions.judging import Judged, JudgeFile
from podium.sandbox.registry import Progress, registered
from podium.sandbox.tasks import judging


def judge(progress: Progress, task: JudgeFile) -> Judged:
    """Aborts, grows without end, hangs, or judges."""
    word = task.file.read_bytes()[:8]
    if word.startswith(b"abort"):
        os.abort()
    if word.startswith(b"hang"):
        time.sleep(3600)
    kept = []
    while word.startswith(b"grow"):
        kept.append(os.urandom(1 << 20) * 8)
    return judging.judge(progress, task)


TASKS = {**tasks.TASKS, **dict([registered(JudgeFile, judge)])}
