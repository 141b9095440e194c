"""Detects the container of a file by its first bytes, never by its name, and reads its text in
blocks.

Each decompressor is a module that is imported when a file needs it; the limits that all share are
here.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import Enum
from pathlib import Path

from podium.scoring.containers.ahead import MadeAhead
from podium.scoring.containers.foreign import BZIP2, XZ, Foreign, foreign_kind
from podium.scoring.containers.memory import keep_freed_memory
from podium.scoring.containers.transcoding import UTF_8, Codec, as_utf_8, codec_of
from podium.scoring.forms import CONTAINERS, ENCODINGS, UTF_16
from podium.scoring.hints.texts import Hint
from podium.scoring.kernel.text import Pieces
from podium.scoring.kinds import kind_of
from podium.scoring.problems import Code, FileRejected, Rejection
from podium.scoring.task import OTTO, Task
from podium.scoring.text.blocks import file_blocks, file_pieces, whole_lines
from podium.scoring.text.encodings import GUESSED_BYTES, Encoding, likely_encoding

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
    """The containers that are read, some of them only where a task takes them."""

    PLAIN = "plain text"
    GZIP = "gzip"
    ZSTD = "zstd"
    ZIP = "zip"
    PARQUET = "Parquet"
    XZ = "xz"
    BZIP2 = "bzip2"

    @property
    def is_unpacked(self) -> bool:
        """True for compressed text, which is decompressed in a separate thread."""
        return self not in (Container.PLAIN, Container.PARQUET)


def recognize(path: Path) -> Container:
    """Detects the container of a file; raises `FileRejected` (unsupported-media-type), which
    identifies the format, for one that no task takes.

    A file of unknown format is treated as plain text; its reader checks whether it is text.
    """
    head = _head(path)
    with path.open("rb", buffering=0) as file:
        file.seek(max(0, path.stat().st_size - _ZIP_END_BYTES))
        tail = file.read(_ZIP_END_BYTES)
    container = container_of(head)
    if container is Container.PLAIN:
        kind = foreign_kind(head)
        if kind is not None:
            if kind not in _FURTHER.values():
                raise _foreign(kind)
            return Container(kind.name)
        # A self-extracting program is a zip file with other bytes before it.
        if tail.startswith(b"PK\x05\x06"):
            return Container.ZIP
    return container


def _head(path: Path) -> bytes:
    with path.open("rb", buffering=0) as file:
        return file.read(_HEAD_BYTES)


def is_parquet(path: Path) -> bool:
    """True for Parquet files. Raises FileRejected for unsupported formats."""
    return recognize(path) is Container.PARQUET


def open_blocks(path: Path, task: Task, *, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Yields the text of any file except Parquet as UTF-8, in blocks that end right after an LF,
    except for the last. Raises `FileRejected`, possibly after some blocks."""
    pieces = _pieces(path, task)
    if pieces is None:
        yield from file_blocks(path, block_bytes)
    else:
        yield from whole_lines(pieces, block_bytes)


def open_source(path: Path, task: Task) -> io.RawIOBase:
    """Opens the same text as a file; raises `FileRejected`, possibly while it is read."""
    pieces = _pieces(path, task)
    return path.open("rb", buffering=0) if pieces is None else Pieces(MadeAhead(pieces))


@contextmanager
def unpacked_ahead(path: Path, task: Task) -> Iterator[io.RawIOBase | None]:
    """Opens the text of a compressed file of lists, and starts decompressing it; None for any other
    file. Raises `FileRejected` like `open_source`."""
    container = recognize(path)
    is_taken = container.is_unpacked and _takes(task, container)
    if not kind_of(task.kind).has_lists or not is_taken:
        yield None
        return
    with open_source(path, task) as source:
        yield source


def opening_any(forms: Iterable[str] = ()) -> Task:
    """Builds a task whose files are opened in every way, in the encoding of these forms, for a look
    at their start; whether the own task of a file takes it so, its reader decides."""
    named = [form for form in forms if form in ENCODINGS]
    return replace(OTTO, forms=(CONTAINERS.key, UTF_16.key, *named))


def opened_as(path: Path, task: Task) -> dict[str, str]:
    """Names the container and the encoding of a text where only a form of the task has them, each
    by the key of the form."""
    container, codec, found = recognize(path), _codec_of(path, task), {}
    if container in _FURTHER:
        found[CONTAINERS.key] = container.value
    elif container is Container.ZIP and CONTAINERS.key in task.forms and _has_litter(path):
        found[CONTAINERS.key] = "a zip with files that a system added"
    return found if codec == UTF_8 else {**found, codec.form: codec.words}


def _has_litter(path: Path) -> bool:
    from podium.scoring.containers.zip_stream import has_litter

    return has_litter(path)


