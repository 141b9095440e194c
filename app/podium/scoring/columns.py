"""Describes the columns of a table, as the organizer defines them: types, ranges, categories.

Values only: files are read and checked by them elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

ColumnType = Literal["number", "integer", "text", "category", "boolean", "labels"]
"""`number`: a finite decimal number. `integer`: a whole number of 64 bits. `text`: any text.
`category`: one of the named values, compared as text. `boolean`: `true` or `false`, `1` or `0`.
`labels`: any number of them, separated by spaces, in any order and none twice; no label is an empty
field."""

COLUMN_TYPES: tuple[ColumnType, ...] = get_args(ColumnType)

MAX_TABLE_COLUMNS = 1024
"""The most columns of a table, not counting that of ids."""

MAX_TEXT = 10_000
"""The most characters of a text, unless its column says otherwise."""

MAX_CATEGORIES = 10_000
"""The most categories of a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """One column of a submission.

    `minimum` and `maximum` are inclusive bounds of numbers and integers; `values` are the
    categories of a `category`, or the only ones of `labels`; `is_optional` lets a field be empty,
    which is a missing value; `max_length` bounds a text, or all labels of a field, in characters.
    `sample` is the value of this column in the sample submission; None for a default.
    """

    name: str
    type: ColumnType = "number"
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] = ()
    is_optional: bool = False
    max_length: int = MAX_TEXT
    sample: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Converts the column to JSON-ready values."""
        return {name: _jsonable(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> TableColumn:
        """Creates a column from the values of `to_dict`."""
        return cls(**{**values, "values": tuple(values["values"])})


def _jsonable(value: Any) -> Any:  # noqa: ANN401 - a member of any type
    return list(value) if isinstance(value, tuple) else value
