"""Splits one line of text into fields, and checks it as a line.

Works on bytes, without knowledge of the meaning of fields.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from podium.scoring.forms import encoding_of
from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, Hint
from podium.scoring.kinds import kind_of
from podium.scoring.problems import Code, Problem, printable, quoted
from podium.scoring.task import Task

CTRL_Z = b"\x1a"


class RowProblem(Exception):
    """A line, or one of its fields, cannot be read; the code, the detail and the hint explain
    why."""

    def __init__(self, code: Code, detail: str, hint: str | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.hint = hint


def in_field(wrong: RowProblem, line: int, row_id: bytes, column: str) -> Problem:
    """Builds the problem of one field of a line, under the line's id."""
    shown_id = printable(row_id[:LONGEST_ITEM_BYTES])
    return Problem(wrong.code, wrong.detail, line, None, shown_id, column, wrong.hint)


def read_fields(raw: bytes, task: Task, names: Sequence[str] = ()) -> list[bytes]:
    """Splits a line into as many fields as the task has columns, or as there are `names`, without
    the quotes around them."""
    check_line(raw, task)
    if not raw.strip(b" \t"):
        raise RowProblem(Code.BLANK_LINE, "the line holds only spaces", Hint.SPACES_ALONE)
    if CTRL_Z in raw:
        raise RowProblem(
            Code.BAD_CHARACTER,
            "the line holds the character 0x1A (Ctrl-Z)",
            Hint.CTRL_Z,
        )
    fields = split_fields(raw)
    if len(fields) != len(names or task.columns):
        detail = f"{quoted(raw)} has {_count(len(fields))} instead of {len(names or task.columns)}"
        if names:
            shape = Hint.ROW_OF_PAIRS.format(", ".join(names[:-1]), names[-1])
            raise RowProblem(Code.ROW_SHAPE, detail, shape)
        kind = kind_of(task.kind)
        if kind.has_lists and is_printed_list(raw):
            raise RowProblem(Code.ROW_SHAPE, detail, Hint.PYTHON_LIST)
        shape = Hint[kind.row_hint].format(*kind.row_words(task))
        raise RowProblem(Code.ROW_SHAPE, detail, shape)
    return fields


def is_printed_list(raw: bytes) -> bool:
    """True for a line that contains a printed Python list."""
    return PRINTED_LIST.search(raw) is not None


def check_line(raw: bytes, task: Task) -> None:
    """Refuses a line that is too long, is not UTF-8, or contains a CR that does not end it."""
    if len(raw) > task.max_line_bytes:
        shorter = kind_of(task.kind).short_lines.format(task.depth)
        detail = f"the line is longer than {task.max_line_bytes:,} bytes; it begins {quoted(raw)}"
        raise RowProblem(Code.LINE_TOO_LONG, detail, shorter)
    try:
        raw.decode()
    except UnicodeDecodeError as wrong:
        shown = raw[wrong.start : wrong.start + 4]
        other = encoding_of(task.forms)
        or_else = f", and the file not {other.key}" if other else ""
        raise RowProblem(
            Code.ENCODING,
            f"byte {wrong.start + 1} of the line is not UTF-8{or_else}: {quoted(shown)}",
            Hint.AS_UTF_8,
        ) from None
    if b"\r" in raw:
        raise RowProblem(
            Code.LINE_ENDINGS,
            "a carriage return (CR) stands where no line ends",
            Hint.LINE_ENDS,
        )


def split_fields(raw: bytes) -> list[bytes]:
    """Splits a line into fields by RFC 4180, without the quotes around them.

    Quotes must enclose a whole field. Doubled ones inside are not unescaped: no id, number or list
    may have any.
    """
    if b'"' not in raw:
        return raw.split(b",")
    if not _GOOD_ROW.fullmatch(raw):
        raise _bad_quote(raw)
    return [inside or plain for inside, plain in _GOOD_FIELDS.findall(raw)]


def names_of(header: bytes) -> list[bytes]:
    """Splits the header of a file into names, which may hold commas and quotes. Raises
    RowProblem."""
    return [field.replace(b'""', b'"') for field in split_fields(header)]


def _bad_quote(raw: bytes) -> RowProblem:
    """Finds the first problem with quotes of a line that has one."""
    start = 0
    while good := _GOOD_FIELD.match(raw, start):
        start = good.end()
    shown = quoted(raw[start:])
    if raw.startswith(b'"', start) and _QUOTED_FIELD.match(raw, start) is None:
        detail = f"a quote is opened and not closed on this line: {shown}"
        return RowProblem(Code.BAD_QUOTE, detail, Hint.OPEN_QUOTE)
    return RowProblem(Code.BAD_QUOTE, f"a quote inside a field: {shown}", Hint.STRAY_QUOTE)


def _count(fields: int) -> str:
    return "1 field" if fields == 1 else f"{fields} fields"


PRINTED_LIST = re.compile(rb"\[[^\[\],]*+,[^\[\]]*+\]|\[[^ \t|;\[\]]*+\]")
_INSIDE = rb'[^"]*+(?:""[^"]*+)*'
_GOOD_ROW = re.compile(rb'(?:(?:^|,)(?:"%s"|[^",]*+))+' % _INSIDE)
_GOOD_FIELDS = re.compile(rb'(?:^|,)(?:"(%s)"|([^",]*+))' % _INSIDE)
_GOOD_FIELD = re.compile(rb'(?:"%s"|[^",]*+),' % _INSIDE)
_QUOTED_FIELD = re.compile(rb'"%s"(?!")' % _INSIDE)
