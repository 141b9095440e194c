"""One line of pairs, looked at closely: its ids, its numbers, what is wrong with them.

Works on bytes and knows nothing of the other lines, nor which pairs are published.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from podium.scoring.hints.spellings import whole_number_hint
from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, LONGEST_NUMBER_BYTES, Hint
from podium.scoring.lists.rows import RowProblem, in_field, read_fields
from podium.scoring.pairs.pairs import ROLES
from podium.scoring.problems import Code, Problem, quoted
from podium.scoring.task import MAX_ITEM, MAX_SESSION, IdKind, Task

LARGEST_NUMBER = 1e100
"""Numbers lie between this and its negative: squares of errors stay finite."""

NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
"""The spelling of a number that is not too long."""

TEXT_ID = rf"[!#-+\--~]{{1,{LONGEST_ITEM_BYTES}}}"
"""An id where ids are text: printable ASCII without space, comma and quote."""

Id = int | str


@dataclass(frozen=True, slots=True)
class PairRowLayout:
    """The layout of a file's rows: the task, and where its ids and numbers stand in a row, each in
    the order of the task's columns. Numbers lie between `least` and `largest`."""

    task: Task
    ids_at: tuple[int, ...]
    numbers_at: tuple[int, ...]
    least: float = -LARGEST_NUMBER
    largest: float = LARGEST_NUMBER

    @classmethod
    def of(
        cls, task: Task, columns: tuple[str, ...], *, probabilities: bool = False
    ) -> PairRowLayout:
        """The layout of rows under these columns, which hold all of the task's."""
        ids = tuple(columns.index(name) for name in task.pair_columns)
        numbers = tuple(columns.index(name) for name in task.number_columns)
        return cls(task, ids, numbers, *((0.0, 1.0) if probabilities else ()))

    @property
    def id_kinds(self) -> tuple[IdKind, ...]:
        """The kind of each id."""
        kinds = (self.task.query_ids, self.task.item_ids, self.task.context_ids)
        return kinds[: len(self.ids_at)]

    def takes(self, number: float) -> bool:
        """True for a number that may stand in a row."""
        return self.least <= number <= self.largest


@dataclass(slots=True)
class PairRow:
    """A line that was taken apart; what is wrong is None. `id` are the ids as they stand."""

    id: bytes
    ids: list[Id | None]
    numbers: list[float | None]
    problems: list[Problem]


def read_row(raw: bytes, line: int, form: PairRowLayout) -> PairRow:
    """Takes a non-empty line (without its line end) apart and says all that is wrong with it."""
    try:
        fields = read_fields(raw, form.task)
    except RowProblem as wrong:
        problem = Problem(wrong.code, wrong.detail, line=line, hint=wrong.hint)
        return PairRow(b"", [None], [], [problem])
    return row_of(fields, line, form)


def row_of(fields: list[bytes], line: int, form: PairRowLayout) -> PairRow:
    """The row in these fields."""
    task = form.task
    texts = [fields[at] for at in form.ids_at]
    row = PairRow(b",".join(texts), [], [], [])
    for role, column, text, kind in zip(
        ROLES, task.pair_columns, texts, form.id_kinds, strict=False
    ):
        try:
            row.ids.append(_READERS[role](text, kind))
        except RowProblem as wrong:
            row.ids.append(None)
            row.problems.append(in_field(wrong, line, row.id, column))
    for column, at in zip(task.number_columns, form.numbers_at, strict=False):
        try:
            row.numbers.append(read_number(fields[at], form))
        except RowProblem as wrong:
            row.numbers.append(None)
            row.problems.append(in_field(wrong, line, row.id, column))
    return row


def read_user(text: bytes, kind: IdKind, role: str = "user") -> Id:
    """A user, or a context: canonical where ids are integers. Raises RowProblem."""
    if kind == "string":
        return _text_id(text, role)
    if _CANONICAL.fullmatch(text) and int(text) <= MAX_SESSION:
        return int(text)
    hint = whole_number_hint(text) or Hint.WHOLE_USER.format(role)
    raise RowProblem(Code.BAD_ID, f"{quoted(text)} is not a {role}", hint)


def read_item(text: bytes, kind: IdKind) -> Id:
    """An item: `005` is 5 where ids are integers. Raises RowProblem."""
    if kind == "string":
        return _text_id(text, "item")
    if _INTEGER.fullmatch(text) and int(text) <= MAX_ITEM:
        return int(text)
    hint = whole_number_hint(text) or Hint.WHOLE_ITEM
    raise RowProblem(Code.BAD_ID, f"{quoted(text)} is not an item id", hint)


def read_number(text: bytes, form: PairRowLayout) -> float:
    """A number, as the float64 that is nearest to its decimal spelling. Raises RowProblem."""
    if len(text) <= LONGEST_NUMBER_BYTES and _NUMBER.fullmatch(text):
        number = float(text)
        if form.takes(number):
            return number
        if form.largest < LARGEST_NUMBER:
            hint = Hint.PROBABILITY.format(f"{form.least:g}", f"{form.largest:g}")
            raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not a probability", hint)
        detail = f"{quoted(text)} is too large a number"
        hint = Hint.NUMBER_RANGE.format(f"-{LARGEST_NUMBER:g}", f"{LARGEST_NUMBER:g}")
        raise RowProblem(Code.BAD_LABEL, detail, hint)
    raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not a number", _hint(text))


def _text_id(text: bytes, what: str) -> str:
    if _TEXT.fullmatch(text):
        return text.decode("ascii")
    detail = f"{quoted(text)} is not the id of a {what}"
    raise RowProblem(Code.BAD_ID, detail, whole_number_hint(text) or Hint.TEXT_ID)


def _hint(text: bytes) -> str:
    if is_nothing(text):
        return Hint.NO_NUMBER
    return spelling_hint(text) or Hint.DECIMAL


def is_nothing(text: bytes) -> bool:
    """True for a field that holds no number, but a word for none, or nothing."""
    return not text.strip() or text.strip().lower() in _NOTHING


def spelling_hint(text: bytes) -> str | None:
    """The advice for a number that is spelled in another way; None for what is none."""
    if len(text) > LONGEST_NUMBER_BYTES:
        return Hint.LONG_NUMBER
    if text != text.strip(b" \t"):
        return Hint.PADDED_NUMBER
    if re.fullmatch(rb"[+-]?(\.[0-9]+|[0-9]+\.)", text):
        return Hint.BARE_POINT
    if re.fullmatch(rb"[+-]?[0-9]+([,._' ][0-9]+)+", text):
        return Hint.DECIMAL_COMMA
    return None


_READERS: dict[str, Callable[[bytes, IdKind], Id]] = {
    "user": read_user,
    "item": read_item,
    "context": partial(read_user, role="context"),
}
_CANONICAL = re.compile(rb"0|[1-9][0-9]{0,9}")
_INTEGER = re.compile(rb"[0-9]{1,10}")
_TEXT = re.compile(TEXT_ID.encode())
_NUMBER = re.compile(NUMBER.encode())
_NOTHING = {
    *(b"nan", b"none", b"null", b"na", b"n/a", b"nil", b"-", b"?"),
    *(b"inf", b"+inf", b"-inf", b"infinity", b"+infinity", b"-infinity"),
}
