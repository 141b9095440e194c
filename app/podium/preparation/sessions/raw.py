"""Reads raw sessions in OTTO's format as chunks of events. Blocks that are not spelled plainly are
parsed; where these contain anything but sessions, they are read line by line to report the lines at
fault."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from podium.otto.shape import TYPES
from podium.preparation.files.findings import RawFileCode, RawFileRefused, RawFindings
from podium.preparation.files.text import blocks, is_parquet
from podium.preparation.sessions.plain import plain_block
from podium.scoring.problems import quoted
from podium.scoring.turns import in_turn

MOST = 2**31 - 1
"""The largest session and the largest aid."""

LATEST = 2**53
"""Times are whole milliseconds since 1970 below this, which every JSON reader reads exactly."""

THREADS = 2
"""Blocks that are read in parallel; more would take more memory than they are worth."""

SCHEMA: dict[str, Any] = {
    "session": pl.Int32,
    "events": pl.List(pl.Struct({"aid": pl.Int32, "ts": pl.Int64, "type": pl.String})),
}


@dataclass(frozen=True)
class RawChunk:
    """Some lines of a file. `events`: session Int32, ts Int64, aid Int32, type (String), in the
    order of time within a session; `sessions` and `lines`: the session on each line, including
    sessions without events. A session is never split between chunks."""

    file: Path
    events: pl.DataFrame
    sessions: pl.Series
    lines: pl.Series


def looks_raw(file: Path) -> bool:
    """True where the first line of a text file is an object with events. Problems of other files
    are reported elsewhere."""
    if is_parquet(file):
        return False
    try:
        entry = json.loads(next(blocks(file), b"").lstrip().split(b"\n", 1)[0])
    except (ValueError, RecursionError, RawFileRefused):
        return False
    return isinstance(entry, dict) and "events" in entry


def raw_chunks(file: Path, *, most_bytes: int, types: Sequence[str] = TYPES) -> Iterator[RawChunk]:
    """Reads a file of `{"session", "events": [{"aid", "ts", "type"}]}` lines, with events of these
    types; blank lines are skipped.

    Raises `RawFileRefused` with the lines that are something else.
    """
    numbered = _numbered(blocks(file, most_bytes=most_bytes))
    work = partial(_chunk, file, types)
    yield from in_turn(work, numbered, threads=min(THREADS, pl.thread_pool_size()))


@dataclass(frozen=True, slots=True)
class _Block:
    """Whole lines of a file: the number of the first of them, and how many there are."""

    text: bytes
    first: int
    count: int


def _numbered(texts: Iterable[bytes]) -> Iterator[_Block]:
    first = 1
    for text in texts:
        count = text.count(b"\n") + (not text.endswith(b"\n"))
        yield _Block(text, first, count)
        first += count


def _chunk(file: Path, types: Sequence[str], block: _Block) -> RawChunk:
    parsed = _parsed(block.text, types)
    if parsed is None or len(parsed[0]) != block.count:
        return _line_by_line(file, block.text, block.first, types)
    sessions, events = parsed
    lines = pl.int_range(block.first, block.first + block.count, dtype=pl.UInt32, eager=True)
    return RawChunk(file, events, sessions, lines)


def _parsed(block: bytes, types: Sequence[str]) -> tuple[pl.Series, pl.DataFrame] | None:
    """Parses the sessions and the events of a block; None unless every value is there and in
    range."""
    found = plain_block(block, types)
    if found is not None:
        sessions, events = found
        return (sessions, _in_time(events)) if (events["ts"] < LATEST).all() else None
    try:
        frame = pl.read_ndjson(block, schema=SCHEMA)
    except (PolarsError, pl.exceptions.PanicException):
        return None
    if frame["session"].null_count() or frame["events"].null_count():
        return None
    events = _unrolled(frame)
    good = (
        pl.col("session").ge(0)
        & pl.col("aid").ge(0)
        & pl.col("ts").is_between(0, LATEST, closed="left")
        & pl.col("type").is_in(types)
    )
    # A comparison with null is null, which counts as wrong.
    all_good = events.select(good.fill_null(value=False).all()).item()
    return (frame["session"], events) if all_good and frame["session"].ge(0).all() else None


def _unrolled(frame: pl.DataFrame) -> pl.DataFrame:
    """Unrolls lines with lists of events into one row per event."""
    rows = frame.filter(pl.col("events").list.len() > 0).with_row_index("row")
    return _in_time(rows.explode("events").unnest("events"))


def _in_time(events: pl.DataFrame) -> pl.DataFrame:
    """Sorts events by time within each line, which `row` counts; equal times retain their order."""
    same, earlier = events["row"] == events["row"].shift(), events["ts"] < events["ts"].shift()
    if (same & earlier).any():
        events = events.sort("row", "ts", maintain_order=True)
    return events.select("session", "ts", "aid", "type")


def _line_by_line(file: Path, block: bytes, first: int, types: Sequence[str]) -> RawChunk:
    findings, rows, numbers = RawFindings(file), [], []
    for number, line in enumerate(block.removesuffix(b"\n").split(b"\n"), start=first):
        if not line.strip():
            continue
        wrong = _what_is_wrong(line, types)
        if wrong is None:
            rows.append(_plain(json.loads(line)))
            numbers.append(number)
        else:
            findings.add(RawFileCode.BAD_JSON, f"{wrong}: {quoted(line)}", number)
    if findings.count:
        raise findings.refused()
    frame = pl.DataFrame(rows, schema=SCHEMA)
    lines = pl.Series(numbers, dtype=pl.UInt32)
    return RawChunk(file, _unrolled(frame), frame["session"], lines)


def _plain(entry: dict[str, Any]) -> dict[str, Any]:
    """Drops the other fields of an entry."""
    events = [{name: event[name] for name in ("aid", "ts", "type")} for event in entry["events"]]
    return {"session": entry["session"], "events": events}


def _what_is_wrong(line: bytes, types: Sequence[str]) -> str | None:
    """Explains why a line is not a session; None where it is one."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return "the line is not JSON"
    if not isinstance(entry, dict) or not _whole(entry.get("session"), MOST):
        return f"the line is not an object with a session of 0 to {MOST}"
    events = entry.get("events")
    if not isinstance(events, list):
        return "the session has no list of events"
    for place, event in enumerate(events, start=1):
        if not isinstance(event, dict) or not _whole(event.get("aid"), MOST):
            return f"event {place} has no aid of 0 to {MOST}"
        if not _whole(event.get("ts"), LATEST - 1):
            return f"event {place} has no ts in whole milliseconds"
        if event.get("type") not in types:
            return f"event {place} has none of the types {', '.join(types)}"
    return None


def _whole(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most
