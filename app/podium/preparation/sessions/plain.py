"""Blocks of raw sessions in the two spellings that programs write, without a parser of JSON.

Such a block is a table: rows end at `}`, fields at a comma, and an event has four of them,

    {"session": 7 | "events": [{"aid": 5 | "ts": 9 | "type": "clicks"
                  |  {"aid": 6 | "ts": 9 | "type": "carts"
    ]

the first of which is empty but for a session's first event. Every field has to be one literal and a
number without a spare character, and no character may be left over: a block that is taken means
what a parser would find. Nothing is said of any other, which may be good in another spelling.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import polars as pl
from polars.exceptions import PolarsError

FIELDS = ("session", "aid", "ts", "type")
END = "]"
"""The row after the last event of a session."""

LONGEST = 19
"""Digits of the largest Int64."""

LEAST = pl.Series([0, 0, *(10**digits for digits in range(1, LONGEST))], dtype=pl.Int64)
"""The smallest whole number of each length in characters that has neither a sign nor leading
zeros."""


def plain_block(block: bytes, types: Sequence[str]) -> tuple[pl.Series, pl.DataFrame] | None:
    """Parses the sessions (Int32) line by line, and all events in order: `row`, the number of the
    line in the block, session and aid (Int32), ts (Int64), type (String, one of these types). None
    where the block is not spelled plainly. No number is negative, and each fits its column."""
    spaced = block.startswith(b'{"session": ')
    # With the end of the line before, all first fields are alike.
    text = b"\n" + memoryview(block)[: -1 if block.endswith(b"\n") else None]
    rows = _table(text)
    if rows is None or rows.is_empty() or not text.endswith(b"}"):
        return None
    is_end = (rows["session"] == END).fill_null(value=False)
    events = rows.filter(~is_end)
    first = is_end.shift(1, fill_value=True).filter(~is_end)
    # A row of an event has all fields, or `_values` misses one; no other row has a second one.
    characters = sum(rows[name].str.len_bytes().sum() for name in FIELDS)
    separators = len(FIELDS[1:]) * events.height + rows.height
    if not is_end[-1] or first.sum() != is_end.sum() or characters + separators != len(text):
        return None
    if not (events["session"].is_not_null() == first).all():
        return None
    return _values(events, first, types, " " if spaced else "")


def _table(text: bytes) -> pl.DataFrame | None:
    try:
        return pl.read_csv(
            text,
            has_header=False,
            schema=dict.fromkeys(FIELDS, pl.String),
            quote_char=None,
            eol_char="}",
            missing_columns="insert",
        )
    except (PolarsError, pl.exceptions.PanicException):
        return None


def _values(
    events: pl.DataFrame, first: pl.Series, types: Sequence[str], blank: str
) -> tuple[pl.Series, pl.DataFrame] | None:
    """Strips the literals from the fields. `blank` is the space, if any, after a colon and a
    comma."""

    def after(name: str, literal: str) -> pl.Expr:
        literal = literal.replace(" ", blank)
        field = pl.col(name).str
        return pl.when(field.starts_with(literal)).then(field.strip_prefix(literal))

    start, later = after("aid", ' "events": [{"aid": '), after("aid", ' {"aid": ')
    kinds = {f'{blank}"type":{blank}{json.dumps(name, ensure_ascii=False)}': name for name in types}
    kind = events["type"].cast(pl.Enum(list(kinds)), strict=False)
    heads = events.filter(first).select(after("session", '\n{"session": '))
    texts = events.select(
        aid=pl.when(first).then(start).otherwise(later), ts=after("ts", ' "ts": ')
    )
    sessions = _numbers(heads["session"], pl.Int32)
    aids, times = _numbers(texts["aid"], pl.Int32), _numbers(texts["ts"], pl.Int64)
    if sessions is None or aids is None or times is None or kind.null_count():
        return None
    row = first.cast(pl.UInt32).cum_sum() - 1
    return sessions, pl.DataFrame(
        {
            "row": row,
            "session": sessions.gather(row),
            "aid": aids,
            "ts": times,
            "type": pl.Series(list(kinds.values())).gather(kind.to_physical()),
        }
    )


def _numbers(texts: pl.Series, dtype: type[pl.Int32 | pl.Int64]) -> pl.Series | None:
    """Parses numbers in JSON's spelling; None where a text is something else."""
    numbers = texts.cast(dtype, strict=False)
    if numbers.null_count() or texts.is_empty():
        return None
    lengths = texts.str.len_bytes()
    if not (lengths <= LONGEST).all() or not (numbers >= LEAST.gather(lengths)).all():
        return None
    return numbers
