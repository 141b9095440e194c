"""Reading a ground truth as the first word of the file says, and every other file as usual."""

from __future__ import annotations

import os

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
    return materials.read_truth(progress, task)


TASKS = {**tasks.TASKS, **dict([registered(ReadTruth, read)])}
