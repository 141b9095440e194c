"""Reading a ground truth as the first word of the file says, and every other file as usual."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from podium.sandbox import tasks
from podium.sandbox.definitions.materials import ReadTruth, TruthRead
from podium.sandbox.registry import Progress, registered
from podium.sandbox.tasks import materials


def read(progress: Progress, task: ReadTruth) -> TruthRead:
    word = task.file.read_bytes()[:32]
    if word.startswith(b"abort"):
        os.abort()
    if word.startswith(b"grow"):
        kept = []
        while True:
            kept.append(os.urandom(1 << 20) * 8)
    if word.startswith(b"half-a-gigabyte"):
        assert len(b"\x01" * (512 << 20)) == 512 << 20
        rest = Path("rest.jsonl")
        rest.write_bytes(task.file.read_bytes().partition(b"\n")[2])
        task = replace(task, file=rest)
    return materials.read_truth(progress, task)


TASKS = {**tasks.TASKS, **dict([registered(ReadTruth, read)])}
