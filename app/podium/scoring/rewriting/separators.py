"""Replaces the separators of columns by commas, leaves out columns, and rewrites lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import polars as pl

from podium.scoring.hints.texts import Hint
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.rewriting.cell_lists import CellLists
from podium.scoring.rewriting.spelling import Spelling, fields_by, is_whole
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem, check_line


def with_commas(text: bytes, separator: bytes) -> bytes:
    r"""Rewrites whole lines whose columns are separated otherwise. A field that holds a comma is
    quoted; one with quotes that do not enclose it is left to the reader, which refuses it.

    >>> with_commas(b'1\t2,3\t"4"\n', b"\t")
    b'1,"2,3","4"\n'
    """
    found, at = list[bytes](), 0
    # Lines without commas and quotes are rewritten together.
    while (special := _SPECIAL.search(text, at)) is not None:
        start = text.rfind(b"\n", at, special.start()) + 1 or at
        end = text.find(b"\n", special.end())
        end = len(text) if end < 0 else end
        found += text[at:start].replace(separator, b","), _line(text[start:end], separator)
        at = end
    return b"".join((*found, text[at:].replace(separator, b",")))


def blocks_with_commas(blocks: Iterable[bytes], separator: bytes) -> Iterator[bytes]:
    """Rewrites blocks of whole lines as `with_commas` does, piece by piece."""
    for block in blocks:
        yield from (with_commas(piece, separator) for piece in pieces_of(block))


def pieces_of(block: bytes) -> Iterator[bytes]:
    """Divides a block of whole lines into pieces of whole lines. What is rewritten line by line
    takes so long that a file with far too many rows has to be stopped early."""
    at = 0
    while at < len(block):
        end = block.rfind(b"\n", at, at + _PIECE_BYTES) + 1
        end = end or block.find(b"\n", at + _PIECE_BYTES) + 1 or len(block)
        yield block[at:end]
        at = end


def _line(line: bytes, separator: bytes) -> bytes:
    ending = b"\r" if line.endswith(b"\r") else b""
    fields = fields_by(line.removesuffix(b"\r"), separator)
    return b",".join(map(_field, fields)) + ending


def _field(field: bytes) -> bytes:
    if b"," not in field:
        return field
    if b'"' not in field:
        return b'"%s"' % field
    # A comma outside its quotes must not separate: a quote inside a field makes the row refused.
    return field if is_whole(field) else b'x"' + field


class RewrittenColumns:
    """Rewrites a text as its columns that are kept, in their order, with commas, and lists with
    spaces. All other columns are checked as fields, too: what is ignored may not hide a broken
    line."""

    def __init__(self, spelling: Spelling, task: Task) -> None:
        self._task, self._separator = task, spelling.separator
        self._width = len(spelling.names)
        self._kept = spelling.kept or tuple(range(self._width))
        self._lists = spelling.lists
        # A header that the file lacks comes before its first line.
        self._line = 0 if spelling.has_header else 1
        self._labels_at = spelling.names.index(task.labels_column) if spelling.lists else -1

    def of(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Rewrites blocks of whole lines. Raises FileRejected at the first line that has no such
        fields, because it is not known which of them are kept."""
        for block in blocks:
            # Blank lines at the end may be many; they remain.
            end = block.find(b"\n", len(block.rstrip(b"\r\n"))) + 1 or len(block)
            rows, blank = block[:end], block[end:]
            found = self._columns(rows)
            if found is None:
                yield from map(self._of_lines, pieces_of(rows))
            else:
                self._line += rows.count(b"\n")
                yield found
            if blank:
                self._line += blank.count(b"\n")
                yield blank

    def _of_lines(self, piece: bytes) -> bytes:
        found = b"\n".join(map(self._of_line, piece.split(b"\n")))
        # A piece ends right after a line feed, but for the last one.
        self._line -= piece.endswith(b"\n")
        return found

    def _columns(self, block: bytes) -> bytes | None:
        """Rewrites a block at once; None where fields may be quoted, or lines are not alike."""
        has_commas = self._separator != b"," and b"," in block
        if self._lists or b'"' in block or has_commas or not block.isascii():
            return None
        text = block.replace(b"\r\n", b"\n")
        if _CONTROLS.search(text) is not None:
            return None
        lines = pl.Series([text.removesuffix(b"\n").decode("ascii")]).str.split("\n").explode()
        fields = lines.str.split(self._separator.decode())
        if not (fields.list.len() == self._width).all():
            return None
        rows = fields.list.gather(list(self._kept)).list.join(",")
        ending = b"\n" if text.endswith(b"\n") else b""
        return "\n".join(rows.to_list()).encode() + ending

    def _of_line(self, line: bytes) -> bytes:
        self._line += 1
        text = line.removesuffix(b"\r")
        if not text:
            return line
        try:
            check_line(text, self._task)
            fields = self._fields(text)
        except RowProblem as wrong:
            raise FileRejected.because(
                wrong.code, wrong.detail, line=self._line, hint=wrong.hint
            ) from None
        if self._lists is None or self._line == 1:
            return b",".join(_field(fields[at]) for at in self._kept)
        return b",".join(
            self._list(fields[at], self._lists) if at == self._labels_at else _field(fields[at])
            for at in self._kept
        )

    def _list(self, field: bytes, lists: CellLists) -> bytes:
        try:
            return lists.field_of(field)
        except RowProblem as wrong:
            column = self._task.labels_column
            raise FileRejected.because(
                wrong.code, wrong.detail, line=self._line, column=column, hint=wrong.hint
            ) from None

    def _fields(self, line: bytes) -> list[bytes]:
        """Splits a line into all its fields. Raises RowProblem."""
        if (control := _CONTROLS.search(line)) is not None:
            detail = f"the line holds the character {control[0][0]:#04x}"
            raise RowProblem(Code.BAD_CHARACTER, detail, Hint.CONTROLS)
        fields = fields_by(line, self._separator)
        if broken := [field for field in fields if not is_whole(field)]:
            detail = f"quotes that enclose no whole field: {quoted(broken[0])}"
            raise RowProblem(Code.BAD_QUOTE, detail, Hint.STRAY_QUOTE)
        if len(fields) != self._width:
            detail = f"{quoted(line)} has {len(fields)} fields instead of {self._width}"
            hint = "Every row has as many fields as the first line."
            raise RowProblem(Code.ROW_SHAPE, detail, hint)
        return fields


_PIECE_BYTES = 256 << 10
_SPECIAL = re.compile(rb'[,"]')
_CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
