"""Columns of labels: any number of them in each field, without order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import polars as pl

from podium.scoring.column_kinds.base import Value
from podium.scoring.column_kinds.texts import TextKind, checked_text
from podium.scoring.column_kinds.words import require_known
from podium.scoring.columns import TableColumn
from podium.scoring.hints.texts import Hint
from podium.scoring.kernel.text import NotPlain
from podium.scoring.problems import Code, quoted
from podium.scoring.text.fields import RowProblem

_BREAKS = r"[\t\n\r]"
"""Further characters that are not allowed in labels."""

_BREAK = re.compile(_BREAKS)


class LabelsKind(TextKind):
    """Any number of labels, none twice; they are sorted, with one space between them."""

    words = "any number of labels, separated by spaces"
    cells = ("labels", "Write strings: labels with spaces between them.")
    has_empty = True
    reads_solutions = True

    def lack_of_values(self, values: Sequence[str]) -> str | None:
        """Requires words, where labels are named."""
        has_spaces = any(" " in value or _BREAK.search(value) for value in values)
        return "a label is one word, without spaces" if has_spaces else None

    def read(self, text: bytes, column: TableColumn, *, compares: bool) -> Value:
        """Sorts the labels; None where there is none."""
        value = checked_text(text, column)
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
