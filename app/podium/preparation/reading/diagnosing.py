"""Diagnoses, line by line, a file that Polars could not read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from podium.preparation.files.findings import (
    SHOWN,
    RawFileCode,
    RawFileRefused,
    RawFindings,
    refuse,
)
from podium.preparation.files.text import blocks
from podium.preparation.reading.layout import Layout
from podium.preparation.reading.rows import is_utf8, lines_of, rows_of
from podium.preparation.reading.values import problem_of
from podium.scoring.parquet.files import scan_parquet
from podium.scoring.problems import quoted

Values = dict[str, str | None]


def diagnose(
    file: Path, layout: Layout, spelling: Mapping[str, str], most_bytes: int, reason: str
) -> RawFileRefused:
    """Builds the error that lists the first unreadable lines; `reason` is reported where none is
    found."""
    findings = RawFindings(file)
    is_parquet = layout.form == "parquet"
    rows = _rows if is_parquet else _lines
    for number, values in rows(file, layout, most_bytes):
        line, row = (None, number) if is_parquet else (number, None)
        if isinstance(values, tuple):
            findings.add(*values, line)
        else:
            where = f"{'row' if is_parquet else 'line'} {number}"
            for role, value in values.items():
                if detail := problem_of(role, value, spelling[role]):
                    findings.add(RawFileCode.BAD_EVENT, f"{where}: {detail}", line, row=row)
        if findings.count >= SHOWN:
            break
    if findings.count:
        return findings.refused()
    return refuse(file, RawFileCode.ROW_SHAPE, f"the file is not a table: {reason[:200]}")


def _rows(
    file: Path, layout: Layout, _: int
) -> Iterator[tuple[int, Values | tuple[RawFileCode, str]]]:
    """Yields the rows of a Parquet file, numbered from 0."""
    roles = {role: pl.col(name).cast(pl.String) for role, name in layout.columns.items()}
    frame = scan_parquet(file).select(**roles)
    batches = frame.collect_batches(chunk_size=100_000, maintain_order=True)
    yield from enumerate(row for each in batches for row in each.iter_rows(named=True))


def _lines(
    file: Path, layout: Layout, most_bytes: int
) -> Iterator[tuple[int, Values | tuple[RawFileCode, str]]]:
    """Yields the lines of a text, or of JSON lines, without blank ones at the end."""
    lines = lines_of(blocks(file, most_bytes=most_bytes))
    rows = enumerate(lines, start=1) if layout.form == "jsonl" else rows_of(lines, layout.separator)
    blank = []
    for number, row in rows:
        if number == 1 and layout.form == "text" and layout.has_header:
            continue
        if not "".join(row).strip():
            blank.append(number)
            continue
        for line in blank:
            yield line, (RawFileCode.ROW_SHAPE, "the line is blank")
        blank = []
        if layout.form == "jsonl" and isinstance(row, str):
            yield number, _json(row, layout)
        else:
            yield number, _fields(row, layout)


def _json(line: str, layout: Layout) -> Values | tuple[RawFileCode, str]:
    if not is_utf8(line):
        return RawFileCode.ROW_SHAPE, f"the line is not UTF-8: {quoted(line)}"
    text = line.rstrip("\r\n")
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return RawFileCode.BAD_JSON, f"the line is not JSON: {quoted(text)}"
    if not isinstance(entry, dict):
        return RawFileCode.BAD_JSON, f"the line is not a JSON object: {quoted(text)}"
    found = {role: entry.get(name) for role, name in layout.columns.items()}
    return {role: None if value is None else str(value) for role, value in found.items()}


def _fields(row: list[str] | str, layout: Layout) -> Values | tuple[RawFileCode, str]:
    if isinstance(row, str):
        return RawFileCode.ROW_SHAPE, row
    if layout.has_header and row == list(layout.names):
        return RawFileCode.ROW_SHAPE, "the line is the header again: remove it"
    if not all(map(is_utf8, row)):
        return RawFileCode.ROW_SHAPE, f"the line is not UTF-8: {_shown(row, layout)}"
    if len(row) != len(layout.names):
        detail = f"{len(row)} fields instead of {len(layout.names)}: {_shown(row, layout)}"
        return RawFileCode.ROW_SHAPE, detail
    places = {role: layout.names.index(name) for role, name in layout.columns.items()}
    return {role: row[place] for role, place in places.items()}


def _shown(row: list[str], layout: Layout) -> str:
    return quoted(layout.separator.join(row).encode("utf-8", "surrogateescape"))
