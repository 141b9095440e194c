"""A judge that does what the first word of a file says, and judges every other file as usual."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from podium.sandbox import tasks
from podium.sandbox.definitions.judging import Judged, JudgeFile
from podium.sandbox.registry import Progress, registered
from podium.sandbox.tasks import judging


def judge(progress: Progress, task: JudgeFile) -> Judged:
    word = task.file.read_bytes()[:32]
    if word.startswith(b"grow"):
        kept = []
        while True:
            kept.append(os.urandom(1 << 20) * 8)
    if word.startswith(b"abort"):
        os.abort()
    if word.startswith(b"sleep"):
        time.sleep(600)
    if word.startswith(b"half-a-gigabyte"):
        return _after_using_memory(progress, task)
    if word.startswith(b"divide-by-zero"):
        judged = _judge_an_empty_file(progress, task)
        return replace(judged, scores=dict.fromkeys(judged.scores, "1/0"))
    return judging.judge(progress, task)


def _after_using_memory(progress: Progress, task: JudgeFile) -> Judged:
    kept = b"\x01" * (512 << 20)
    time.sleep(0.3)
    assert len(kept) == 512 << 20
    return _judge_an_empty_file(progress, task)


def _judge_an_empty_file(progress: Progress, task: JudgeFile) -> Judged:
    good = Path("good.csv")
    rows = [f"{s}_{k}," for s in (1, 2, 3, 4) for k in ("clicks", "carts", "orders")]
    good.write_text("\n".join(["session_type,labels", *rows]))
    return judging.judge(progress, replace(task, file=good))


TASKS = {**tasks.TASKS, **dict([registered(JudgeFile, judge)])}
