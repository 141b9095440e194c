"""One line of a submission, looked at closely: its two fields, its id, its items, what is wrong.

Works on bytes and knows nothing of the other lines: whether an id is published or occurs twice is
decided in `lines.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from podium.scoring.hints.spellings import has_thousands, whole_number_hint
from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, Hint
from podium.scoring.problems import Code, Problem, printable, quoted
from podium.scoring.task import MAX_ITEM, MAX_SESSION, Task

CTRL_Z = b"\x1a"


class RowProblem(Exception):
    """The reason why a line, or one of its fields, cannot be read."""

    def __init__(self, code: Code, detail: str, hint: str | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.hint = hint


@dataclass(frozen=True, slots=True)
class RowLayout:
    """The layout of a file's rows: the task's columns, and their order in the header.

    `positions` has the position of each objective by its name as it stands in an id.
    """

    task: Task
    labels_first: bool
    positions: dict[bytes, int]

    @classmethod
    def of(cls, task: Task, *, labels_first: bool) -> RowLayout:
        """The layout of a task's rows."""
        positions = {name.encode(): place for place, name in enumerate(task.names)}
        return cls(task, labels_first, positions)


@dataclass(slots=True)
class ListRow:
    """A line that was taken apart. `session` is None where the id is bad, `labels` where they are.

    `labels` is canonical: no surplus spaces, integers without leading zeros.
    """

    id: bytes
    session: bytes | None
    objective: bytes
    labels: bytes | None
    problems: list[Problem]


def read_row(raw: bytes, line: int, form: RowLayout) -> ListRow:
    """Takes a non-empty line (without its line end) apart and says all that is wrong with it."""
    task = form.task
    try:
        fields = read_fields(raw, task)
    except RowProblem as wrong:
        problem = Problem(wrong.code, wrong.detail, line=line, hint=wrong.hint)
        return ListRow(b"", None, b"", None, [problem])
    row_id, text = (fields[1], fields[0]) if form.labels_first else (fields[0], fields[1])
    problems: list[Problem] = []
    session, objective, labels = None, b"", None
    try:
        session, objective = read_id(row_id, form)
    except RowProblem as wrong:
        problems.append(in_field(wrong, line, row_id, task.id_column))
    try:
        labels = read_labels(text, task)
    except RowProblem as wrong:
        problems.append(in_field(wrong, line, row_id, task.labels_column))
    if labels and task.submission_duplicates == "reject":
        problems.extend(_repetition(labels, line, row_id, task))
    return ListRow(row_id, session, objective, labels, problems)


def _repetition(labels: bytes, line: int, row_id: bytes, task: Task) -> Iterator[Problem]:
    item = repeated_item(labels, task.depth)
    if item is not None:
        detail = f"{quoted(item)} occurs twice among the first {task.depth:,} items"
        wrong = RowProblem(Code.DUPLICATE_LABEL, detail, Hint.ITEM_ONCE)
        yield in_field(wrong, line, row_id, task.labels_column)


def repeated_item(labels: bytes, depth: int) -> bytes | None:
    """The first item of canonical labels that occurs a second time within `depth`, if any.

    >>> repeated_item(b"3 1 2 1 3", 4), repeated_item(b"3 1 2 1 3", 3)
    (b'1', None)
    """
    seen: set[bytes] = set()
    for item in labels.split(b" ")[:depth]:
        if item in seen:
            return item
        seen.add(item)
    return None


def is_joined(labels: bytes) -> bool:
    """True if canonical labels have the form of several items that are joined by other signs than
    spaces, or of a list as programs print it.

    >>> is_joined(b"a|b|c"), is_joined(b"['a' 'b']"), is_joined(b"a|b c|d"), is_joined(b"a|")
    (True, True, False, False)
    """
    return _JOINED.fullmatch(labels) is not None


def in_field(wrong: RowProblem, line: int, row_id: bytes, column: str) -> Problem:
    """The problem of one field of a line, under the line's id."""
    shown_id = printable(row_id[:LONGEST_ITEM_BYTES])
    return Problem(wrong.code, wrong.detail, line, None, shown_id, column, wrong.hint)


