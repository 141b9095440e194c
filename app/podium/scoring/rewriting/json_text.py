"""Reads JSON entry by entry, in bounded memory, and rewrites it as lines with commas.

Reading ends at the first entry that cannot be a row, as it is not known what follows. Problems have
the lines of the rewritten text, in which a header comes first.
"""

from __future__ import annotations

import io
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from typing import NoReturn

from podium.scoring.hints.texts import Hint
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.rewriting.json_head import ARRAY, KEY, MARK, OBJECT, SPACE
from podium.scoring.rewriting.json_rows import EntryProblem, EntryRows
from podium.scoring.text.blocks import KEPT_BYTES
from podium.scoring.text.header import BOM
from podium.scoring.text.json_values import SPACES, NotJson, value_at

PIECE_BYTES = 1 << 20
"""The bytes that are read at a time, and whose rows are one block."""

_AHEAD = 2 * KEPT_BYTES
"""The characters that are ready where an entry begins, unless the text ends before: more than any
entry and the space around it may have."""

_FIRST_LINE = 2
_QUOTED_AT = 64
_BYTES_OF_A_CHARACTER = 4
_DECODER = getincrementaldecoder("utf-8")


def rows_of_lines(blocks: Iterator[bytes], rows: EntryRows) -> Iterator[bytes]:
    """Rewrites blocks of lines, each of which has an object. Blank lines remain. Raises
    FileRejected."""
    first = _FIRST_LINE
    for number, block in enumerate(blocks):
        text = block if number else block.removeprefix(BOM)
        if not text.strip(b" \t\r\n"):
            yield b"\n" * text.count(b"\n")
            first += text.count(b"\n")
            continue
        found = list[str]()
        for line in text.decode("utf-8", "surrogateescape").split("\n"):
            try:
                _require_short(line)
                found.append(_row_of(line.strip(" \t\r"), rows))
            except EntryProblem as wrong:
                raise _refused(wrong, first + len(found)) from None
        yield _encoded(found, first)
        # A block ends right after a line feed, but for the last one.
        first += len(found) - 1


def _require_short(line: str) -> None:
    """Refuses what may be the rest of a line that was shortened. Raises EntryProblem."""
    may_be_long = _BYTES_OF_A_CHARACTER * len(line) >= KEPT_BYTES
    if may_be_long and len(line.encode("utf-8", "surrogateescape")) >= KEPT_BYTES:
        raise _too_long("line", line)


def _row_of(line: str, rows: EntryRows) -> str:
    if not line:
        return line
    try:
        record, end = value_at(line)
    except NotJson as wrong:
        raise rows.misshapen(f"the line is not JSON{_why(wrong, line)}") from None
    if end != len(line):
        raise rows.misshapen(
            f"the line goes on after its object: {quoted(line[end:][:_QUOTED_AT])}"
        )
    return rows.of_record(record)


