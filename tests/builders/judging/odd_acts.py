"""A judge that does what the first word of a file says, and judges every other file as usual."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from podium.sandbox.tasks import acts

Document = dict[str, Any]


def judge(progress: Callable[[float], None], *, file: str, **arguments: Any) -> Document:
    word = Path(file).read_bytes()[:32]
    if word.startswith(b"grow"):
        kept = []
        while True:
            kept.append(os.urandom(1 << 20) * 8)
    if word.startswith(b"abort"):
        os.abort()
    if word.startswith(b"sleep"):
        time.sleep(600)
    if word.startswith(b"half-a-gigabyte"):
        return _after_using_memory(progress, arguments)
    return acts.judge(progress, file=file, **arguments)


def _after_using_memory(progress: Callable[[float], None], arguments: Document) -> Document:
    kept = b"\x01" * (512 << 20)
    time.sleep(0.3)
    assert len(kept) == 512 << 20
    return _judge_an_empty_file(progress, arguments)


def _judge_an_empty_file(progress: Callable[[float], None], arguments: Document) -> Document:
    good = Path("good.csv")
    rows = [f"{s}_{k}," for s in (1, 2, 3, 4) for k in ("clicks", "carts", "orders")]
    good.write_text("\n".join(["session_type,labels", *rows]))
    return acts.judge(progress, file=str(good), **arguments)


ACTS = {**acts.ACTS, "judge": judge}
