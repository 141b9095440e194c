"""Columns of texts, and of labels."""

from __future__ import annotations

import re
from itertools import pairwise

import polars as pl

from podium.scoring.column_kinds.base import ColumnKind, Value
from podium.scoring.column_kinds.words import require_known
from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import Hint
from podium.scoring.kernel.text import NotPlain
from podium.scoring.problems import Code, quoted
from podium.scoring.text.fields import RowProblem

CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
"""Characters that are not allowed in texts. Line ends within a text are possible in Parquet
only."""

_BREAKS = r"[\t\n\r]"
"""Further characters that are not allowed in labels."""

_MAX_BYTES_OF_A_CHARACTER = 4

_CONTROLS, _BREAK = re.compile(CONTROLS), re.compile(_BREAKS)


class TextKind(ColumnKind):
    """Any text."""

    words = "text"
    dtype = pl.String
    cells = ("a text", "Write strings.")

    def longest(self, column: TableColumn) -> int:
        """Returns the bytes of the longest text."""
        return _MAX_BYTES_OF_A_CHARACTER * column.max_length

    def sample(self, column: TableColumn) -> str:
        """Chooses a letter."""
        del column
        return "x"

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> Value:
        """Returns the text."""
        del compares
        return _checked(text, column)

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


class LabelsKind(TextKind):
    """Any number of labels, none twice; they are sorted, with one space between them."""

    words = "any number of labels, separated by spaces"
    cells = ("labels", "Write strings: labels with spaces between them.")

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> Value:
        """Sorts the labels; None where there is none."""
        value = _checked(text, column)
        if found := _BREAK.search(value):
            detail = f"the labels hold the character {quoted(found[0])}"
            raise RowProblem(Code.BAD_LABEL, detail, Hint.LABELS)
        labels = sorted(filter(None, value.split(" ")))
        for label, following in pairwise(labels):
            if label == following:
                detail = f"the label {quoted(label)} occurs twice"
                raise RowProblem(Code.BAD_LABEL, detail, Hint.LABELS)
        for label in labels if column.values else ():
            require_known(label, column, "labels", compares=compares)
        return " ".join(labels) or None

    def prove(self, cells: pl.Series, column: TableColumn) -> pl.Series:
        """Sorts the labels of texts."""
        texts = super().prove(cells, column)
        if texts.str.contains(_BREAKS).any():
            raise NotPlain("a label with white space")
        labels = texts.str.split(" ").list.sort()
        are_plain = (labels.list.n_unique() == labels.list.len()) & (labels.list.first() != "")
        if column.values:
            known = pl.Series(column.values)
            are_plain &= labels.list.eval(pl.element().is_in(known.implode())).list.all()
        if not are_plain.all():
            raise NotPlain("a label twice, or none")
        return labels.list.join(" ")


def _checked(text: bytes, column: TableColumn) -> str:
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
