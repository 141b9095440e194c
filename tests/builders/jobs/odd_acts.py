"""Reading a ground truth as the first word of the file says, and every other file as usual."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from podium.sandbox.tasks import acts

READ = "read-ground-truth"


def read(progress: Callable[[float], None], *, file: str, **arguments: Any) -> dict[str, Any]:
    word = Path(file).read_bytes()[:32]
    if word.startswith(b"abort"):
        os.abort()
    if word.startswith(b"grow"):
        kept = []
        while True:
            kept.append(os.urandom(1 << 20) * 8)
    return acts.ACTS[READ](progress, file=file, **arguments)


ACTS = {**acts.ACTS, READ: read}
