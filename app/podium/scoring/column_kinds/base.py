"""Defines what the type of a column is: how its fields are read and proven, stored and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, NoReturn

import polars as pl

from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import LONGEST_NUMBER_BYTES
from podium.scoring.kernel.text import NotPlain
from podium.scoring.problems import Code, quoted
from podium.scoring.text.fields import RowProblem

ONLY_CATEGORIES = "a category, and nothing else, has values: name them"

Value = float | int | str | bool | None

Spelling = Literal["decimal", "whole", "word"]
"""The spellings that the compiled reader takes, in the order of `enum spelling` of rows.c: a word
is one of a list, and read as its index."""


class ColumnKind(ABC):
    """One type of columns. Its methods take the column, for its bounds and values."""

    words: ClassVar[str]
    """The words for a value, before the column's values and bounds."""
    dtype: ClassVar[Any]
    """The canonical type of Polars; a missing value is a null."""
    cells: ClassVar[tuple[str, str]]
    """The words for a cell of a Parquet file, and the advice to write such cells."""
    has_bounds: ClassVar[bool] = False
    """True where a column may have a minimum and a maximum."""
    has_empty: ClassVar[bool] = False
    """True where an empty field is a valid value, and not a missing one."""
    reads_solutions: ClassVar[bool] = False
    """True where the truth is read as an answer is, and not by the looks of its cells."""
    spelling: ClassVar[Spelling | None] = None
    """The spelling by which the compiled reader reads a field; None where it cannot."""

    def takes_cells(self, found: pl.DataType) -> bool:
        """True for a Parquet type of cells, other than texts and integers, that may be valid."""
        return bool(found == pl.Boolean)

    def lack_of_values(self, values: Sequence[str]) -> str | None:
        """Explains why a column cannot have these `values`; None where it can."""
        return ONLY_CATEGORIES if values else None

    def longest(self, column: TableColumn) -> int:
        """Returns the bytes of the longest valid field."""
        del column
        return LONGEST_NUMBER_BYTES

    @abstractmethod
    def sample(self, column: TableColumn) -> str:
        """Chooses the field in the sample submission, where it may be neither empty nor one that
        the organizer names."""

    @abstractmethod
    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> Value:
        """Parses a field that is not empty: UTF-8, without the quotes around it. Raises RowProblem,
        which suggests the nearest value where it `compares`."""

    @abstractmethod
    def prove(self, cells: pl.Series, column: TableColumn) -> pl.Series:
        """Converts cells to canonical values: texts, or what `takes_cells`. A cell that is not
        proven valid becomes null, or raises NotPlain."""

    def spelled_words(self, column: TableColumn) -> tuple[str, ...]:
        """Lists the words that the compiled reader takes."""
        del column
        return ()

    def from_numbers(self, numbers: pl.Series, column: TableColumn) -> pl.Series:
        """Converts the numbers of the compiled reader to canonical values. Raises NotPlain."""
        raise NotPlain(
            f"the compiled reader takes no {column.type}, nor numbers of {numbers.dtype}"
        )


def refuse(text: bytes | str, detail: str, hint: str | None) -> NoReturn:
    """Refuses a field. Raises RowProblem."""
    raise RowProblem(Code.BAD_LABEL, f"{quoted(text)} {detail}", hint)


def require_spelling(cells: pl.Series, form: str) -> None:
    """Raises NotPlain unless all texts have a form."""
    if not cells.str.contains(whole(form)).all():
        raise NotPlain("another spelling")


def whole(form: str) -> str:
    """Returns the pattern of texts that have a form from their beginning to their end."""
    return rf"\A(?:{form})\z"