class EntryText:
    """Rewrites a text that is one value of JSON: an array of objects, or with `is_by_id` an object
    with a member for each id."""

    def __init__(self, source: io.RawIOBase, rows: EntryRows, *, is_by_id: bool) -> None:
        self._source, self._rows, self._is_by_id = source, rows, is_by_id
        self._decoder = _DECODER("surrogateescape")
        self._text, self._at, self._is_whole = "", 0, False
        self._mark = MARK if is_by_id else _MARK_OF_ITEMS
        self._line = _FIRST_LINE

    def blocks(self) -> Iterator[bytes]:
        """Yields the rows of all entries as lines, in blocks. Raises FileRejected."""
        self._fill()
        self._text = self._text.removeprefix("\ufeff")
        opened = (OBJECT if self._is_by_id else ARRAY).match(self._text)
        assert opened is not None, "the layout was recognized by the start"
        self._at, has_more = opened.end(), True
        while has_more:
            self._fill()
            found = list[str]()
            try:
                has_more = self._read(found)
            except EntryProblem as wrong:
                raise _refused(wrong, self._line + len(found)) from None
            yield _encoded([*found, ""], self._line)
            self._line += len(found)
        self._require_end()

    def _fill(self) -> None:
        """Makes the characters ready that an entry may have, without spaces before it."""
        text, self._at = self._text[self._at :].lstrip(SPACES), 0
        while len(text) < _AHEAD and not self._is_whole:
            text = (text + self._more()).lstrip(SPACES)
        self._text = text

    def _more(self) -> str:
        piece = self._source.read(PIECE_BYTES) or b""
        self._is_whole = not piece
        return self._decoder.decode(piece, final=self._is_whole)

    def _skip_spaces(self, start: int, end: int) -> None:
        """Drops the spaces after an entry, with which the characters end that are ready."""
        rest = ""
        while not rest and not self._is_whole:
            rest = self._more().lstrip(SPACES)
        self._text, self._at = self._text[start:end] + rest, 0

    def _read(self, found: list[str]) -> bool:
        """Reads the entries that are ready; False after the last one. Raises EntryProblem."""
        text, at, find_mark = self._text, self._at, self._mark.match
        entry = self._member if self._is_by_id else self._item
        last = len(text) if self._is_whole else len(text) - _AHEAD
        has_more = True
        while has_more and at <= last:
            row, end = entry(text, at)
            if end - at >= KEPT_BYTES:
                raise _too_long("entry", text[at:])
            if (mark := find_mark(text, end)) is None:
                is_cut = not text[end:].strip(SPACES)
                if is_cut and not self._is_whole:
                    self._skip_spaces(at, end)
                    return True
                self._refuse(NotJson("", end, is_cut=is_cut), at)
            found.append(row)
            at, has_more = mark.end(), mark[1] == ","
        self._at = at
        return has_more

    def _item(self, text: str, at: int) -> tuple[str, int]:
        try:
            record, end = value_at(text, at)
        except NotJson as wrong:
            self._refuse(wrong, at)
        return self._rows.of_record(record), end

    def _member(self, text: str, at: int) -> tuple[str, int]:
        if (key := KEY.match(text, at)) is None:
            is_cut = _CUT_KEY.match(text, at) is not None
            self._refuse(NotJson("", at, is_cut=is_cut), at)
        name = key[1][1:-1]
        try:
            if "\\" in name:
                name, _ = value_at(key[1])
            value, end = value_at(text, key.end())
        except NotJson as wrong:
            self._refuse(wrong, at)
        return self._rows.of_member(name, value), end

    def _refuse(self, wrong: NotJson, start: int) -> NoReturn:
        """Refuses the entry from `start` on. Raises EntryProblem."""
        if wrong.is_cut and not self._is_whole:
            raise _too_long("entry", self._text[start:])
        if wrong.is_cut:
            detail = f"the file ends within the entry {quoted(self._text[start:][:_QUOTED_AT])}"
            hint = "The file is not whole: send it again."
            raise EntryProblem(Code.BAD_JSON, detail, hint)
        raise self._rows.misshapen(f"the entry is not JSON{_why(wrong, self._text)}")

    def _require_end(self) -> None:
        self._fill()
        if self._text:
            rest = quoted(self._text[:_QUOTED_AT])
            detail = f"the text goes on after its last entry: {rest}"
            raise _refused(self._rows.misshapen(detail), self._line)


def _why(wrong: NotJson, text: str) -> str:
    if str(wrong):
        return f": {wrong}"
    rest = text[wrong.at :][:_QUOTED_AT]
    return f" from {quoted(rest)} on" if rest else " at its end"


def _too_long(one: str, text: str) -> EntryProblem:
    detail = f"the {one} is longer than {KEPT_BYTES:,} bytes; it begins {quoted(text[:_QUOTED_AT])}"
    return EntryProblem(Code.LINE_TOO_LONG, detail)


def _refused(wrong: EntryProblem, line: int) -> FileRejected:
    return FileRejected.because(
        wrong.code, wrong.detail, line=line, column=wrong.column, hint=wrong.hint
    )


def _encoded(rows: Sequence[str], first_line: int) -> bytes:
    """Joins rows to lines. Raises FileRejected for a row that is not one."""
    text = "\n".join(rows)
    try:
        if "\r" not in text and text.count("\n") == len(rows) - 1:
            return text.encode()
    except UnicodeEncodeError:
        pass
    for line, row in enumerate(rows, start=first_line):
        if "\n" in row or "\r" in row:
            detail = f"a text holds a line end: {quoted(row)}"
            wrong = EntryProblem(Code.BAD_CHARACTER, detail, "Send Parquet, whose texts may.")
            raise _refused(wrong, line)
        if _SURROGATE.search(row) is not None:
            detail = f"a text is not UTF-8, or holds half of a surrogate pair: {quoted(row)}"
            raise _refused(EntryProblem(Code.ENCODING, detail, Hint.AS_UTF_8), line)
    raise AssertionError("a row is not a line")  # pragma: no cover - it is one of the two


_MARK_OF_ITEMS = re.compile(rf"{SPACE}([,\]]){SPACE}")
_CUT_KEY = re.compile(rf'("[^"]*("{SPACE})?)?\Z')
_SURROGATE = re.compile("[\ud800-\udfff]")
