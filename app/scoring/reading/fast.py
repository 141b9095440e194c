"""The fast path: one block of well-formed text → its rows, or a doubt.

A block that passes here holds exactly what the strict line reader would have found in it. Whatever
is not proven raises `Doubt`, which says nothing about the file: the strict reader then decides.
No rejection and no text for a participant is made in this module.

The proof. Polars splits the block into two text columns; beside it the block's bytes are looked
at as one column of UInt8, so that whole-block questions are a few vector operations:
1. commas = line feeds = rows, and the columns' bytes and one comma and one line feed a row add up
   to the block's length: every row is `id,labels` and no byte is anywhere else.
2. every id is `<session>_<objective>` with a published session whose canonical text is as long as
   the text that stands there, so no sign, space or leading zero fits in.
3. integer items: the bytes that are neither digits nor spaces are as many as the separators and
   objective names account for, so the labels hold digits and spaces only. String items: every
   byte is printable ASCII, no quote, no token longer than `MAX_TEXT_ITEM_BYTES`.
4. every space stands between two bytes of items, no number has ten digits or a leading zero;
   blocks where this is not so are checked and tidied row by row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from app.scoring.published import PublishedIds, SessionNumbers
from app.scoring.reading.fast_bytes import ByteFacts, look_at
from app.scoring.task import MAX_LINE_BYTES, Task

MAX_TEXT_ITEM_BYTES = 64
"""Longest item id when `item_ids` is `string`."""

_NUMBER = (
    "(?:[0-9]{1,9}|[01][0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}"
    "|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])"
)
_NUMBERS = rf"^ *(?:{_NUMBER}(?: +{_NUMBER})*)? *$"
_LONG_NUMBER = 10


class Doubt(Exception):
    """The block is not proven good; the reason is for tests and logs of developers only."""


@dataclass(frozen=True)
class Rows:
    """Rows of one block: `query` (UInt32 query numbers) and `labels` (text, items separated by
    single spaces, numbers canonical), and how many rows have no label at all."""

    query: pl.Series
    labels: pl.Series
    empty: int


@dataclass(frozen=True)
class _Suffix:
    """What an id of one objective ends with, and what it adds to the counts of bytes and runs."""

    position: int
    text: str
    foreign: int
    runs: int


class BlockReader:
    """Reads the blocks of one submission; keeps nothing between blocks, so threads may share it."""

    def __init__(self, task: Task, published: PublishedIds) -> None:
        self._text_items = task.item_ids == "string"
        self._sessions: SessionNumbers = published.numbers()
        suffixes = [
            _suffix(position, name, text_items=self._text_items)
            for position, name in enumerate(task.names)
        ]
        # Longest first: with objectives `a` and `b_a` the id `1_b_a` must not be read as `a`.
        self._suffixes = sorted(suffixes, key=lambda suffix: -len(suffix.text))
        self._position, self._suffix_bytes = _expressions(self._suffixes)

    def read(self, block: bytes) -> Rows:
        """The rows of a block of whole lines, each ended by LF. Raises Doubt."""
        long_run = MAX_TEXT_ITEM_BYTES + 1 if self._text_items else _LONG_NUMBER
        facts = look_at(block, text_items=self._text_items, long_run=long_run)
        if facts.commas != facts.line_feeds:
            raise Doubt("not one comma in every line")
        frame = _split_columns(block)
        if frame.height != facts.line_feeds:
            raise Doubt("not every line is a row")
        frame = self._with_ids(frame)
        labels = frame["labels"]
        counts = self._checked_counts(frame, len(block))
        if not self._is_tidy(facts, counts, len(block)):
            labels = _tidied(labels, text_items=self._text_items)
        session = self._sessions.number(frame["session"])
        if session.null_count():
            raise Doubt("a session is not published")
        query = session * len(self._suffixes) + frame["position"]
        return Rows(query.alias("query"), labels, int((labels == "").sum()))

    def _with_ids(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Adds `session` (Int32) and `position` (UInt32, of the objective) to the text columns."""
        text, label_text = pl.col("id"), pl.col("labels")
        session_bytes = text.str.len_bytes() - self._suffix_bytes
        return frame.with_columns(self._position).with_columns(
            text.str.head(session_bytes).cast(pl.Int32, strict=False).alias("session"),
            session_bytes.alias("session_bytes"),
            (text.str.len_bytes() + label_text.str.len_bytes() + 1).alias("line_bytes"),
        )

    def _checked_counts(self, frame: pl.DataFrame, size: int) -> dict[str, int]:
        """Rows by objective (`rows_<position>`) and rows without labels (`empty`)."""
        session, lines = frame["session"], frame["line_bytes"]
        if lines.sum() + frame.height != size:
            raise Doubt("the columns do not account for every byte")
        if int(lines.max() or 0) > MAX_LINE_BYTES:  # type: ignore[arg-type]
            raise Doubt("a long line")
        if session.null_count() or not self._sessions.are_as_long(session, frame["session_bytes"]):
            raise Doubt("an id is not canonical")
        counts = {
            f"rows_{suffix.position}": int((frame["position"] == suffix.position).sum())
            for suffix in self._suffixes
        }
        return counts | {"empty": int((frame["labels"] == "").sum())}

    def _is_tidy(self, facts: ByteFacts, counts: dict[str, int], size: int) -> bool:
        """Raises Doubt for foreign characters; false if some row needs `_tidied`."""
        rows = facts.line_feeds
        by_suffix = [(suffix, counts[f"rows_{suffix.position}"]) for suffix in self._suffixes]
        foreign = size - facts.item_bytes - facts.spaces
        if foreign != 2 * rows + sum(suffix.foreign * count for suffix, count in by_suffix):
            raise Doubt("a foreign character")
        if self._text_items and facts.long_run:
            raise Doubt("a long item")
        # Labels have at most one run more than spaces, and none if they are empty; as many only
        # if each space stands between two items.
        most = facts.spaces + rows - counts["empty"]
        most += rows + sum(suffix.runs * count for suffix, count in by_suffix)
        return facts.runs == most and not facts.long_run and not facts.leading_zero


