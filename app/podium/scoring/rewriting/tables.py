"""Opens tables of organizers, whose columns may be separated by other characters than commas."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from podium.scoring.containers.ahead import MadeAhead
from podium.scoring.containers.detection import BLOCK_BYTES, open_blocks, open_source
from podium.scoring.forms import SEPARATORS
from podium.scoring.kernel.text import Pieces
from podium.scoring.rewriting.separators import pieces_of, with_commas
from podium.scoring.task import Task
from podium.scoring.text.header import BOM
from podium.scoring.text.trec import QRELS_FIELDS, fields_of, is_number

_SIGNS = (b"::", b"\t", b";")
_HEAD_BYTES = 64 << 10


def table_blocks(path: Path, task: Task, *, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Yields the text of a table with commas, in blocks that end right after an LF, except for the
    last; other separators are read where the task takes the form. Raises `FileRejected`, possibly
    after some blocks."""
    blocks = open_blocks(path, task, block_bytes=block_bytes)
    return _rewritten(blocks) if SEPARATORS.key in task.forms else blocks


def table_source(path: Path, task: Task) -> io.RawIOBase:
    """Opens the same text as a file; raises `FileRejected`, possibly while it is read."""
    if SEPARATORS.key in task.forms:
        head = next(open_blocks(path, task, block_bytes=_HEAD_BYTES), b"")
        if separator_in(head) is not None:
            return Pieces(MadeAhead(table_blocks(path, task)))
    return open_source(path, task)


def separator_in(head: bytes) -> bytes | None:
    r"""Finds what separates the columns of a header instead of commas; None where commas do, or
    there is no header of a table.

    >>> separator_in(b"user;item\n"), separator_in(b"user,item\n"), separator_in(b"1\t0\t7\t1\n")
    (b';', None, None)
    """
    line = head.removeprefix(BOM).partition(b"\n")[0]
    fields = fields_of(line)
    is_of_qrels = len(fields) == len(QRELS_FIELDS) and is_number(fields[-1])
    if b"," in line or is_of_qrels or line.lstrip()[:1] in (b"{", b"["):
        return None
    return next((sign for sign in _SIGNS if sign in line), None)


def _rewritten(blocks: Iterator[bytes]) -> Iterator[bytes]:
    first = next(blocks, b"")
    separator = separator_in(first)
    for block in chain((first,), blocks):
        if separator is None:
            yield block
        else:
            yield from (with_commas(piece, separator) for piece in pieces_of(block))
