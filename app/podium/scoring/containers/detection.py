"""Detects the container of a file by its first bytes, never by its name, and reads its text in
blocks.

Each decompressor is a module that is imported when a file needs it; the limits that all share are
here.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from pathlib import Path

from podium.scoring.containers.ahead import MadeAhead
from podium.scoring.containers.foreign import foreign_kind
from podium.scoring.containers.memory import keep_freed_memory
from podium.scoring.hints.texts import Hint
from podium.scoring.kernel.text import Pieces
from podium.scoring.kinds import kind_of
from podium.scoring.problems import Code, FileRejected, Rejection
from podium.scoring.task import Task
from podium.scoring.text.blocks import file_blocks, whole_lines

BLOCK_BYTES = 6 << 20
"""Bytes of text in one block. Above 8 MiB the allocator of Polars returns the memory of columns to
the system each time, which costs more than all other work."""

FREE_BYTES = 64 << 20
"""Up to this size, text may have any compression ratio."""

MAX_RATIO = 400
"""The highest compression ratio of text larger than `FREE_BYTES`. Real submissions with one list
for all queries reach 100; bombs begin at 1,000."""

_HEAD_BYTES = 512


class Container(Enum):
    """The containers that are read."""

    PLAIN = "plain text"
    GZIP = "gzip"
    ZSTD = "zstd"
    ZIP = "zip"
    PARQUET = "Parquet"

    @property
    def is_unpacked(self) -> bool:
        """True for compressed text, which is decompressed in a separate thread."""
        return self not in (Container.PLAIN, Container.PARQUET)


def recognize(path: Path) -> Container:
    """Detects the container of a file; raises `FileRejected` (unsupported-media-type), which
    identifies the format, for an unsupported one.

    A file of unknown format is treated as plain text; its reader checks whether it is text.
    """
    with path.open("rb", buffering=0) as file:
        head = file.read(_HEAD_BYTES)
        file.seek(max(0, path.stat().st_size - _ZIP_END_BYTES))
        tail = file.read(_ZIP_END_BYTES)
    container = container_of(head)
    if container is Container.PLAIN:
        _refuse_foreign(head, "")
        # A self-extracting program is a zip file with other bytes before it.
        if tail.startswith(b"PK\x05\x06"):
            return Container.ZIP
    return container


def is_parquet(path: Path) -> bool:
    """True for Parquet files. Raises FileRejected for unsupported formats."""
    return recognize(path) is Container.PARQUET


def open_blocks(path: Path, task: Task, *, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Yields the text of any file except Parquet, in blocks that end right after an LF, except for
    the last. Raises `FileRejected`, possibly after some blocks."""
    container = recognize(path)
    if container is Container.PLAIN:
        _check_size(path, task)
        yield from file_blocks(path, block_bytes)
    else:
        yield from whole_lines(_pieces(path, container, task), block_bytes)


def open_source(path: Path, task: Task) -> io.RawIOBase:
    """Opens the same text as a file; raises `FileRejected`, possibly while it is read."""
    container = recognize(path)
    if container is Container.PLAIN:
        _check_size(path, task)
        return path.open("rb", buffering=0)
    return Pieces(MadeAhead(_pieces(path, container, task)))


@contextmanager
def unpacked_ahead(path: Path, task: Task) -> Iterator[io.RawIOBase | None]:
    """Opens the text of a compressed file of lists, and starts decompressing it; None for any other
    file. Raises `FileRejected` like `open_source`."""
    if not kind_of(task.kind).has_lists or not recognize(path).is_unpacked:
        yield None
        return
    with open_source(path, task) as source:
        yield source


def _check_size(path: Path, task: Task) -> None:
    if path.stat().st_size > task.max_expanded_bytes:
        raise _too_large(task.max_expanded_bytes)


def _pieces(path: Path, container: Container, task: Task) -> Iterator[bytes]:
    keep_freed_memory()
    limit = min(task.max_expanded_bytes, max(FREE_BYTES, MAX_RATIO * path.stat().st_size))
    return limited(_without_inner(_unpacked(path, container), container), limit)