def read_fields(raw: bytes, task: Task) -> list[bytes]:
    """As many fields of a line as the task has columns, the quotes around them removed."""
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
    if len(fields) != len(task.columns):
        detail = f"{quoted(raw)} has {_count(len(fields))} instead of {len(task.columns)}"
        is_listed = task.kind == "ranking" and is_printed_list(raw)
        raise RowProblem(Code.ROW_SHAPE, detail, Hint.PYTHON_LIST if is_listed else _shape(task))
    return fields


def is_printed_list(raw: bytes) -> bool:
    """True of a line that holds a list as Python prints it."""
    return _PRINTED_LIST.search(raw) is not None


def check_line(raw: bytes, task: Task) -> None:
    """Refuses a line that is too long, is not UTF-8, or holds a CR that ends no line."""
    if len(raw) > task.max_line_bytes:
        detail = f"the line is longer than {task.max_line_bytes:,} bytes; it begins {quoted(raw)}"
        raise RowProblem(Code.LINE_TOO_LONG, detail, _shorter(task))
    try:
        raw.decode()
    except UnicodeDecodeError as wrong:
        shown = raw[wrong.start : wrong.start + 4]
        raise RowProblem(
            Code.ENCODING,
            f"byte {wrong.start + 1} of the line is not UTF-8: {quoted(shown)}",
            Hint.AS_UTF_8,
        ) from None
    if b"\r" in raw:
        raise RowProblem(
            Code.LINE_ENDINGS,
            "a carriage return (CR) stands where no line ends",
            Hint.LINE_ENDS,
        )


def _shorter(task: Task) -> str:
    if task.is_of_tables:
        return "Write one row per line; longer texts can be sent as Parquet."
    counted = f": only the first {task.depth} count" if task.kind == "ranking" else ""
    return f"Write one row per line, and fewer items{counted}."


def split_fields(raw: bytes) -> list[bytes]:
    """The fields of a line by RFC 4180, the quotes around them removed.

    Quotes must enclose a whole field. Doubled ones inside stay as they are: no field may have any.
    """
    if b'"' not in raw:
        return raw.split(b",")
    fields = []
    position = 0
    while position <= len(raw):
        field, position = _field_at(raw, position)
        fields.append(field)
    return fields


def _field_at(raw: bytes, start: int) -> tuple[bytes, int]:
    """The field that begins at `start`, and where the next one begins."""
    if raw[start : start + 1] == b'"':
        match = _QUOTED_FIELD.match(raw, start)
        if match is None:
            raise RowProblem(
                Code.BAD_QUOTE,
                f"a quote is opened and not closed on this line: {quoted(raw[start:])}",
                Hint.OPEN_QUOTE,
            )
        field, end = match[1], match.end()
        stray = raw[end : end + 1] not in (b",", b"")
    else:
        comma = raw.find(b",", start)
        end = len(raw) if comma < 0 else comma
        field = raw[start:end]
        stray = b'"' in field
    if stray:
        raise RowProblem(
            Code.BAD_QUOTE,
            f"a quote inside a field: {quoted(raw[start:])}",
            Hint.STRAY_QUOTE,
        )
    return field, end + 1


def read_id(text: bytes, form: RowLayout) -> tuple[bytes, bytes]:
    """Session and objective name of a canonical id.

    Names hold no underscore. The first one ends a session that is a number, where another would
    be a mistake; the last one ends a session that is text, which may have some itself.
    """
    if b"" in form.positions:
        session, objective = text, b""
    elif form.task.query_ids == "string":
        session, _, objective = text.rpartition(b"_")
    else:
        session, _, objective = text.partition(b"_")
    check_id(session, objective, form, shown=text)
    return session, objective


def check_id(session: bytes, objective: bytes, form: RowLayout, *, shown: bytes) -> None:
    """Refuses a session that is not canonical, and an objective that the task does not have."""
    if form.task.query_ids == "string":
        good = _TEXT_ITEM.fullmatch(session) is not None
    else:
        good = _CANONICAL.fullmatch(session) is not None and int(session) <= MAX_SESSION
    if not good or objective not in form.positions:
        hint = _id_hint(session, form, good=good)
        raise RowProblem(Code.BAD_ID, f"{quoted(shown)} is not an id", hint)


def _id_hint(session: bytes, form: RowLayout, *, good: bool) -> str:
    if good:
        return Hint.OBJECTIVE.format(", ".join(form.task.names))
    if (hint := whole_number_hint(session)) is not None:
        return hint
    example = "_".join(filter(None, ("42", form.task.names[0])))
    known = Hint.TEXT_QUERY if form.task.query_ids == "string" else Hint.WHOLE_QUERY
    return known.format(example)


