"""Defines the layout of a file of rows: the order and the types of its columns, and the words of
messages. Ratings, scored pairs, candidates and tables are instances of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import polars as pl

from podium.scoring.column_kinds import kind_of_column
from podium.scoring.column_kinds.base import Value
from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, Hint
from podium.scoring.task import IdKind, Task


class ValueReader(Protocol):
    """Reads a field, UTF-8 without the quotes around it. Raises RowProblem, which suggests the
    nearest category where it `compares`, which is slow."""

    def __call__(self, text: bytes, column: TableColumn, *, compares: bool = True) -> Value:
        """Parses the value by the column's type."""


@dataclass(frozen=True)
class KeyColumn:
    """A column of ids, and the message about an invalid one. Where it `takes_zeros`, 005 is the
    number 5."""

    name: str
    kind: IdKind
    refusal: str
    hint: str
    takes_zeros: bool = False


@dataclass(frozen=True)
class RowWords:
    """The words of messages. A row is for `one` of the published objects, whose keys are formatted
    in sentences by `named`, and in lists by `listed`; `of_value` combines the name of a column and
    its problem. `cells` are the words for a cell of a Parquet file and the advice to write such
    cells, where they differ from those of the column's type."""

    one: str
    named: str
    listed: str
    of_value: str
    unknown_hint: Hint
    twice_hint: Hint
    missing_hint: Hint
    cells: tuple[str, str] | None = None


@dataclass(frozen=True)
class RowLayout:
    """The task, the columns of keys and of values in its order, `names`, which are all columns in
    the order of a file, and the words of messages.

    Where a row `has_texts`, fields may contain any text: a doubled quote is one quote, and cells of
    a Parquet file are not converted to lines, which could not represent them all. With
    `has_one_zero` -0.0 is read as 0.0, and with `keys_first` an unpublished key is reported before
    the problems of the row's values. A Parquet file's schema has at most `max_nodes`.
    """

    task: Task
    names: tuple[str, ...]
    keys: tuple[KeyColumn, ...]
    values: tuple[TableColumn, ...]
    read_value: ValueReader
    words: RowWords
    max_nodes: int
    has_texts: bool = False
    has_one_zero: bool = False
    keys_first: bool = False

    @cached_property
    def keys_at(self) -> tuple[int, ...]:
        """The index of each key in a row."""
        return tuple(self.names.index(key.name) for key in self.keys)

    @cached_property
    def values_at(self) -> tuple[int, ...]:
        """The index of each value in a row."""
        return tuple(self.names.index(column.name) for column in self.values)

    def settled(self, values: pl.Series) -> pl.Series:
        """Normalizes the values of a column before they are returned."""
        if not self.has_one_zero or values.dtype != pl.Float64:
            return values
        # Adding 0.0 is optimized away by Polars.
        return values.set(values == 0, 0.0)

    @property
    def longest_row(self) -> int:
        """The bytes of the longest row that can be valid, without quotes."""
        fields = [LONGEST_ITEM_BYTES] * len(self.keys)
        fields += [kind_of_column(each).longest(each) for each in self.values]
        return sum(fields) + len(fields) - 1
