"""Rows of columns as lines of text, as the compiled functions write them."""

from __future__ import annotations

import ctypes

import polars as pl

from podium.scoring.kernel.columns import CellColumn
from podium.scoring.kernel.structures import Rows
from podium.scoring.kernel.text import Block, NotPlain


class RowLines:
    """The lines of rows: `ids` are texts, `labels` texts or lists of Int64. Raises NotPlain where a
    cell or an item is null."""

    def __init__(
        self, kernel: ctypes.CDLL, ids: pl.Series, labels: pl.Series, longest_line: int
    ) -> None:
        try:
            self._ids, self._labels = CellColumn(ids), CellColumn(labels)
        except ValueError as nulls:
            raise NotPlain("a cell is missing") from nulls
        self._kernel = kernel
        self._rows = Rows(self._ids.c, self._labels.c, 0, len(ids), longest_line)

    @property
    def left(self) -> bool:
        """True while there are lines that were not written."""
        return bool(self._rows.next < self._rows.end)

    def fill(self, block: Block) -> int:
        """Puts the next lines into a block, with zeros behind them; returns their size. Raises
        NotPlain for a row that is not to be written as a line, or longer than a block."""
        size: int = self._kernel.podium_write_rows(
            ctypes.byref(self._rows), block.address, block.size
        )
        if not size:
            raise NotPlain(f"row {self._rows.next} of a part is no plain line")
        return size
