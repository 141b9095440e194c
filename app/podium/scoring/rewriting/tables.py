"""Opens tables of organizers, whose columns may be separated by other characters than commas."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path

from podium.scoring.containers.ahead import MadeAhead
from podium.scoring.containers.detection import BLOCK_BYTES, open_blocks, open_source
from podium.scoring.forms import SEPARATORS
from podium.scoring.kernel.text import Pieces
from podium.scoring.rewriting.cell_lists import unquoted
from podium.scoring.rewriting.separators import blocks_with_commas
from podium.scoring.rewriting.spelling import HEAD_BYTES, SIGNS, fields_by, is_whole
from podium.scoring.task import Task
from podium.scoring.text.header import BOM
from podium.scoring.text.trec import BEIR_FIELDS, QRELS_FIELDS, fields_of, is_number


def table_blocks(path: Path, task: Task, *, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Yields the text of a table with commas, in blocks that end right after an LF, except for the
    last; other separators are read where the task takes the form. Raises `FileRejected`, possibly
    after some blocks."""
    blocks = open_blocks(path, task, block_bytes=block_bytes)
    return _rewritten(blocks, task) if SEPARATORS.key in task.forms else blocks


def table_source(path: Path, task: Task) -> io.RawIOBase:
    """Opens the same text as a file; raises `FileRejected`, possibly while it is read."""
    if SEPARATORS.key in task.forms:
        head = next(open_blocks(path, task, block_bytes=HEAD_BYTES), b"")
        if separator_in(head, task.columns) is not None:
            return Pieces(MadeAhead(table_blocks(path, task)))
    return open_source(path, task)


def separator_in(head: bytes, names: Collection[str] = ()) -> bytes | None:
    r"""Finds what separates the columns of a header instead of commas; None where commas do, or
    there is no header of a table. Where several may, the names of columns decide.

    >>> separator_in(b"user;item\n"), separator_in(b"user,item\n"), separator_in(b"1\t0\t7\t1\n")
    (b';', None, None)
    """
    line = head.removeprefix(BOM).partition(b"\n")[0].removesuffix(b"\r")
    if _is_of_another_format(line) or line.decode("utf-8", "replace") in names:
        return None
    found = {sign: columns for sign in (b",", *SIGNS) if (columns := _columns(line, sign))}
    known = [sign for sign, columns in found.items() if not columns.isdisjoint(names)]
    first = next(iter([*known, *found]), b",")
    return None if first == b"," else first


def _is_of_another_format(line: bytes) -> bool:
    """True for a first line of TREC's judgments, in which tabs may stand, of those of BEIR, of
    JSON, and for a blank line."""
    fields = fields_of(line)
    is_of_qrels = len(fields) == len(QRELS_FIELDS) and is_number(fields[-1])
    is_of_beir = line.decode("utf-8", "replace").split("\t") == [*BEIR_FIELDS]
    return not fields or is_of_qrels or is_of_beir or line.lstrip().startswith(b"{")


def _columns(line: bytes, separator: bytes) -> set[str]:
    """Lists the names of several columns; none where quotes do not enclose them."""
    fields = fields_by(line, separator)
    if len(fields) < 2 or not all(map(is_whole, fields)):
        return set()
    return {unquoted(field).decode("utf-8", "replace") for field in fields}


def _rewritten(blocks: Iterator[bytes], task: Task) -> Iterator[bytes]:
    first = next(blocks, b"")
    separator = separator_in(first, task.columns)
    blocks = chain((first,), blocks)
    yield from blocks if separator is None else blocks_with_commas(blocks, separator)
