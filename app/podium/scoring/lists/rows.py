"""Parses one line of a submission in detail: its two fields, its id, its items, its problems.

Works on bytes and without the other lines: whether an id is published or occurs twice is decided in
`lines.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from podium.scoring.hints.spellings import has_thousands, whole_number_hint
from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, Hint
from podium.scoring.names import header_of
from podium.scoring.problems import Code, Problem, quoted
from podium.scoring.task import MAX_ITEM, MAX_SESSION, Task
from podium.scoring.text.fields import PRINTED_LIST, RowProblem, in_field, read_fields
from podium.scoring.text.header import read_columns
from podium.scoring.text.spellings import CANONICAL_ID, TEXT_ID


@dataclass(frozen=True, slots=True)
class ListLayout:
    """The layout of a file's rows: the task's columns, and their order in the header.

    `positions` maps the name of each objective, as written in ids, to its position.
    """

    task: Task
    labels_first: bool
    positions: dict[bytes, int]

    @classmethod
    def of(cls, task: Task, *, labels_first: bool) -> ListLayout:
        """Builds the layout of a task's rows."""
        positions = {name.encode(): place for place, name in enumerate(task.names)}
        return cls(task, labels_first, positions)

    @classmethod
    def under(cls, head: bytes, task: Task) -> ListLayout:
        """Reads the layout from a header. Arguments and errors are those of `read_columns`."""
        return cls.of(task, labels_first=read_columns(head, task)[0] == task.labels_column)


@dataclass(slots=True)
class ListRow:
    """A parsed line. `session` is None where the id is bad, `labels` where they are.

    `labels` is canonical: no surplus spaces, integers without leading zeros.
    """

    id: bytes
    session: bytes | None
    objective: bytes
    labels: bytes | None
    problems: list[Problem]


def header_line(task: Task) -> bytes:
    """Formats the header of a text with the ids first."""
    return f"{header_of((task.id_column, task.labels_column))}\n".encode()


def read_row(raw: bytes, line: int, form: ListLayout) -> ListRow:
    """Parses a non-empty line (without its line end) and collects all its problems."""
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
    """Finds the first item of canonical labels that occurs a second time within `depth`, if any.

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
    """True if canonical labels have the form of several items that are joined by other characters
    than spaces, or of a printed list.

    >>> is_joined(b"a|b|c"), is_joined(b"['a' 'b']"), is_joined(b"a|b c|d"), is_joined(b"a|")
    (True, True, False, False)
    """
    return _JOINED.fullmatch(labels) is not None


def read_id(text: bytes, form: ListLayout) -> tuple[bytes, bytes]:
    """Splits a canonical id into session and objective name.

    Names contain no underscore. The first one ends a numeric session, where another would be a
    mistake; the last one ends a text session, which may contain others.
    """
    if b"" in form.positions:
        session, objective = text, b""
    elif form.task.query_ids == "string":
        session, _, objective = text.rpartition(b"_")
    else:
        session, _, objective = text.partition(b"_")
    check_id(session, objective, form, shown=text)
    return session, objective


def check_id(session: bytes, objective: bytes, form: ListLayout, *, shown: bytes) -> None:
    """Refuses a session that is not canonical, and an objective that the task does not have."""
    if form.task.query_ids == "string":
        good = _TEXT_ITEM.fullmatch(session) is not None
    else:
        good = _CANONICAL.fullmatch(session) is not None and int(session) <= MAX_SESSION
    if not good or objective not in form.positions:
        hint = _id_hint(session, form, good=good)
        raise RowProblem(Code.BAD_ID, f"{quoted(shown)} is not an id", hint)


def _id_hint(session: bytes, form: ListLayout, *, good: bool) -> str:
    if good:
        return Hint.OBJECTIVE.format(", ".join(form.task.names))
    if (hint := whole_number_hint(session)) is not None:
        return hint
    example = "_".join(filter(None, ("42", form.task.names[0])))
    known = Hint.TEXT_QUERY if form.task.query_ids == "string" else Hint.WHOLE_QUERY
    return known.format(example)


def read_labels(text: bytes, task: Task) -> bytes:
    """Normalizes the items to canonical form, separated by single spaces."""
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
    """Raises RowProblem for the first invalid item."""
    for item in filter(None, text.split(b" ")):
        if not good(item):
            is_listed = PRINTED_LIST.fullmatch(text.strip()) is not None
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


_CANONICAL = re.compile(CANONICAL_ID.encode())
_SHORT_INTEGERS = re.compile(rb" *+(?:[0-9]{1,9}+(?: ++|\Z))*")
_TEXT_ITEMS = re.compile(rb" *+(?:[!#-+\--~]{1,%d}+(?: ++|\Z))*" % LONGEST_ITEM_BYTES)
_LEADING_ZEROS = re.compile(rb"(?<![0-9])0+(?=[0-9])")
_INTEGER_ITEM = re.compile(rb"[0-9]{1,10}")
_TEXT_ITEM = re.compile(TEXT_ID.encode())
_SEPARATORS = {b",": "commas", b"\t": "tabs", b"|": "“|”", b";": "semicolons"}
_JOINED = re.compile(rb"[|;]*[^ |;]+(?:[|;]+[^ |;]+)+[|;]*|\[.*\]")
_NOTHING = {b"nan", b"none", b"null", b"na", b"n/a", b"nil", b"inf", b"-inf"}