def read_labels(text: bytes, task: Task) -> bytes:
    """The items in canonical form, separated by single spaces."""
    if task.item_ids == "string":
        if _TEXT_ITEMS.fullmatch(text) is None:
            _checked(text, _is_text_item, task)
        return b" ".join(text.split())
    if _SHORT_INTEGERS.fullmatch(text) is None:
        _checked(text, _is_integer_item, task)
    if text[:1] == b"0" or b" 0" in text:
        text = _LEADING_ZEROS.sub(b"", text)
    return b" ".join(text.split())


def _checked(text: bytes, good: Callable[[bytes], bool], task: Task) -> None:
    """Raises RowProblem for the first item that is none."""
    for item in filter(None, text.split(b" ")):
        if not good(item):
            is_listed = _PRINTED_LIST.fullmatch(text.strip()) is not None
            of_several = b" " in text.strip()
            hint = Hint.PYTHON_LIST if is_listed else _hint(item, task, of_several=of_several)
            raise RowProblem(Code.BAD_LABEL, f"{quoted(item)} is not an item id", hint)


def _is_integer_item(item: bytes) -> bool:
    return _INTEGER_ITEM.fullmatch(item) is not None and int(item) <= MAX_ITEM


def _is_text_item(item: bytes) -> bool:
    return _TEXT_ITEM.fullmatch(item) is not None


def _hint(item: bytes, task: Task, *, of_several: bool) -> str:
    # A single one may as well be several items with commas between them.
    if of_several and has_thousands(item):
        return Hint.THOUSANDS
    for sign, name in _SEPARATORS.items():
        if sign in item:
            return Hint.SPACES_BETWEEN.format(name)
    if item[:1] in b"[({" or item[-1:] in b"])}":
        return Hint.BRACKETS
    if task.item_ids == "string":
        return Hint.TEXT_ITEMS
    if item[:1] == b"-":
        return Hint.NEGATIVE_ITEM
    if item.lower() in _NOTHING:
        return Hint.NO_ITEM
    return whole_number_hint(item) or Hint.WHOLE_ITEMS


def _count(fields: int) -> str:
    return "1 field" if fields == 1 else f"{fields} fields"


def _shape(task: Task) -> str:
    if task.is_of_tables:
        several = len(task.table)
        return Hint.ROW_OF_TABLES.format("a value" if several == 1 else f"{several} values")
    if not task.is_of_pairs:
        return Hint.ROW_OF_LISTS
    several = len(task.number_columns)
    numbers = "a number" if several == 1 else f"{several} numbers"
    return Hint.ROW_OF_PAIRS.format(", ".join(_IDS[: len(task.pair_columns)]), numbers)


_IDS = ("a user", "an item", "a context")


_PRINTED_LIST = re.compile(rb"\[[^\[\],]*+,[^\[\]]*+\]|\[[^ \t|;\[\]]*+\]")
_QUOTED_FIELD = re.compile(rb'"([^"]*+(?:""[^"]*+)*)"(?!")')
_CANONICAL = re.compile(rb"0|[1-9][0-9]{0,9}")
_SHORT_INTEGERS = re.compile(rb" *+(?:[0-9]{1,9}+(?: ++|\Z))*")
_TEXT_ITEMS = re.compile(rb" *+(?:[!#-+\--~]{1,%d}+(?: ++|\Z))*" % LONGEST_ITEM_BYTES)
_LEADING_ZEROS = re.compile(rb"(?<![0-9])0+(?=[0-9])")
_INTEGER_ITEM = re.compile(rb"[0-9]{1,10}")
_TEXT_ITEM = re.compile(rb"[!#-+\--~]{1,%d}" % LONGEST_ITEM_BYTES)
_SEPARATORS = {b",": "commas", b"\t": "tabs", b"|": "“|”", b";": "semicolons"}
_JOINED = re.compile(rb"[|;]*[^ |;]+(?:[|;]+[^ |;]+)+[|;]*|\[.*\]")
_NOTHING = {b"nan", b"none", b"null", b"na", b"n/a", b"nil", b"inf", b"-inf"}
