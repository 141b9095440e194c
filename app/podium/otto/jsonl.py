"""Reads and writes OTTO's two JSON Lines formats, sessions with events and labels, and defines the
labels of a cut session."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO, Literal

import polars as pl

from podium.otto.shape import TYPES

Scope = Literal["next", "all"]
"""The labels of a type: the next event of it, or all later ones."""

NEXT = frozenset({"clicks"})
"""The types of which by default only the next event counts; of others, all later ones."""


def visible_events(events: pl.DataFrame) -> pl.DataFrame:
    """Filters to the events before the cut, which participants may see."""
    return events.filter(pl.col("position") < pl.col("cut"))


def hidden_labels(
    events: pl.DataFrame, types: tuple[str, ...] = TYPES, next_only: Collection[str] = NEXT
) -> pl.DataFrame:
    """Finds the labels of every session that has an event after its cut, by session.

    Columns: session Int32 and, per type, a list of distinct aids in ascending order (Int32; empty
    where there are none): a type in `next_only`, such as `clicks`, holds the first event after the
    cut, any other, such as `carts` and `orders`, all events after the cut. `events` is in the order
    of time within a session; its `type` is an index in `types`.
    """
    hidden = events.filter(pl.col("position") >= pl.col("cut"))
    wanted = {}
    for code, name in enumerate(types):
        aids = pl.col("aid").filter(pl.col("type") == code)
        wanted[name] = aids.head(1) if name in next_only else aids.unique().sort()
    return hidden.group_by("session").agg(**wanted).sort("session")


def write_sessions(events: pl.DataFrame, sink: BinaryIO, types: tuple[str, ...] = TYPES) -> None:
    """Appends one line per session:
    `{"session": 1, "events": [{"aid": 5, "ts": 7, "type": "clicks"}]}`.

    The events of a session are rows next to each other; `type` is an index in `types`.
    """
    session = pl.col("session")
    is_first = (session != session.shift()).fill_null(value=True)
    is_last = (session != session.shift(-1)).fill_null(value=True)
    start = pl.format('{{"session": {}, "events": [{{"aid": ', "session")
    ends = [f', "type": "{name}"}}' for name in types]
    ends += [f"{end}]}}\n" for end in ends]
    end = pl.col("type").cast(pl.UInt32) + is_last.cast(pl.UInt32) * len(types)
    # Polars panics when it formats a column in parts of which one is empty.
    pieces = events.rechunk().select(
        pl.concat_str(
            pl.when(is_first).then(start).otherwise(pl.lit(', {"aid": ')),
            "aid",
            pl.lit(', "ts": '),
            "ts",
            pl.lit(pl.Series(ends)).gather(end),
        )
    )
    pieces.write_csv(sink, include_header=False, quote_style="never", line_terminator="")


def label_lines(labels: pl.DataFrame, next_only: Collection[str] = NEXT) -> pl.Series:
    """Formats one line per session: `{"session": 1, "labels": {"clicks": 3, "carts": [2, 3]}}`.

    Every column but the session is a type. One without labels is omitted, as in OTTO's files.
    """
    types = (name for name in labels.columns if name != "session")
    parts = [_label_part(name, is_single=name in next_only) for name in types]
    inner = pl.concat_str(parts, separator=", ", ignore_nulls=True)
    line = pl.format('{{"session": {}, "labels": {{{}}}}}', "session", inner).alias("line")
    return labels.select(line).to_series()


def write_lines(lines: pl.Series, sink: BinaryIO) -> None:
    """Appends the lines unchanged, each with a line feed."""
    lines.to_frame().write_csv(sink, include_header=False, quote_style="never")


def read_events(path: Path) -> pl.LazyFrame:
    """Reads a file of sessions as one row per event: session, aid (Int32), ts (Int64), type
    (String)."""
    event = pl.Struct({"aid": pl.Int32, "ts": pl.Int64, "type": pl.String})
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        "session": pl.Int32,
        "events": pl.List(event),
    }
    return pl.scan_ndjson(path, schema=schema).explode("events").unnest("events")


def _label_part(name: str, *, is_single: bool) -> pl.Expr:
    aids = pl.col(name).cast(pl.List(pl.String)).list.join(", ")
    form = f'"{name}": {{}}' if is_single else f'"{name}": [{{}}]'
    return pl.when(pl.col(name).list.len() > 0).then(pl.format(form, aids))
