"""Captures a metric's output, at the file descriptors, and retains the end of it.

A thread drains a pipe continuously, so that a million lines neither block nor take memory or disk.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from podium.custom_metric_runner.values import MAX_OUTPUT_BYTES

STREAMS = (1, 2)
"""The descriptors of standard output and standard error."""

CHUNK = 64 << 10

PATIENCE_SECONDS = 1.0
"""Seconds to wait for the end of the pipe, which stays open if a metric has copied a descriptor."""


class Printed:
    """The last `MAX_OUTPUT_BYTES` of the output."""

    def __init__(self) -> None:
        self._tail = b""
        self._count = 0

    def add(self, chunk: bytes) -> None:
        """Appends a chunk of output, and drops all but the end."""
        self._count += len(chunk)
        self._tail = (self._tail + chunk)[-MAX_OUTPUT_BYTES:]

    def __str__(self) -> str:
        text = self._tail.decode("utf-8", "replace")
        cut = self._count - len(self._tail)
        return f"[{cut:,} bytes before this are left out]\n{text}" if cut else text


@contextmanager
def caught() -> Iterator[Printed]:
    """Captures everything that is printed in the block, by any means."""
    printed = Printed()
    source, target = os.pipe()
    _flush()
    saved = {stream: os.dup(stream) for stream in STREAMS}
    before = sys.stdout, sys.stderr
    for stream in STREAMS:
        os.dup2(target, stream)
    # A notebook's own streams bypass the descriptors.
    opened = _stream(os.dup(target), lines=False), _stream(target, lines=True)
    sys.stdout, sys.stderr = opened
    reader = threading.Thread(target=_read, args=(source, printed), daemon=True)
    reader.start()
    try:
        yield printed
    finally:
        for printing in opened:
            # Closing flushes the streams.
            with suppress(Exception):
                printing.close()
        sys.stdout, sys.stderr = before
        for stream, saved_stream in saved.items():
            # A metric may have closed any of them.
            with suppress(OSError):
                os.dup2(saved_stream, stream)
            with suppress(OSError):
                os.close(saved_stream)
        reader.join(PATIENCE_SECONDS)


def _read(source: int, printed: Printed) -> None:
    with suppress(OSError):
        while chunk := os.read(source, CHUNK):
            printed.add(chunk)
    with suppress(OSError):
        os.close(source)


def _stream(descriptor: int, *, lines: bool) -> TextIO:
    # Block by block: each line by itself would wait for the thread.
    return open(
        descriptor, "w", buffering=1 if lines else -1, encoding="utf-8", errors="backslashreplace"
    )


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # A metric may have replaced them by anything.
        with suppress(Exception):
            stream.flush()