def _suffix(position: int, name: str, *, text_items: bool) -> _Suffix:
    text = f"_{name}" if name else ""
    if text_items:
        # The whole id is one run of item characters.
        return _Suffix(position, text, foreign=0, runs=0)
    foreign = sum(character not in "0123456789 " for character in text)
    return _Suffix(position, text, foreign, runs=len(re.findall("[0-9]+", text)))


def _expressions(suffixes: list[_Suffix]) -> tuple[pl.Expr, pl.Expr]:
    """The position of an id's objective, null if it has none, and with it its suffix's length."""
    position = suffix_bytes = pl.lit(None, dtype=pl.UInt32)
    for suffix in reversed(suffixes):
        named = pl.col("id").str.ends_with(suffix.text)
        here = pl.lit(suffix.position, dtype=pl.UInt32)
        position = pl.when(named).then(here).otherwise(position)
        length = pl.lit(len(suffix.text), dtype=pl.UInt32)
        suffix_bytes = pl.when(pl.col("position") == here).then(length).otherwise(suffix_bytes)
    return position.alias("position"), suffix_bytes


def _split_columns(block: bytes) -> pl.DataFrame:
    try:
        return pl.read_csv(
            block,
            has_header=False,
            schema={"id": pl.String, "labels": pl.String},
            quote_char=None,
            empty_string_is_null=False,
            extra_columns="raise",
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise Doubt("the CSV parser objects") from error


def _tidied(labels: pl.Series, *, text_items: bool) -> pl.Series:
    """Labels with single spaces between items, none around them, and no leading zeros."""
    if not text_items and not labels.str.contains(_NUMBERS).all():
        raise Doubt("a number is out of range")
    labels = labels.str.replace_all(" +", " ").str.strip_chars(" ")
    if text_items:
        return labels
    return labels.str.replace_all("(^| )0+([0-9])", "${1}${2}")