def _unpacked(path: Path, container: Container) -> Iterator[bytes]:
    if container is Container.GZIP:
        from podium.scoring.containers.gzip_stream import gzip_pieces

        return gzip_pieces(path)
    if container is Container.ZSTD:
        from podium.scoring.containers.zstd_stream import zstd_pieces

        return zstd_pieces(path)
    from podium.scoring.containers.zip_stream import zip_pieces

    return zip_pieces(path)


@contextmanager
def problems_in_rows(path: Path) -> Iterator[None]:
    """Renumbers a FileRejected from the block as rows where the file is Parquet, from which text
    is generated."""
    try:
        yield
    except FileRejected as rejected:
        if is_parquet(path):
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        raise


def as_rows(rejection: Rejection) -> Rejection:
    """Renumbers a rejection of generated text: line n of it is row n − 2, and the header is not a
    row."""
    problems = tuple(
        problem
        if problem.line is None
        else replace(
            problem,
            line=None,
            row=problem.line - 2 if problem.line > 1 else None,
            detail=NAMED_LINE.sub(_named_row, problem.detail),
            hint=LINE_OF_HINT.sub(_named_row, problem.hint or "") or None,
        )
        for problem in rejection.problems
    )
    return replace(rejection, problems=problems)


def _named_row(found: re.Match[str]) -> str:
    word = "Row" if found[0].startswith("L") else "row"
    return f"{'in ' if found[1] else ''}{word} {int(found[2]) - 2}"


def limited(pieces: Iterator[bytes], limit: int) -> Iterator[bytes]:
    """Passes pieces on; raises `FileRejected` once their size exceeds the limit."""
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > limit:
            raise _too_large(limit)
        yield piece


def _too_large(limit: int) -> FileRejected:
    detail = f"the text is larger than {limit >> 20:,} MiB, the limit for this file"
    hint = "Is this the right file? Send one row for each published id, without surplus items."
    return FileRejected.because(Code.EXPANDED_TOO_LARGE, detail, hint=hint)


def _without_inner(pieces: Iterator[bytes], outer: Container) -> Iterator[bytes]:
    """Refuses a container inside a container, which is detected by the first bytes of the text."""
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= _HEAD_BYTES:
            break
    inner = container_of(head)
    if inner is not Container.PLAIN:
        raise _unsupported(f"{inner.value} inside {outer.value}")
    _refuse_foreign(head, f" inside {outer.value}")
    yield head
    yield from pieces


def container_of(head: bytes) -> Container:
    """Detects the container of a file by its first bytes."""
    if head.startswith(b"\x1f\x8b"):
        return Container.GZIP
    if head.startswith((b"\x28\xb5\x2f\xfd",)) or _ZSTD_SKIPPABLE.match(head):
        return Container.ZSTD
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return Container.ZIP
    if _PARQUET.match(head):
        return Container.PARQUET
    return Container.PLAIN


def _refuse_foreign(head: bytes, where: str) -> None:
    kind = foreign_kind(head)
    if kind is not None:
        raise _unsupported(kind.name + where, f": {kind.advice}")


def _unsupported(kind: str, advice: str = "") -> FileRejected:
    return FileRejected.because(
        Code.UNSUPPORTED_MEDIA_TYPE,
        f"the file is {kind}, which is not read here",
        hint=Hint.SEND_KNOWN.format(advice),
    )


_ZIP_END_BYTES = 22
_ZSTD_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
# The four letters may also begin the name of a column, but then no control character follows. In an
# encrypted file they precede the length of its first module, four bytes in little-endian order.
_PARQUET = re.compile(rb"PAR[1E](\Z|[\x00-\x1f]|[^\n]{1,3}[\x00-\x08])", re.DOTALL)

NAMED_LINE = re.compile(r"\b(on )?line (\d+)(?= and (?:on )?line \d+| differ$|$)")
"""A line in a sentence about two of them."""

LINE_OF_HINT = re.compile(r"\b(on )?[Ll]ine (\d+)(?= is wrong|(?: and on line \d+)?\.$)")
"""A line in the advice on too many rows, which tells of another problem."""
