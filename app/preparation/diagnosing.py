"""The problems of a file that Polars could not read, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from podium.otto.preparation.findings import (
    SHOWN,
    RawFileCode,
    RawFileRefused,
    RawFindings,
    quoted,
    refuse,
)
from podium.otto.preparation.text import blocks
from podium.preparation.layout import Layout, split_line
from podium.preparation.values import problem_of

Values = dict[str, str | None]


def diagnose(
    file: Path, layout: Layout, spelling: Mapping[str, str], most_bytes: int, reason: str
) -> RawFileRefused:
    """The error that names the first lines that cannot be read; `reason` is told where none is
    found."""
    findings = RawFindings(file)
    rows = _rows if layout.form == "parquet" else _lines
    for line, values in rows(file, layout, most_bytes):
        if isinstance(values, tuple):
            findings.add(*values, line)
        else:
            for role, value in values.items():
                if detail := problem_of(role, value, spelling[role]):
                    findings.add(RawFileCode.BAD_EVENT, f"line {line}: {detail}", line)
        if findings.count >= SHOWN:
            break
    if findings.count:
        return findings.refused()
    return refuse(file, RawFileCode.ROW_SHAPE, f"the file is no table: {reason[:200]}")


def _rows(
    file: Path, layout: Layout, _: int
) -> Iterator[tuple[int, Values | tuple[RawFileCode, str]]]:
    """The rows of a Parquet file, numbered as the lines of its text would be."""
    roles = {role: pl.col(name).cast(pl.String) for role, name in layout.columns.items()}
    frame = pl.scan_parquet(file).select(**roles)
    batches = frame.collect_batches(chunk_size=100_000, maintain_order=True)
    line = 1
    for batch in batches:
        for values in batch.iter_rows(named=True):
            line += 1
            yield line, values


def _lines(
    file: Path, layout: Layout, most_bytes: int
) -> Iterator[tuple[int, Values | tuple[RawFileCode, str]]]:
    number = 0
    for block in blocks(file, most_bytes=most_bytes):
        for raw in block.removesuffix(b"\n").split(b"\n"):
            number += 1
            if number == 1 and layout.form == "text" and layout.has_header:
                continue
            yield number, _values(raw.removesuffix(b"\r"), layout)


def _values(raw: bytes, layout: Layout) -> Values | tuple[RawFileCode, str]:
    try:
        text = raw.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError:
        return RawFileCode.ROW_SHAPE, f"the line is not UTF-8: {quoted(raw)}"
    if not text.strip():
        return RawFileCode.ROW_SHAPE, "the line is blank"
    return _json(text, layout) if layout.form == "jsonl" else _fields(text, layout)


def _json(text: str, layout: Layout) -> Values | tuple[RawFileCode, str]:
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return RawFileCode.BAD_JSON, f"the line is not JSON: {quoted(text.encode())}"
    if not isinstance(entry, dict):
        return RawFileCode.BAD_JSON, f"the line is not a JSON object: {quoted(text.encode())}"
    found = {role: entry.get(name) for role, name in layout.columns.items()}
    return {role: None if value is None else str(value) for role, value in found.items()}


def _fields(text: str, layout: Layout) -> Values | tuple[RawFileCode, str]:
    fields = split_line(text, layout.separator)
    if len(fields) != len(layout.names):
        detail = f"{len(fields)} fields instead of {len(layout.names)}: {quoted(text.encode())}"
        return RawFileCode.ROW_SHAPE, detail
    places = {role: layout.names.index(name) for role, name in layout.columns.items()}
    return {role: fields[place] for role, place in places.items()}
