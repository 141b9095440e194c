"""The fast path where sessions are text: turns one block of plain text into rows, or raises
`NotPlain`.

Ids may hold any printable byte, so the bytes of a block say nothing about its labels. Polars splits
each line at its first comma, and the two columns are proven apart:
1. every id is a published session, an underscore and an objective's name (a single objective
   without a name has bare sessions). Names hold no underscore: no id can be read in two ways.
2. the ids, the labels, one comma and one line feed a row add up to the block's length, so every
   line is a row and no byte is anywhere else.
3. the labels alone, one after the other, are looked at as `fast.py` looks at whole blocks.
"""

from __future__ import annotations

import polars as pl

from podium.scoring.lists.fast import LONG_RUN, NotPlain, NumberIdReader, Rows, columns, tidied
from podium.scoring.lists.fast_bytes import look_at
from podium.scoring.published import PublishedIds, TextNumbers
from podium.scoring.task import Task


class TextIdReader:
    """As `NumberIdReader`, for sessions that are text."""

    def __init__(self, task: Task, published: PublishedIds) -> None:
        self._longest_line = task.max_line_bytes
        self._text_items = task.item_ids == "string"
        self._long_run = LONG_RUN[task.item_ids]
        self._sessions = TextNumbers(published.sessions)
        self._suffixes = [f"_{name}" if name else "" for name in task.names]

    def read(self, block: bytes) -> Rows:
        """Parses a block of whole lines, each ended by LF. Raises NotPlain."""
        ids, labels = columns(block, {"id": pl.String, "labels": pl.String})
        # The parser gives such a line empty labels, and drops a CR at the end of another: together
        # they are as long as the block.
        if block.count(b",") != len(ids):
            raise NotPlain("a line without a comma")
        label_bytes = labels.str.len_bytes()
        line_bytes = ids.str.len_bytes() + label_bytes + 1
        if line_bytes.sum() + len(ids) != len(block):
            raise NotPlain("the rows are not the whole block")
        if int(line_bytes.max() or 0) > self._longest_line:  # type: ignore[arg-type]
            raise NotPlain("a long line")
        nothing = pl.zeros(len(ids), dtype=pl.UInt32, eager=True)
        rows = Rows(self._queries(ids), labels, nothing, int((label_bytes == 0).sum()))
        return rows if self._is_tidy(rows) else tidied(rows, text_items=self._text_items)

    def _queries(self, ids: pl.Series) -> pl.Series:
        position = pl.zeros(len(ids), dtype=pl.UInt32, eager=True)
        if self._suffixes != [""]:
            named = [ids.str.ends_with(suffix) for suffix in self._suffixes]
            if sum(int(one.sum()) for one in named) != len(ids):
                raise NotPlain("an id of no objective")
            for number, one in enumerate(named):
                position = position + one.cast(pl.UInt32) * number
            suffix_bytes = pl.Series(map(len, self._suffixes), dtype=pl.UInt32).gather(position)
            frame = pl.DataFrame({"id": ids, "bytes": ids.str.len_bytes() - suffix_bytes})
            ids = frame.select(pl.col("id").str.head(pl.col("bytes"))).to_series()
        place = self._sessions.number(ids)
        if place.null_count():
            raise NotPlain("a session is not published")
        return place * len(self._suffixes) + position

    def _is_tidy(self, rows: Rows) -> bool:
        """Raises NotPlain for foreign characters; false if some row needs `tidied`."""
        # Each row is ended by a line feed, and the first begins after one.
        text = "\n{}\n".format(rows.text.str.join("\n").item()).encode()
        facts = look_at(text, text_items=self._text_items, long_run=self._long_run)
        if len(text) - facts.item_bytes - facts.spaces != len(rows.text) + 1:
            raise NotPlain("a foreign character")
        if self._text_items and facts.long_run:
            raise NotPlain("a long item")
        most = facts.spaces + len(rows.text) - rows.empty
        return facts.runs == most and not facts.long_run and not facts.leading_zero


def block_reader(task: Task, published: PublishedIds) -> NumberIdReader | TextIdReader:
    """The reader for a task's ids."""
    reader = TextIdReader if task.query_ids == "string" else NumberIdReader
    return reader(task, published)
