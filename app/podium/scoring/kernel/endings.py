"""Converts the endings of ids, which are names of objectives, for the compiled functions."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from podium.scoring.kernel.columns import PADDING
from podium.scoring.kernel.structures import NameEnding
from podium.scoring.kernel.text import NotPlain


def name_endings(objectives: Sequence[str], between: str = "_") -> ctypes.Array[NameEnding]:
    """Builds the ending of the ids of each objective: its name, with `between` before it. Raises
    NotPlain for a name that is too long."""
    return endings_of([f"{between}{name}" if name else "" for name in objectives])


def endings_of(endings: Sequence[str]) -> ctypes.Array[NameEnding]:
    """Converts endings to structures of the kernel. Raises NotPlain for one that is too long."""
    texts = [ending.encode() for ending in endings]
    if max(map(len, texts)) >= PADDING:
        raise NotPlain("the long name of an objective")
    return (NameEnding * len(texts))(*(NameEnding(text, len(text)) for text in texts))
