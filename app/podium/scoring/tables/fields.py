"""One field of a table, looked at closely: its value by the column's type, or what is wrong.

It defines what a good field is. The fast reader (`cells.py`) may only say yes to what stands here.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable

from podium.scoring.hints.spellings import whole_number_hint
from podium.scoring.hints.texts import LONGEST_NUMBER_BYTES, Hint
from podium.scoring.lists.rows import RowProblem
from podium.scoring.pairs.rows import (
    NUMBER,
    TEXT_ID,
    is_nothing,
    spelling_hint,
)
from podium.scoring.problems import Code, quoted
from podium.scoring.tables.columns import TableColumn
from podium.scoring.task import MAX_SESSION, IdKind

Value = float | int | str | bool | None

BOOLEANS = {
    **dict.fromkeys(("true", "True", "TRUE", "1"), True),
    **dict.fromkeys(("false", "False", "FALSE", "0"), False),
}
"""The spellings of a truth value."""

CANONICAL_ID = "0|[1-9][0-9]{0,9}"
"""The spelling of an id that is a number."""

INTEGER = rf"[+-]?[0-9]{{1,{LONGEST_NUMBER_BYTES - 1}}}"
"""The spelling of a whole number."""

CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
"""Characters that no text has. Line ends within a text come in Parquet only."""

_LONGEST_COMPARED = 200

LEAST_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1


def read_id(text: bytes, kind: IdKind) -> int | str:
    """An id: canonical where ids are integers. Raises RowProblem."""
    if kind == "string":
        if _TEXT_ID.fullmatch(text):
            return text.decode("ascii")
        hint = Hint.TEXT_ID
    else:
        if _CANONICAL_ID.fullmatch(text) and int(text) <= MAX_SESSION:
            return int(text)
        hint = Hint.WHOLE_ID
    detail = f"{quoted(text)} is not an id"
    raise RowProblem(Code.BAD_ID, detail, whole_number_hint(text) or hint)


def read_field(text: bytes, column: TableColumn, *, compares: bool = True) -> Value:
    """The value of a field, UTF-8 without the quotes around it. Raises RowProblem, which names the
    nearest category where it `compares`: that takes its time."""
    if not text:
        if column.is_optional:
            return None
        raise RowProblem(Code.BAD_LABEL, "the field is empty", Hint.FIELD_MISSING)
    if column.type == "category":
        return _category(text, column, compares=compares)
    return _READERS[column.type](text, column)


def whole_bounds(column: TableColumn) -> tuple[int, int]:
    """The least and the largest integer that a column takes."""
    least = LEAST_INTEGER if column.minimum is None else math.ceil(column.minimum)
    largest = LARGEST_INTEGER if column.maximum is None else math.floor(column.maximum)
    return max(least, LEAST_INTEGER), min(largest, LARGEST_INTEGER)


def number_bounds(column: TableColumn) -> tuple[float, float]:
    """The least and the largest number that a column takes."""
    least = -math.inf if column.minimum is None else column.minimum
    return least, math.inf if column.maximum is None else column.maximum


def _number(text: bytes, column: TableColumn) -> float:
    if len(text) > LONGEST_NUMBER_BYTES or not _NUMBER.fullmatch(text):
        raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not a number", _hint(text, column))
    number = float(text) + 0.0  # no number is -0.0
    if math.isinf(number):
        hint = Hint.NUMBER_RANGE.format("-1.797e308", "1.797e308")
        raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is too large a number", hint)
    least, largest = number_bounds(column)
    if not least <= number <= largest:
        raise _out_of_range(text, column)
    return number


def _integer(text: bytes, column: TableColumn) -> int:
    if not _INTEGER.fullmatch(text):
        detail = f"{quoted(text)} is not a whole number"
        raise RowProblem(Code.BAD_LABEL, detail, _integer_hint(text, column))
    number = int(text)
    if not LEAST_INTEGER <= number <= LARGEST_INTEGER:
        hint = Hint.INTEGER_RANGE.format(LEAST_INTEGER, LARGEST_INTEGER)
        raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is too large a number", hint)
    least, largest = whole_bounds(column)
    if not least <= number <= largest:
        raise _out_of_range(text, column)
    return number


def _boolean(text: bytes, column: TableColumn) -> bool:
    value = BOOLEANS.get(text.decode())
    if value is None:
        hint = Hint.TRUTH_OPTIONAL if column.is_optional else Hint.TRUTH_VALUE
        raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is neither true nor false", hint)
    return value


def _category(text: bytes, column: TableColumn, *, compares: bool) -> str:
    value = text.decode()
    if value not in column.values:
        detail = f"{quoted(text)} is not one of the categories"
        hint = _nearest(value, column.values) if compares else None
        raise RowProblem(Code.BAD_LABEL, detail, hint)
    return value


def _text(text: bytes, column: TableColumn) -> str:
    value = text.decode()
    found = _CONTROLS.search(value)
    if found is not None:
        detail = f"the text holds the character {quoted(found[0])}"
        raise RowProblem(Code.BAD_CHARACTER, detail, Hint.CONTROLS)
    if len(value) > column.max_length:
        detail = f"the text has {len(value):,} characters; it begins {quoted(text)}"
        hint = Hint.TEXT_LENGTH.format(f"{column.max_length:,}")
        raise RowProblem(Code.BAD_LABEL, detail, hint)
    return value


def _out_of_range(text: bytes, column: TableColumn) -> RowProblem:
    return RowProblem(Code.BAD_LABEL, f"{quoted(text)} is out of range", range_words(column))


def range_words(column: TableColumn) -> str:
    """The bounds of a column as a sentence; empty where it has none.

    >>> range_words(TableColumn(name="p", minimum=0, maximum=1))
    'p lies between 0 and 1.'
    """
    least, largest = (None if b is None else f"{b:.15g}" for b in (column.minimum, column.maximum))
    if least is not None and largest is not None:
        return f"{column.name} lies between {least} and {largest}."
    if least is not None:
        return f"{column.name} is at least {least}."
    return "" if largest is None else f"{column.name} is at most {largest}."


def _nearest(value: str, known: tuple[str, ...]) -> str:
    """The advice to write the category that is most like a text, or the first ones."""
    for one in known:
        if one.casefold() == value.strip().casefold():
            return Hint.CATEGORY_SPELLING.format(quoted(one))
    alike = difflib.get_close_matches(value[:_LONGEST_COMPARED], known, n=1)
    if alike:
        return f"Did you mean {quoted(alike[0])}?"
    shown = ", ".join(quoted(each) for each in known[:3])
    return f"The categories are {shown}{', …' if len(known) > 3 else ''}."


def _integer_hint(text: bytes, column: TableColumn) -> str:
    if re.fullmatch(rb"[+-]?[0-9]+\.0*", text):
        return Hint.AS_INTEGERS
    if _NUMBER.fullmatch(text):
        return Hint.WHOLE_NUMBER
    return _hint(text, column)


def _hint(text: bytes, column: TableColumn) -> str:
    if is_nothing(text):
        return Hint.FIELD_OPTIONAL if column.is_optional else Hint.FIELD_NOTHING
    spelling = spelling_hint(text)
    if spelling is not None:
        return spelling
    if text.lower() in (b"true", b"false"):
        return Hint.TRUTH_NUMBER
    return Hint.DECIMAL


_READERS: dict[str, Callable[[bytes, TableColumn], Value]] = {
    "number": _number,
    "integer": _integer,
    "boolean": _boolean,
    "text": _text,
}
_CANONICAL_ID = re.compile(CANONICAL_ID.encode())
_TEXT_ID = re.compile(TEXT_ID.encode())
_NUMBER = re.compile(NUMBER.encode())
_INTEGER = re.compile(INTEGER.encode())
_CONTROLS = re.compile(CONTROLS)
