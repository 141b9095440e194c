"""Checks the start of a submission: its first line must be that of a CSV file with the task's
columns.

Any problem here ends the reading, because later lines could not be judged fairly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from podium.scoring.forms import JSON
from podium.scoring.hints.long_form import long_form_hint
from podium.scoring.hints.texts import Hint
from podium.scoring.names import as_field, header_of, visible_name
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.task import Task
from podium.scoring.text.encodings import wide_encoding
from podium.scoring.text.fields import RowProblem, check_line, names_of
from podium.scoring.text.trec import RUN_FIELDS, fields_of, is_run

BOM = b"\xef\xbb\xbf"

INDEX_NAMES = (b"", b"Unnamed: 0")
"""Names of the index column that pandas writes without index=False."""

BESIDE = ("Usage", "relevance")
"""Columns that an organizer's file may have in addition."""

SNIFFED_BYTES = 4096
"""Bytes of the text that are checked to distinguish an image or a program from a CSV."""

_LINE_ENDS = b"\r\n"


def first_text(blocks: Iterator[bytes], *, of: str) -> bytes:
    """Reads the start of the text, as much as the header needs, without the byte order mark. `of`
    is the word for a published id or pair. Raises `FileRejected` for a file without text."""
    first = next(blocks, b"")
    text = first.removeprefix(BOM)
    while len(text) < SNIFFED_BYTES or not text.strip(_LINE_ENDS):
        following = next(blocks, None)
        if following is None:
            break
        # With many blank lines at the start, one is enough for a refusal.
        text = text + following if text.strip(_LINE_ENDS) or not text else b"\n" + following
    if not text.strip(_LINE_ENDS):
        line = 1 if first else None
        hint = Hint.NO_TEXT.format(of)
        raise FileRejected.because(Code.EMPTY_FILE, "the file holds no text", line=line, hint=hint)
    return text


def read_columns(head: bytes, task: Task) -> tuple[str, ...]:
    """Reads the task's columns in the order of the file, from the start of the text (the whole
    first line, or `KEPT_BYTES` of it).

    A byte order mark must have been removed. Raises `FileRejected` with the reason for line 1.
    """
    line = _first_line(head)
    fields = _fields(line, task)
    if fields is not None and sorted(fields) == sorted(_names(task)):
        return tuple(field.decode() for field in fields)
    refuse_foreign_bytes(head, task.columns)
    _refuse_bad_line(line, task)
    expected = header_of(task.columns)
    other = f" or {quoted(header_of(task.order_columns))}" if task.order_columns else ""
    detail = f"the header must be {quoted(expected)}{other}, found {quoted(line)}"
    raise _reject(Code.HEADER_MISMATCH, detail, _hint(line, task, _rows(head)))


def is_headed(head: bytes, task: Task) -> bool:
    """True for the start of a text whose first line names the task's columns, in any order."""
    fields = _fields(_first_line(head.removeprefix(BOM)), task)
    return fields is not None and sorted(fields) == sorted(_names(task))


def _first_line(head: bytes) -> bytes:
    line, line_feed, _ = head.partition(b"\n")
    return line.removesuffix(b"\r") if line_feed else line


def _names(task: Task) -> list[bytes]:
    return [column.encode() for column in task.columns]


def _fields(line: bytes, task: Task) -> list[bytes] | None:
    try:
        check_line(line, task)
        return names_of(line)
    except RowProblem:
        return None


def has_column(line: bytes, column: str) -> bool:
    """True for a header with this column, whatever else the line looks like."""
    try:
        return column.encode() in names_of(line)
    except RowProblem:
        return False


def refuse_foreign_bytes(head: bytes, columns: Sequence[str] = ()) -> None:
    """Raises `FileRejected` for the start of an image, a program, a web page, or of text in another
    encoding than UTF-8. Of the `columns` of a good file, one may begin like a web page."""
    sample = head[:SNIFFED_BYTES]
    name = wide_encoding(sample)
    if name is not None:
        raise _reject(Code.ENCODING, f"the file is encoded as {name}", Hint.SAVE_AS_UTF_8)
    if _CONTROLS.search(sample) is not None:
        detail = f"the file is not text: it begins {quoted(sample)}"
        raise _reject(Code.NOT_CSV, detail, Hint.SEND_TEXT)
    if sample.lstrip()[:1] == b"<" and not any(name.startswith("<") for name in columns):
        detail = f"the file is HTML or XML, not CSV: it begins {quoted(sample)}"
        raise _reject(Code.NOT_CSV, detail, Hint.ERROR_PAGE)


def _refuse_bad_line(line: bytes, task: Task) -> None:
    """Refuses an invalid first line: with CR line ends, too long, or not UTF-8."""
    if b"\r" in line[:SNIFFED_BYTES]:
        detail = "the lines end with CR alone" if _looks_headed(line, task) else "a CR ends no line"
        raise _reject(Code.LINE_ENDINGS, detail, Hint.LINE_ENDS)
    too_long = len(line) > task.max_line_bytes
    # A long list of columns is a wrong header; a long text without columns lacks its line ends.
    if too_long and line[:SNIFFED_BYTES].count(b",") > 1 and not _looks_headed(line, task):
        return
    try:
        check_line(line, task)
    except RowProblem as wrong:
        raise _reject(wrong.code, wrong.detail, wrong.hint) from None


def _looks_headed(line: bytes, task: Task) -> bool:
    text = line[: len(header_of(task.columns).encode())]
    return sorted(_fields(text, task) or text.split(b",")) == sorted(_names(task))


def _rough_fields(line: bytes, columns: list[bytes]) -> list[bytes]:
    """Splits a header that is wrong into names without spaces and quotes around them. Quotes have
    a meaning only where one of the right columns needs them."""
    if any(set(column) & set(b'",') for column in columns):
        with suppress(RowProblem):
            return [field.strip(b" ") for field in names_of(line)]
    return [field.strip(b'" ') for field in line.split(b",")]