def _pieces(path: Path, task: Task) -> Iterator[bytes] | None:
    """Opens the text of a file in pieces; None where the file itself is the text. Raises
    `FileRejected`, also while it is read."""
    container, codec = recognize(path), _codec_of(path, task)
    if container is Container.PLAIN and codec == UTF_8:
        if path.stat().st_size > task.max_expanded_bytes:
            raise _too_large(task.max_expanded_bytes)
        return None
    keep_freed_memory()
    pieces = _without_inner(_unpacked(path, container, task), container)
    return limited(pieces if codec == UTF_8 else as_utf_8(pieces, codec), text_limit(path, task))


def _codec_of(path: Path, task: Task) -> Codec:
    if {UTF_16.key, *ENCODINGS}.isdisjoint(task.forms):
        return UTF_8
    # In UTF-16 a character of one byte has two.
    raw = limited(_unpacked(path, recognize(path), task), 2 * text_limit(path, task))
    return codec_of(raw, task)


def _takes(task: Task, container: Container) -> bool:
    return container not in _FURTHER or CONTAINERS.key in task.forms


def text_limit(path: Path, task: Task) -> int:
    """Returns the bytes of text that a file of this size may hold."""
    return min(task.max_expanded_bytes, max(FREE_BYTES, MAX_RATIO * path.stat().st_size))


def _unpacked(path: Path, container: Container, task: Task) -> Iterator[bytes]:
    if not _takes(task, container):
        raise _foreign(_FURTHER[container])
    if container is Container.PLAIN:
        return file_pieces(path)
    if container is Container.GZIP:
        from podium.scoring.containers.gzip_stream import gzip_pieces

        return gzip_pieces(path)
    if container is Container.ZSTD:
        from podium.scoring.containers.zstd_stream import zstd_pieces

        return zstd_pieces(path)
    if container is Container.ZIP:
        from podium.scoring.containers.zip_stream import zip_pieces

        return zip_pieces(path, may_have_litter=CONTAINERS.key in task.forms)
    from podium.scoring.containers.streams import bzip2_pieces, xz_pieces

    return xz_pieces(path) if container is Container.XZ else bzip2_pieces(path)


@contextmanager
def problems_of(path: Path) -> Iterator[None]:
    """Completes a FileRejected from the block by what the file is: of Parquet, line n of the text
    generated from it is row n − 2, and the header is not a row; of text in another encoding than
    UTF-8, the hint names it where it is clear."""
    try:
        yield
    except FileRejected as rejected:
        if is_parquet(path):
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        encoding = likely_encoding(_start_of(path))
        if encoding is None:
            raise
        raise FileRejected(_with_encoding(rejected.rejection, encoding)) from rejected


def _start_of(path: Path) -> bytes:
    """Reads the start of the text of a file; empty where it cannot be opened."""
    with suppress(FileRejected):
        return next(open_blocks(path, opening_any(), block_bytes=GUESSED_BYTES), b"")
    return b""


def _with_encoding(rejection: Rejection, encoding: Encoding) -> Rejection:
    """Names the encoding in the hints of the problems that are about it; else in that of the first
    one whose text has an escape, as bytes that are not UTF-8 are shown."""
    hint, problems = (
        Hint.LOOKS_ENCODED.format(encoding.name, encoding.iconv),
        list(rejection.problems),
    )
    about = [at for at, each in enumerate(problems) if each.code == Code.ENCODING]
    for at in about:
        problems[at] = replace(problems[at], hint=hint)
    for at in [at for at, each in enumerate(problems) if "\\" in each.detail and not about][:1]:
        problems[at] = replace(problems[at], hint=f"{hint} {problems[at].hint or ''}".rstrip())
    return replace(rejection, problems=tuple(problems))


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
    kind = foreign_kind(head)
    if kind is not None:
        raise _foreign(kind, f" inside {outer.value}")
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


def _foreign(kind: Foreign, where: str = "") -> FileRejected:
    return _unsupported(kind.name + where, f": {kind.advice}")


def _unsupported(kind: str, advice: str = "") -> FileRejected:
    return FileRejected.because(
        Code.UNSUPPORTED_MEDIA_TYPE,
        f"the file is {kind}, which is not read here",
        hint=Hint.SEND_KNOWN.format(advice),
    )


_FURTHER = {Container.XZ: XZ, Container.BZIP2: BZIP2}
"""The containers of the form `containers`, which are foreign to all other tasks."""

_ZIP_END_BYTES = 22
_ZSTD_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
# The four letters may also begin the name of a column, but then no control character follows. In an
# encrypted file they precede the length of its first module, four bytes in little-endian order.
_PARQUET = re.compile(rb"PAR[1E](\Z|[\x00-\x1f]|[^\n]{1,3}[\x00-\x08])", re.DOTALL)

NAMED_LINE = re.compile(r"\b(on )?line (\d+)(?= and (?:on )?line \d+| differ$|$)")
"""A line in a sentence about two of them."""

LINE_OF_HINT = re.compile(r"\b(on )?[Ll]ine (\d+)(?= is wrong|(?: and on line \d+)?\.$)")
"""A line in the advice on too many rows, which tells of another problem."""
