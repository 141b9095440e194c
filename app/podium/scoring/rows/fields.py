"""Parses one row in detail: its keys, its values by the types of their columns, its problems.

It defines what a valid row is, independently of other rows and of the published ones. The fast
readers may accept only what it accepts.
"""

from __future__ import annotations

import difflib
import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from podium.scoring.columns import TableColumn
from podium.scoring.hints.spellings import whole_number_hint
from podium.scoring.hints.texts import LARGEST_NUMBER, LONGEST_NUMBER_BYTES, Hint
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem, quoted
from podium.scoring.rows.layout import KeyColumn, RowLayout, Value
from podium.scoring.task import MAX_SESSION
from podium.scoring.text.fields import RowProblem, in_field
from podium.scoring.text.spellings import CANONICAL_ID, NUMBER, TEXT_ID, is_nothing, spelling_hint

Key = int | str

BOOLEANS = {
    **dict.fromkeys(("true", "True", "TRUE", "1"), True),
    **dict.fromkeys(("false", "False", "FALSE", "0"), False),
}
"""The spellings of a boolean."""

INTEGER = rf"[+-]?[0-9]{{1,{LONGEST_NUMBER_BYTES - 1}}}"
"""The pattern of a whole number."""

CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
"""Characters that are not allowed in texts. Line ends within a text are possible in Parquet
only."""

BREAKS = r"[\t\n\r]"
"""Further characters that are not allowed in labels."""

_LONGEST_COMPARED = 200

MIN_INTEGER, LARGEST_INTEGER = -(2**63), 2**63 - 1


@dataclass(slots=True)
class KeyedRow:
    """A parsed row; invalid parts are None. `id` are the keys as written."""

    id: bytes
    keys: list[Key | None]
    values: list[Value]
    problems: list[Problem]


def read_row(
    fields: list[bytes], line: int, layout: RowLayout, *, most_compared: int = SHOWN_PROBLEMS
) -> KeyedRow:
    """Parses the row in these fields, with all its problems; at most `most_compared` of them search
    for the nearest category."""
    texts = [fields[at] for at in layout.keys_at]
    row = KeyedRow(b",".join(texts), [], [], [])
    for text, key in zip(texts, layout.keys, strict=True):
        try:
            row.keys.append(read_key(text, key))
        except RowProblem as wrong:
            row.keys.append(None)
            row.problems.append(in_field(wrong, line, row.id, key.name))
    for at, column in zip(layout.values_at, layout.values, strict=True):
        try:
            compares = len(row.problems) < most_compared
            row.values.append(layout.read_value(fields[at], column, compares=compares))
        except RowProblem as wrong:
            row.values.append(None)
            detail = layout.words.of_value.format(column.name, wrong.detail)
            named = RowProblem(wrong.code, detail, wrong.hint)
            row.problems.append(in_field(named, line, row.id, column.name))
    return row


def read_key(text: bytes, key: KeyColumn) -> Key:
    """Parses an id, to its canonical value where ids are integers. Raises RowProblem."""
    if key.kind == "string":
        if _TEXT_ID.fullmatch(text):
            return text.decode("ascii")
    elif _WHOLE_IDS[key.takes_zeros].fullmatch(text) and int(text) <= MAX_SESSION:
        return int(text)
    hint = whole_number_hint(text) or key.hint
    raise RowProblem(Code.BAD_ID, f"{quoted(text)} {key.refusal}", hint)


def read_score(text: bytes, column: TableColumn, *, compares: bool = True) -> float:
    """Parses the number of a pair, as the float64 that is nearest to its decimal spelling. Raises
    RowProblem."""
    del compares
    if len(text) > LONGEST_NUMBER_BYTES or not _NUMBER.fullmatch(text):
        hint = Hint.NO_NUMBER if is_nothing(text) else spelling_hint(text) or Hint.DECIMAL
        raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not a number", hint)
    number = float(text)
    least, largest = number_bounds(column)
    if least <= number <= largest:
        return number
    bounds = f"{least:g}", f"{largest:g}"
    if largest < LARGEST_NUMBER:
        detail, hint = "is not a probability", Hint.PROBABILITY.format(*bounds)
    else:
        detail, hint = "is too large a number", Hint.NUMBER_RANGE.format(*bounds)
    raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} {detail}", hint)


