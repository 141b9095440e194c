"""Opens the text of a submission in any of its task's forms, rewritten as that of `podium`."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

from podium.scoring.containers.ahead import MadeAhead
from podium.scoring.containers.detection import (
    BLOCK_BYTES,
    LINE_OF_HINT,
    NAMED_LINE,
    as_rows,
    is_parquet,
    open_blocks,
    open_source,
    opened_as,
    problems_of,
)
from podium.scoring.forms import ITEM_ROWS
from podium.scoring.kernel.text import Pieces
from podium.scoring.kinds import kind_of
from podium.scoring.names import header_of
from podium.scoring.parquet.footer import read_footer
from podium.scoring.problems import FileRejected, OtherForm, Problem
from podium.scoring.rewriting.json_head import JSON_LINES, JSON_OBJECT
from podium.scoring.rewriting.json_rows import EntryRows
from podium.scoring.rewriting.json_text import PIECE_BYTES, EntryText, rows_of_lines
from podium.scoring.rewriting.parquet_rows import item_row_pieces
from podium.scoring.rewriting.separators import RewrittenColumns, blocks_with_commas
from podium.scoring.rewriting.spelling import (
    HEAD_BYTES,
    PODIUM,
    Spelling,
    spelling_of,
    spelling_of_columns,
)
from podium.scoring.task import Task
from podium.scoring.text.blocks import whole_lines
from podium.scoring.text.header import BOM


def spelling_in(path: Path, task: Task) -> Spelling:
    """Recognizes the form of a file. Raises FileRejected, also for an unreadable container."""
    if not task.forms:
        return PODIUM
    if is_parquet(path):
        takes_item_rows = ITEM_ROWS.key in task.forms
        return spelling_of_columns(read_footer(path).columns, task) if takes_item_rows else PODIUM
    return spelling_of(next(open_blocks(path, task, block_bytes=HEAD_BYTES), b""), task)


def form_of(path: Path, task: Task) -> OtherForm:
    """Names the form of a file, with the keys of the forms that it needs, by its container, its
    encoding and its start; empty for `podium`. Raises FileRejected."""
    if not task.forms:
        return OtherForm("", ())
    opened = {} if is_parquet(path) else opened_as(path, task)
    spelling = spelling_in(path, task)
    words = "; ".join(filter(None, (*opened.values(), spelling.words)))
    return OtherForm(words, (*opened, *spelling.forms))


def spelled_blocks(
    path: Path, task: Task, spelling: Spelling, *, block_bytes: int = BLOCK_BYTES
) -> Iterator[bytes]:
    """Yields the text of a file with a header and commas, in blocks that end right after an LF,
    except for the last. Parquet is read where it has one item in each row. Raises `FileRejected`,
    possibly after some blocks."""
    if spelling.item_column and is_parquet(path):
        return whole_lines(item_row_pieces(path, task, spelling), block_bytes)
    if spelling.json_layout:
        return _from_json(path, spelling, task)
    blocks = open_blocks(path, task, block_bytes=block_bytes)
    return blocks if spelling == PODIUM else _rewritten(blocks, spelling, task)


def spelled_source(path: Path, task: Task, spelling: Spelling) -> io.RawIOBase:
    """Opens the same text as a file; raises `FileRejected`, possibly while it is read."""
    if not (spelling.is_rewritten or is_parquet(path)):
        return open_source(path, task)
    return Pieces(MadeAhead(spelled_blocks(path, task, spelling)))


def _rewritten(blocks: Iterator[bytes], spelling: Spelling, task: Task) -> Iterator[bytes]:
    if not spelling.has_header:
        yield _header(spelling)
    first = next(blocks, b"").removeprefix(BOM)
    blocks = chain((first,), blocks)
    if spelling.kept or spelling.lists:
        blocks = RewrittenColumns(spelling, task).of(blocks)
    elif spelling.separator != b",":
        blocks = blocks_with_commas(blocks, spelling.separator)
    yield from blocks


def _from_json(path: Path, spelling: Spelling, task: Task) -> Iterator[bytes]:
    yield _header(spelling)
    rows = EntryRows(spelling.names, task)
    if spelling.json_layout == JSON_LINES:
        yield from rows_of_lines(open_blocks(path, task, block_bytes=PIECE_BYTES), rows)
        return
    with open_source(path, task) as source:
        is_by_id = spelling.json_layout == JSON_OBJECT
        yield from EntryText(source, rows, is_by_id=is_by_id).blocks()


def _header(spelling: Spelling) -> bytes:
    return f"{header_of(spelling.names)}\n".encode()


@contextmanager
def problems_as_written(path: Path, task: Task, spelling: Spelling) -> Iterator[None]:
    """Renumbers a FileRejected from the block as the file's own lines are, or the rows of Parquet,
    and adds the form by which the file could be read if the task took it."""
    try:
        with _numbered_as_written(path, spelling):
            yield
    except FileRejected as rejected:
        found = rejected.rejection
        readable_as = found.readable_as or _reading_by_other_forms(path, task)
        if readable_as == found.readable_as:
            raise
        raise FileRejected(replace(found, readable_as=readable_as)) from rejected


def _reading_by_other_forms(path: Path, task: Task) -> OtherForm | None:
    """Recognizes a file by the forms that its task does not take; None where none of them fits, or
    several do."""
    known = (form.key for form in kind_of(task.kind).recognized_forms(task.query_ids))
    try:
        found = form_of(path, replace(task, forms=tuple(dict.fromkeys((*known, *task.forms)))))
    except FileRejected:
        return None
    further = tuple(key for key in found.forms if key not in task.forms)
    return replace(found, forms=further) if further else None


@contextmanager
def _numbered_as_written(path: Path, spelling: Spelling) -> Iterator[None]:
    """Renumbers a FileRejected: a header that the file lacks is not a line of it, and entries of
    JSON are rows."""
    try:
        with problems_of(path):
            yield
    except FileRejected as rejected:
        if spelling.has_header:
            raise
        if spelling.json_layout not in ("", JSON_LINES):
            raise FileRejected(as_rows(rejected.rejection)) from rejected
        moved = tuple(map(_a_line_before, rejected.rejection.problems))
        raise FileRejected(replace(rejected.rejection, problems=moved)) from rejected


def _a_line_before(problem: Problem) -> Problem:
    if problem.line is None:
        return problem
    detail = NAMED_LINE.sub(_lowered, problem.detail)
    hint = LINE_OF_HINT.sub(_lowered, problem.hint or "") or None
    return replace(problem, line=max(1, problem.line - 1), detail=detail, hint=hint)


def _lowered(found: re.Match[str]) -> str:
    return found[0].replace(found[2], str(int(found[2]) - 1))
