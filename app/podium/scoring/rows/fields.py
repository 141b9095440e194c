"""Parses one row in detail: its keys, its values by the types of their columns, its problems.

It defines what a valid row is, independently of other rows and of the published ones. The fast
readers may accept only what it accepts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from podium.scoring.column_kinds.base import Value
from podium.scoring.column_kinds.numbers import is_number, number_bounds
from podium.scoring.columns import TableColumn
from podium.scoring.hints.spellings import whole_number_hint
from podium.scoring.hints.texts import LARGEST_NUMBER, Hint
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem, quoted
from podium.scoring.rows.layout import KeyColumn, RowLayout
from podium.scoring.task import MAX_SESSION
from podium.scoring.text.fields import RowProblem, in_field
from podium.scoring.text.spellings import CANONICAL_ID, TEXT_ID, is_nothing, spelling_hint

Key = int | str


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
    if not is_number(text):
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


_WHOLE_IDS = re.compile(CANONICAL_ID.encode()), re.compile(rb"[0-9]{1,10}")
_TEXT_ID = re.compile(TEXT_ID.encode())