def read_field(text: bytes, column: TableColumn, *, compares: bool = True) -> Value:
    """Parses the value of a table's field. Raises RowProblem."""
    if not text:
        if column.takes_empty:
            return None
        raise RowProblem(Code.BAD_LABEL, "the field is empty", Hint.FIELD_MISSING)
    if column.type == "category":
        return _category(text.decode(), column, compares=compares)
    if column.type == "labels":
        return _labels(text, column, compares=compares)
    return _READERS[column.type](text, column)


def whole_bounds(column: TableColumn) -> tuple[int, int]:
    """Returns the smallest and the largest integer that a column accepts."""
    least = MIN_INTEGER if column.minimum is None else math.ceil(column.minimum)
    largest = LARGEST_INTEGER if column.maximum is None else math.floor(column.maximum)
    return max(least, MIN_INTEGER), min(largest, LARGEST_INTEGER)


def number_bounds(column: TableColumn) -> tuple[float, float]:
    """Returns the smallest and the largest number that a column accepts; both are finite."""
    least = -sys.float_info.max if column.minimum is None else column.minimum
    return least, sys.float_info.max if column.maximum is None else column.maximum


def _number(text: bytes, column: TableColumn) -> float:
    if len(text) > LONGEST_NUMBER_BYTES or not _NUMBER.fullmatch(text):
        raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} is not a number", _hint(text, column))
    number = float(text) + 0.0  # never -0.0
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
    if not MIN_INTEGER <= number <= LARGEST_INTEGER:
        hint = Hint.INTEGER_RANGE.format(MIN_INTEGER, LARGEST_INTEGER)
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


def _category(value: str, column: TableColumn, *, compares: bool) -> str:
    if value not in column.values:
        names = "labels" if column.type == "labels" else "categories"
        detail = f"{quoted(value)} is not one of the {names}"
        hint = _nearest(value, column.values, names) if compares else None
        raise RowProblem(Code.BAD_LABEL, detail, hint)
    return value


def _labels(text: bytes, column: TableColumn, *, compares: bool) -> str | None:
    """Sorts the labels, with one space between them."""
    value = _text(text, column)
    if found := _BREAKS.search(value):
        detail = f"the labels hold the character {quoted(found[0])}"
        raise RowProblem(Code.BAD_LABEL, detail, Hint.LABELS)
    labels = sorted(filter(None, value.split(" ")))
    for label, following in pairwise(labels):
        if label == following:
            raise RowProblem(Code.BAD_LABEL, f"the label {quoted(label)} occurs twice", Hint.LABELS)
    for label in labels if column.values else ():
        _category(label, column, compares=compares)
    return " ".join(labels) or None


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
    """Formats the bounds of a column as a sentence; empty where it has none.

    >>> range_words(TableColumn(name="p", minimum=0, maximum=1))
    'p lies between 0 and 1.'
    """
    least, largest = (None if b is None else f"{b:.15g}" for b in (column.minimum, column.maximum))
    if least is not None and largest is not None:
        return f"{column.name} lies between {least} and {largest}."
    if least is not None:
        return f"{column.name} is at least {least}."
    return "" if largest is None else f"{column.name} is at most {largest}."


def _nearest(value: str, known: tuple[str, ...], names: str) -> str:
    """Suggests the category, or label, that is most similar to a text, or lists the first ones."""
    for one in known:
        if one.casefold() == value.strip().casefold():
            return Hint.CATEGORY_SPELLING.format(quoted(one))
    alike = difflib.get_close_matches(value[:_LONGEST_COMPARED], known, n=1)
    if alike:
        return f"Did you mean {quoted(alike[0])}?"
    shown = ", ".join(quoted(each) for each in known[:3])
    return f"The {names} are {shown}{', …' if len(known) > 3 else ''}."


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
_WHOLE_IDS = re.compile(CANONICAL_ID.encode()), re.compile(rb"[0-9]{1,10}")
_TEXT_ID = re.compile(TEXT_ID.encode())
_NUMBER = re.compile(NUMBER.encode())
_INTEGER = re.compile(INTEGER.encode())
_CONTROLS = re.compile(CONTROLS)
_BREAKS = re.compile(BREAKS)
