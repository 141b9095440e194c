"""Columns of texts: of any characters but controls, and of limited length."""

from __future__ import annotations

import re

import polars as pl

from podium.scoring.column_kinds.base import ColumnKind, Value
from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import Hint
from podium.scoring.kernel.text import NotPlain
from podium.scoring.problems import Code, quoted
from podium.scoring.text.fields import RowProblem

CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
"""Characters that are not allowed in texts. Line ends within a text are possible in Parquet
only."""

_MAX_BYTES_OF_A_CHARACTER = 4

_CONTROLS = re.compile(CONTROLS)


class TextKind(ColumnKind):
    """Cells are texts without control characters, of limited length."""

    words = "text"
    dtype = pl.String
    cells = ("a text", "Write strings.")

    def longest(self, column: TableColumn) -> int:
        """Returns the bytes of the longest text."""
        return _MAX_BYTES_OF_A_CHARACTER * column.max_length

    def sample(self, column: TableColumn) -> str:
        """Chooses one letter, which every column of texts accepts."""
        del column
        return "x"

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> Value:
        """Decodes the text. Refuses control characters and too long ones."""
        del compares
        return checked_text(text, column)

    def prove(self, cells: pl.Series, column: TableColumn) -> pl.Series:
        """Checks the characters and lengths of texts."""
        texts = cells.cast(pl.String)
        if texts.str.contains(CONTROLS).any():
            raise NotPlain("a control character")
        # Bytes are counted at once, characters one by one.
        lengths = (texts.str.len_bytes, texts.str.len_chars)
        if all(int(count().max() or 0) > column.max_length for count in lengths):  # type: ignore[arg-type]
            raise NotPlain("a long text")
        return texts


def checked_text(text: bytes, column: TableColumn) -> str:
    """Decodes a text. Raises RowProblem for control characters and too long ones."""
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
