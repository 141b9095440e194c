"""A tiny OTTO competition, and what the strict reader says of a file that is sent to it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from podium.scoring.lists.lines import LineCounts, normalize
from podium.scoring.lists.opening import list_blocks
from podium.scoring.problems import FileRejected, Rejection
from podium.scoring.published import PublishedIds
from podium.scoring.task import MAX_SURPLUS_ROWS, OTTO, Task
from tests.builders.zstd import CHECKED, zstd

HEADER = b"session_type,labels\n"
IDS = [f"{session}_{name}" for session in (1, 2, 3) for name in OTTO.names]
PUBLISHED = PublishedIds(pl.Series([1, 2, 3], dtype=pl.Int32), OTTO.names)
ROWS = [f"{row_id},5962{number} 10{number}\n".encode() for number, row_id in enumerate(IDS)]
GOOD = HEADER + b"".join(ROWS)


class Accepted(AssertionError):
    """A file that was expected to be refused was accepted."""


def with_row(line: int, row: bytes) -> bytes:
    """The good file with another row on a line (2 is the first one after the header)."""
    rows = [*ROWS]
    rows[line - 2] = row + b"\n"
    return HEADER + b"".join(rows)


def streamed(text: bytes) -> bytes:
    """A zstd frame as a stream makes it: without the size of the text, here with a checksum."""
    stream = zstd.ZstdCompressor(options=CHECKED)
    return stream.compress(text) + stream.flush()


def blocks(text: bytes, size: int = 64) -> Iterator[bytes]:
    """The text cut after the first LF at or after every `size` bytes."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + size) + 1 or len(text)
        yield text[start:end]
        start = end


def read(
    text: bytes, *, task: Task = OTTO, published: PublishedIds = PUBLISHED
) -> tuple[LineCounts, bytes]:
    """Counts and canonical text of a text that is expected to be good."""
    sink = io.BytesIO()
    counts = normalize(blocks(text), task=task, published=published, sink=sink)
    return counts, sink.getvalue()


def rejection(text: bytes, *, task: Task = OTTO, published: PublishedIds = PUBLISHED) -> Rejection:
    """The rejection of a text that is expected to be bad."""
    try:
        read(text, task=task, published=published)
    except FileRejected as rejected:
        return rejected.rejection
    raise Accepted


def problems(
    text: bytes, *, task: Task = OTTO, published: PublishedIds = PUBLISHED
) -> list[tuple[int | None, str]]:
    """Line and code of each problem shown."""
    found = rejection(text, task=task, published=published).problems
    return [(problem.line, str(problem.code)) for problem in found]


def read_file(path: Path, *, task: Task = OTTO, max_rows: int | None = None) -> bytes:
    """The text of a file, whatever container it is in."""
    rows = PUBLISHED.count + MAX_SURPLUS_ROWS if max_rows is None else max_rows
    return b"".join(list_blocks(path, task, max_rows=rows))


def served_before_refusal(path: Path, *, task: Task = OTTO) -> tuple[int, str]:
    """The number of bytes of its text that are given away of a file that is refused, and the
    code."""
    served = 0
    try:
        for block in list_blocks(path, task, max_rows=PUBLISHED.count, block_bytes=1 << 20):
            served += len(block)
    except FileRejected as rejected:
        return served, str(rejected.rejection.problems[0].code)
    raise Accepted


def refused(path: Path, *, task: Task = OTTO, max_rows: int | None = None) -> str:
    """The code for which a file is refused before or while its text is read, or for its text."""
    rows = PUBLISHED.count + MAX_SURPLUS_ROWS if max_rows is None else max_rows
    try:
        opened = list_blocks(path, task, max_rows=rows)
        normalize(opened, task=task, published=PUBLISHED, sink=io.BytesIO())
    except FileRejected as rejected:
        return str(rejected.rejection.problems[0].code)
    raise Accepted
