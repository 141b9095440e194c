"""One line of ratings, looked at closely: its user, its item, its number, what is wrong with them.

Works on bytes and knows nothing of the other lines, nor which pairs are published.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from podium.scoring.lists.rows import LONGEST_ITEM_BYTES, RowProblem, in_field, read_fields
from podium.scoring.problems import Code, Problem, quoted
from podium.scoring.task import MAX_ITEM, MAX_SESSION, IdKind, Task

LONGEST_NUMBER_BYTES = 64
"""Longest spelling of a rating."""

LARGEST_RATING = 1e100
"""Ratings and predictions lie between this and its negative: squares of errors stay finite."""

NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
"""The spelling of a rating that is not too long."""

TEXT_ID = rf"[!#-+\--~]{{1,{LONGEST_ITEM_BYTES}}}"
"""An id where ids are text: printable ASCII without space, comma and quote."""

Id = int | str


@dataclass(frozen=True, slots=True)
class RatingRowLayout:
    """The layout of a file's rows: the task, and the positions of its columns in the file."""

    task: Task
    user_at: int
    item_at: int
    rating_at: int

    @classmethod
    def of(cls, task: Task, columns: tuple[str, ...]) -> RatingRowLayout:
        """The layout of rows under these columns, which hold all of the task's."""
        return cls(task, *(columns.index(name) for name in task.columns))


@dataclass(slots=True)
class RatingRow:
    """A line that was taken apart; what is wrong is None. `id` is user and item as they stand."""

    id: bytes
    user: Id | None
    item: Id | None
    rating: float | None
    problems: list[Problem]


def read_row(raw: bytes, line: int, form: RatingRowLayout) -> RatingRow:
    """Takes a non-empty line (without its line end) apart and says all that is wrong with it."""
    try:
        fields = read_fields(raw, form.task)
    except RowProblem as wrong:
        problem = Problem(wrong.code, wrong.detail, line=line, hint=wrong.hint)
        return RatingRow(b"", None, None, None, [problem])
    return row_of(fields, line, form)


def row_of(fields: list[bytes], line: int, form: RatingRowLayout) -> RatingRow:
    """The row in these fields."""
    task = form.task
    user, item = fields[form.user_at], fields[form.item_at]
    row = RatingRow(user + b"," + item, None, None, None, [])
    try:
        row.user = read_user(user, task.query_ids)
    except RowProblem as wrong:
        row.problems.append(in_field(wrong, line, row.id, task.id_column))
    try:
        row.item = read_item(item, task.item_ids)
    except RowProblem as wrong:
        row.problems.append(in_field(wrong, line, row.id, task.item_column))
    try:
        row.rating = read_rating(fields[form.rating_at])
    except RowProblem as wrong:
        row.problems.append(in_field(wrong, line, row.id, task.labels_column))
    return row


def read_user(text: bytes, kind: IdKind) -> Id:
    """A user: canonical where ids are integers. Raises RowProblem."""
    if kind == "string":
        return _text_id(text, "user")
    if _CANONICAL.fullmatch(text) and int(text) <= MAX_SESSION:
        return int(text)
    hint = f"A user is a whole number up to {MAX_SESSION}, without sign, spaces or leading zero."
    raise RowProblem(Code.BAD_ID, f"{quoted(text)} is not a user", hint)


def read_item(text: bytes, kind: IdKind) -> Id:
    """An item: `005` is 5 where ids are integers. Raises RowProblem."""
    if kind == "string":
        return _text_id(text, "item")
    if _INTEGER.fullmatch(text) and int(text) <= MAX_ITEM:
        return int(text)
    hint = f"An item is a whole number of at most 10 digits, up to {MAX_ITEM}."
    raise RowProblem(Code.BAD_ID, f"{quoted(text)} is not an item", hint)


def read_rating(text: bytes) -> float:
    """A rating, as the float64 that is nearest to its decimal number. Raises RowProblem."""
    if len(text) <= LONGEST_NUMBER_BYTES and _NUMBER.fullmatch(text):
        rating = float(text)
        if -LARGEST_RATING <= rating <= LARGEST_RATING:
            return rating
        raise RowProblem(
            Code.BAD_LABEL,
            f"{quoted(text)} is too large a number",
            f"Numbers lie between -{LARGEST_RATING:g} and {LARGEST_RATING:g}.",
        )
    raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not a number", _hint(text))


def _text_id(text: bytes, what: str) -> str:
    if _TEXT.fullmatch(text):
        return text.decode("ascii")
    hint = f"Ids are 1 to {LONGEST_ITEM_BYTES} printable ASCII characters without spaces or quotes."
    raise RowProblem(Code.BAD_ID, f"{quoted(text)} is not the id of a {what}", hint)


def _hint(text: bytes) -> str:
    if not text.strip() or text.strip().lower() in _NOTHING:
        return "Predict a finite number for every pair; there is no word for none."
    if len(text) > LONGEST_NUMBER_BYTES:
        return f"A number has at most {LONGEST_NUMBER_BYTES} characters."
    if text != text.strip(b" \t"):
        return "Remove the spaces around the number."
    if re.fullmatch(rb"[+-]?(\.[0-9]+|[0-9]+\.)", text):
        return "Write digits on both sides of the point: 0.5 and 5.0, or 5."
    if re.fullmatch(rb"[+-]?[0-9]+([,._' ][0-9]+)+", text):
        return "Write a point before the decimals and nothing between thousands, as in 1234.5."
    return "Write a decimal number, as in 3.5, -2 or 1e-3."


_CANONICAL = re.compile(rb"0|[1-9][0-9]{0,9}")
_INTEGER = re.compile(rb"[0-9]{1,10}")
_TEXT = re.compile(TEXT_ID.encode())
_NUMBER = re.compile(NUMBER.encode())
_NOTHING = {
    *(b"nan", b"none", b"null", b"na", b"n/a", b"nil", b"-", b"?"),
    *(b"inf", b"+inf", b"-inf", b"infinity", b"+infinity", b"-infinity"),
}