def _hint(line: bytes, task: Task, rows: list[list[bytes]]) -> str:
    columns = _names(task)
    fields = _rough_fields(line[:SNIFFED_BYTES], columns)
    separator = _separator(line, columns)
    renaming = _renaming(fields, columns)
    long_form = long_form_hint(fields, rows, task) or ""
    is_spaced = any(b" " in column for column in columns)
    is_json = line[:1] in (b"{", b"[") and line[:1] not in {name[:1] for name in columns}
    known = [
        (not line, Hint.BLANK_FIRST),
        (line.startswith(BOM), Hint.TWO_MARKS),
        (line[:4].lower() == b"sep=", Hint.SEP_LINE),
        (is_json, Hint.JSON_LAYOUTS if JSON.key in task.forms else Hint.JSON),
        (is_run(line) and not is_spaced, Hint.RUN_MISPLACED),
        (b"," not in line and not is_spaced and 4 <= len(fields_of(line)) <= 8, _NO_RUN),
        (bool(separator), Hint.SEPARATED.format(separator)),
        *_at_names(line, fields, columns),
        (bool(long_form), long_form),
        (bool(renaming), renaming),
        (bool(set(fields) & set(columns)), _lacking(fields, columns)),
    ]
    for applies, hint in known:
        if applies:
            return hint
    how_many = {2: "two", 3: "three", 4: "four"}.get(len(columns), str(len(columns)))
    return Hint.EXACT_COLUMNS.format(how_many)


def _at_names(line: bytes, fields: list[bytes], columns: list[bytes]) -> list[tuple[bool, Hint]]:
    """Lists the mistakes that names in place of these columns may show, in order, each with its
    hint."""
    is_wider = len(fields) == len(columns) + 1
    return [
        (is_wider and fields[0] in (*INDEX_NAMES, b"index"), Hint.INDEX_COLUMN),
        (_ROW.fullmatch(line) is not None, Hint.NO_HEADER),
        (len(fields) != len(set(fields)), Hint.NAME_TWICE),
        (set(columns) < set(fields), Hint.SURPLUS_COLUMNS),
        (_are_alike(fields, columns, str.lower), Hint.EXACT_NAMES),
        (_are_alike(fields, columns, _composed), Hint.COMPOSED_NAMES),
    ]


def _are_alike(fields: list[bytes], columns: list[bytes], simplified: Callable[[str], str]) -> bool:
    names = [simplified(name.decode("utf-8", "replace")) for name in fields + columns]
    return sorted(names[: len(fields)]) == sorted(names[len(fields) :])


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def header_hint(names: Sequence[str], forms: Sequence[Sequence[str]]) -> str | None:
    """Advises on the columns of an organizer's file that has none of these forms; None without any
    specific advice."""
    fields = [name.strip('" ').encode() for name in names if name not in BESIDE]
    line = b",".join(fields)
    hints = [_at_names(line, fields or [b""], [*map(str.encode, form)]) for form in forms]
    # A mistake of the first kind in any form comes before one of a later kind.
    kinds: Iterable[tuple[tuple[bool, Hint], ...]] = zip(*hints, strict=True)
    return next((hint for kind in kinds for applies, hint in kind if applies), None)


def _rows(head: bytes) -> list[list[bytes]]:
    """Splits the whole lines that follow the first one into fields."""
    _, *lines = head[:SNIFFED_BYTES].split(b"\n")
    if len(head) > SNIFFED_BYTES:
        del lines[-1:]
    return [[field.strip(b'" \r') for field in line.split(b",")] for line in lines if line]


def _separator(line: bytes, columns: list[bytes]) -> str | None:
    """Detects the separator in place of commas, in words. Semicolons and tabs are certain where no
    name has them; others only where they separate these columns."""
    for sign, name in {b";": "semicolons", b"\t": "tabs"}.items():
        if sign in line and not any(sign in column for column in columns):
            return name
    expected = sorted(map(bytes.lower, columns))
    for sign, name in {b"|": "“|”", b" ": "spaces"}.items():
        fields = [field.strip(b'" ') for field in line[:SNIFFED_BYTES].lower().split(sign)]
        if sorted(filter(None, fields)) == expected:
            return name
    return None


def _renaming(fields: list[bytes], columns: list[bytes]) -> str:
    """Advises to rename the only column with another name; empty where that is not the only
    fault."""
    others, missing = set(fields) - set(columns), set(columns) - set(fields)
    if len(fields) != len(columns) or len(others) != 1 or len(missing) != 1:
        return ""
    other = others.pop()
    return Hint.RENAME.format(quoted(other), _written(missing.pop())) if other else ""


def _lacking(fields: list[bytes], columns: list[bytes]) -> str:
    """Lists the missing columns, in the order of the task: the first three by name."""
    missing = [column for column in columns if column not in fields]
    names = ", ".join(map(_written, missing[:3])) + (", …" if len(missing) > 3 else "")
    return (Hint.COLUMN_MISSING if len(missing) == 1 else Hint.COLUMNS_MISSING).format(names)


def _written(column: bytes) -> str:
    """Quotes a name of the task as it must stand in the file."""
    return f"“{visible_name(as_field(column.decode()))}”"


def _reject(code: Code, detail: str, hint: str | None) -> FileRejected:
    return FileRejected.because(code, detail, line=1, hint=hint)


_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ROW = re.compile(rb'"?[0-9]+(_[^,]*)?"?(,[-+0-9. "]*)+')
_NO_RUN = Hint.NO_RUN.format(" ".join(RUN_FIELDS))
