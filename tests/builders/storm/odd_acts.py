"""Judges every file as usual, except those that begin with a word for what shall happen."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from podium.sandbox.tasks import acts


def judge(progress: Callable[[float], None], *, file: str, **arguments: Any) -> dict[str, Any]:
    """Aborts, grows without end, hangs, or judges."""
    word = Path(file).read_bytes()[:8]
    if word.startswith(b"abort"):
        os.abort()
    if word.startswith(b"hang"):
        time.sleep(3600)
    kept = []
    while word.startswith(b"grow"):
        kept.append(os.urandom(1 << 20) * 8)
    return acts.judge(progress, file=file, **arguments)


ACTS = {**acts.ACTS, "judge": judge}
