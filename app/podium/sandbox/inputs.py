"""The input files of a child: opened before it gives up its rights, then read by descriptor.

Their paths still name them in messages and arguments, but the child cannot open them again: neither
its user nor Landlock allows it. Stdlib only.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from io import BufferedReader, RawIOBase, TextIOWrapper
from pathlib import Path, PosixPath
from typing import Any

_OPEN: dict[str, int] = {}
"""The descriptors of this process's inputs, by path."""


def open_inputs(paths: Iterable[str]) -> None:
    """Opens the files of this process's task; from then on `input_at` finds them. A file that
    cannot be opened is skipped: reading it fails later."""
    for path in paths:
        with suppress(OSError):
            _OPEN[path] = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)


def input_at(path: str) -> Path:
    """Returns the path of a task's file; if the file is open already, the path opens it by
    descriptor."""
    return InputFile(path) if path in _OPEN else Path(path)


class InputFile(PosixPath):
    """A path to a file that this process has open, and could not open again."""

    def open(self, mode: str = "r", buffering: int = -1, *rest: Any, **named: Any) -> Any:  # noqa: ANN401 - as many kinds of files as modes
        """Opens another reader of the file, which starts at the beginning."""
        if mode not in ("r", "rb") or str(self) not in _OPEN:
            return super().open(mode, buffering, *rest, **named)
        raw = _OwnPlace(_OPEN[str(self)])
        if mode == "r":
            return TextIOWrapper(BufferedReader(raw), *rest, **named)
        return BufferedReader(raw) if buffering else raw

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """Returns size, times and modes of the open file."""
        if str(self) not in _OPEN:
            return super().stat(follow_symlinks=follow_symlinks)
        return os.fstat(_OPEN[str(self)])


class _OwnPlace(RawIOBase):
    """Reads an open file with a position of its own, because duplicates of the descriptor would
    share one; closing it leaves the file open."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._at = 0

    def fileno(self) -> int:
        return self._descriptor

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        bases = {os.SEEK_SET: 0, os.SEEK_CUR: self._at}
        base = bases[whence] if whence in bases else os.fstat(self._descriptor).st_size
        if base + offset < 0:
            raise ValueError("a place before the beginning")
        self._at = base + offset
        return self._at

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - whatever memory can be written to
        count = os.preadv(self._descriptor, [buffer], self._at)
        self._at += count
        return count

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return self.readall()
        # `readinto` would copy the bytes once more.
        piece = os.pread(self._descriptor, size, self._at)
        self._at += len(piece)
        return piece

    def readall(self) -> bytes:
        return b"".join(iter(lambda: self.read(1 << 20), b""))
