"""The fast path: turns one block of plain text into rows, or raises `NotPlain`. For ids that are
numbers; `fast_text_ids.py` does the same where they are text.

A block that passes here holds exactly what the strict line reader would have found in it. Anything
that is not proven raises `NotPlain`, which says nothing about the file: the strict reader is the
fallback and decides. No rejection and no text for a participant is made in this module.

The proof. Polars splits each line at its first separator into the session, as a number, and the
rest of the line; beside it the block's bytes are looked at as one column of UInt8, so that
whole-block questions are a few vector operations:
1. every session is published, and every rest starts with an objective's name and a comma (a single
   objective without a name has the comma as its separator).
2. the canonical texts of the sessions, the rests, one separator and one line feed a row add up to
   the block's length. No accepted spelling of a number is shorter than the canonical one, so every
   session is spelt canonically, every line is a row, and no byte is anywhere else.
3. integer items: the bytes that are neither digits nor spaces are as many as the separators and
   objective names account for, so the labels hold digits and spaces only. String items: every
   byte is printable ASCII, no quote, no token longer than `MAX_TEXT_ITEM_BYTES`.
4. every space stands between two bytes of items, no number has ten digits or a leading zero;
   blocks where this is not so are checked and tidied row by row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import polars as pl

from podium.scoring.lists.fast_bytes import ByteFacts, look_at
from podium.scoring.published import PublishedIds, SessionNumbers
from podium.scoring.task import Task

MAX_TEXT_ITEM_BYTES = 64
"""Longest item id when `item_ids` is `string`."""

_NUMBER = (
    "(?:[0-9]{1,9}|[01][0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}"
    "|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])"
)
_NUMBERS = rf"^ *(?:{_NUMBER}(?: +{_NUMBER})*)? *$"

LONG_RUN = {"integer": 10, "string": MAX_TEXT_ITEM_BYTES + 1}
"""Length in bytes from which a run of item bytes is looked at more closely, by the kind of
items."""

_NO_TEXT_BYTE = "\x01"
"""A byte that no line of a submission may hold, so that it separates nothing; a line that holds it
is not plain."""


_ZLIB = b"x^"
"""The beginning of a compressed stream that may also be that of an id."""


class NotPlain(Exception):
    """A block is not proven good; the reason is for tests and logs of developers only."""


@dataclass(frozen=True)
class Rows:
    """Rows of one block: `query` (UInt32 query numbers), and `text` whose labels begin after `skip`
    bytes (UInt32): items separated by single spaces, numbers canonical. `empty` rows have none."""

    query: pl.Series
    text: pl.Series
    skip: pl.Series
    empty: int

    @property
    def labels(self) -> pl.Series:
        """The labels alone, as text."""
        frame = pl.DataFrame({"text": self.text, "skip": self.skip})
        return frame.select(pl.col("text").str.slice(pl.col("skip"))).to_series()


@dataclass(frozen=True)
class _ObjectiveBytes:
    """The bytes between a session and the labels: `prefix` follows the separator. Each row of the
    objective has `foreign` bytes (neither item bytes nor spaces) and, before its labels, `runs`
    runs of item bytes."""

    prefix: str
    foreign: int
    runs: int


class NumberIdReader:
    """Reads the blocks of one submission whose sessions are numbers. Keeps nothing between blocks,
    so threads may share it."""

    def __init__(self, task: Task, published: PublishedIds) -> None:
        self._longest_line = task.max_line_bytes
        self._text_items = task.item_ids == "string"
        self._long_run = LONG_RUN[task.item_ids]
        self._sessions = SessionNumbers(published.sessions)
        self._separator = "_" if task.names != ("",) else ","
        self._objectives = [_objective(name, text_items=self._text_items) for name in task.names]
        self._prefix_bytes = pl.Series(
            [len(objective.prefix) for objective in self._objectives], dtype=pl.UInt32
        )

    def read(self, block: bytes) -> Rows:
        """Parses a block of whole lines, each ended by LF. Raises NotPlain."""
        facts = look_at(block, text_items=self._text_items, long_run=self._long_run)
        session, rest = self._split(block)
        place = self._sessions.number(session)
        if place.null_count():
            raise NotPlain("a session is not published")
        counts, position = self._positions(rest)
        skip = self._prefix_bytes.gather(position)
        rest_bytes = rest.str.len_bytes()
        self._check_lengths(self._sessions.text_bytes(session), rest_bytes, len(block))
        rows = Rows(
            query=place * len(self._objectives) + position,
            text=rest,
            skip=skip,
            empty=int((rest_bytes == skip).sum()),
        )
        if self._is_tidy(facts, counts, rows.empty, len(block)):
            return rows
        return tidied(rows, text_items=self._text_items)

    def _split(self, block: bytes) -> tuple[pl.Series, pl.Series]:
        """Sessions (Int32) and what follows the first separator of each line."""
        if not self._text_items:
            # Labels that are numbers hold no separator, so the CSV parser can do all of it.
            frame = columns(block, {"session": pl.Int32, "rest": pl.String}, self._separator)
        else:
            lines = columns(block, {"line": pl.String}, _NO_TEXT_BYTE)["line"]
            parts = lines.str.splitn(self._separator, 2).struct.rename_fields(["session", "rest"])
            frame = parts.struct.unnest().cast({"session": pl.Int32}, strict=False)
        if frame["session"].null_count() or frame["rest"].null_count():
            raise NotPlain("a line without a session or without a separator")
        return frame["session"], frame["rest"]

    def _positions(self, rest: pl.Series) -> tuple[list[int], pl.Series]:
        """Counts the rows of each objective, and finds each row's objective (UInt32). A prefix ends
        in the only comma that it holds, so none is the beginning of another."""
        counts, position = [], pl.zeros(len(rest), dtype=pl.UInt8, eager=True)
        for number, objective in enumerate(self._objectives):
            named = rest.str.starts_with(objective.prefix)
            counts.append(int(named.sum()))
            if number:
                position = position + named.cast(pl.UInt8) * number
        if sum(counts) != len(rest):
            raise NotPlain("an id of no objective")
        return counts, position.cast(pl.UInt32)

    def _check_lengths(self, session_bytes: pl.Series, rest_bytes: pl.Series, size: int) -> None:
        line_bytes = session_bytes + rest_bytes + 1
        if line_bytes.sum() + len(line_bytes) != size:
            raise NotPlain("a session is not canonical, or the rows are not the whole block")
        if int(line_bytes.max() or 0) > self._longest_line:  # type: ignore[arg-type]
            raise NotPlain("a long line")

    def _is_tidy(self, facts: ByteFacts, counts: list[int], empty: int, size: int) -> bool:
        """Raises NotPlain for foreign characters; false if some row needs `tidied`."""
        rows = sum(counts)
        of_objective = list(zip(self._objectives, counts, strict=True))
        foreign = size - facts.item_bytes - facts.spaces
        if foreign != sum(objective.foreign * count for objective, count in of_objective):
            raise NotPlain("a foreign character")
        if self._text_items and facts.long_run:
            raise NotPlain("a long item")
        # Labels have at most one run more than spaces, and none if they are empty; as many only
        # if each space stands between two items.
        most = facts.spaces + rows - empty
        most += sum(objective.runs * count for objective, count in of_objective)
        return facts.runs == most and not facts.long_run and not facts.leading_zero


def columns(block: bytes, schema: dict[str, Any], separator: str = ",") -> pl.DataFrame:
    """Splits the lines of a block at the first separators. Raises NotPlain."""
    # The parser takes text that begins like a compressed stream for one; a line before it does not.
    guard = b"0" + separator.encode() * (len(schema) - 1) + b"\n" if block[:2] == _ZLIB else b""
    try:
        frame = pl.read_csv(
            guard + block if guard else block,
            has_header=False,
            separator=separator,
            schema=schema,
            quote_char=None,
            empty_string_is_null=False,
            extra_columns="raise",
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise NotPlain("the CSV parser objects") from error
    return frame.slice(1) if guard else frame


def _objective(name: str, *, text_items: bool) -> _ObjectiveBytes:
    prefix = f"{name}," if name else ""
    if text_items:
        # Session, underscore and name are one run of item bytes; comma and line feed are foreign.
        return _ObjectiveBytes(prefix, foreign=2, runs=1)
    foreign = sum(character not in "0123456789 " for character in prefix)
    # The separator and the line feed are foreign, the session is a run.
    return _ObjectiveBytes(prefix, foreign=foreign + 2, runs=1 + len(re.findall("[0-9]+", prefix)))


def tidied(rows: Rows, *, text_items: bool) -> Rows:
    """The same rows with single spaces between items, none around them, and no leading zeros."""
    labels = rows.labels
    if not text_items and not labels.str.contains(_NUMBERS).all():
        raise NotPlain("a number is out of range")
    labels = labels.str.replace_all(" +", " ").str.strip_chars(" ")
    if not text_items:
        labels = labels.str.replace_all("(^| )0+([0-9])", "${1}${2}")
    nothing = pl.zeros(len(labels), dtype=pl.UInt32, eager=True)
    return Rows(rows.query, labels, skip=nothing, empty=int((labels == "").sum()))
