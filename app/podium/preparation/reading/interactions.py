"""Reads an interactions file into a frame of codes: users and items as numbers, ratings, times,
types.

Polars reads all values as text and converts them at once; where that fails, `diagnosing` reads the
file again, line by line, and names what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from podium.preparation.files.findings import RawFileCode, RawFileRefused, refuse
from podium.preparation.files.text import MAX_BYTES
from podium.preparation.keyed import Ids
from podium.preparation.options import ColumnChoice
from podium.preparation.reading.diagnosing import diagnose
from podium.preparation.reading.layout import Layout, layout_of
from podium.preparation.reading.positions import ask
from podium.preparation.reading.text import Text, text_of
from podium.preparation.reading.times import SLASHED, order_of, spelling_of, unit_of
from podium.preparation.reading.values import TEXT_ID, WITHOUT_POINT, float_among, readable
from podium.scoring.inference.guessing import HEAD_ROWS
from podium.scoring.parquet.files import scan_parquet
from podium.scoring.problems import quoted

ENOUGH_ROWS = 20
"""From this many rows on, a column whose values all differ does not hold ids of users or items."""


@dataclass(frozen=True)
class Interactions:
    """All interactions of a file: `user`, `item` (UInt32 codes) and, where the file has them,
    `rating` (Float64), `timestamp` (Int64) and `type` (UInt32 places in `types`).

    `unit` is the unit of the times, one of `UNITS`, or "" where they are not absolute times.
    """

    frame: pl.DataFrame
    users: Ids
    items: Ids
    types: tuple[str, ...]
    unit: str
    layout: Layout

    def has(self, role: str) -> bool:
        """True where the file has a column of this role."""
        return role in self.frame.columns


def read_interactions(
    file: Path, source: ColumnChoice, *, work: Path, most_bytes: int = MAX_BYTES
) -> Interactions:
    """Reads and checks a whole file; `work` is a folder for decompressed text. Raises
    `RawFileRefused` with the lines that cannot be read."""
    layout = layout_of(file, source)
    text = None
    if layout.form != "parquet":
        separator = layout.separator if layout.form == "text" else None
        text = text_of(file, separator, work, most_bytes=most_bytes)
    samples = layout if layout.form != "parquet" else _with_samples(file, layout)
    spelling = _spellings(samples, source)

    def wrong(reason: str) -> RawFileRefused:
        return diagnose(file, layout, spelling, most_bytes, reason)

    try:
        frame = _collected(file, _scan(file, layout, text), layout, spelling)
    except (PolarsError, pl.exceptions.PanicException) as error:
        raise wrong(str(error)) from error
    if reason := _incomplete(frame, layout, text):
        raise wrong(reason)
    if frame.is_empty():
        raise refuse(file, RawFileCode.EMPTY_FILE, "there is no interaction")
    coded, ids = _coded(frame)
    if coded is None:
        raise wrong("a value is missing")
    _refuse_unlikely(file, layout, coded, ids)
    types = ids["type"].names
    return Interactions(
        coded,
        ids["user"],
        ids["item"],
        () if types is None else tuple(types.to_list()),
        unit_of(file, coded, source, spelling.get("timestamp", "")),
        layout,
    )


def _incomplete(frame: pl.DataFrame, layout: Layout, text: Text | None) -> str:
    """Explains why rows were lost, or why there are none; empty where all rows were read."""
    there = frame.height if text is None else text.rows - layout.has_header
    if frame.height != there:
        return f"{frame.height:,} rows are read, and {there:,} are there"
    if not (text is None or text.is_even):
        return "rows have unequal numbers of fields"
    return "the header stands there twice" if _has_header_again(frame, layout) else ""


def _scan(file: Path, layout: Layout, text: Text | None) -> pl.LazyFrame:
    if text is None:
        return scan_parquet(file)
    if layout.form == "jsonl":
        texts = dict.fromkeys(layout.columns.values(), pl.String())
        with text.file.open("rb") as lines:
            return pl.scan_ndjson(lines, schema=texts)
    schema = dict.fromkeys(layout.names, pl.String())
    return text.scan(has_header=layout.has_header, schema=schema)


def _with_samples(file: Path, layout: Layout) -> Layout:
    """Fills in the layout's first rows of a Parquet file, as text."""
    scan = scan_parquet(file)
    _expressions(file, scan, layout, dict.fromkeys(layout.columns, "number"))
    head = scan.select(layout.columns.values()).head(HEAD_ROWS).collect()
    texts = head.select(pl.all().cast(pl.String, strict=False))
    return Layout(
        layout.form, tuple(head.columns), layout.columns, rows=tuple(texts.drop_nulls().rows())
    )


def _spellings(layout: Layout, source: ColumnChoice) -> dict[str, str]:
    """Chooses the spelling by which each role is read first: ids as `whole` numbers, times by the
    first rows."""
    spelling = {"user": "whole", "item": "whole", "rating": "number", "type": "text"}
    if "timestamp" in layout.columns:
        found = spelling_of([text for text in layout.samples("timestamp") if text])
        is_told = source.time_unit == "iso" and found != SLASHED
        spelling["timestamp"] = "iso" if is_told else found
    return spelling


def _collected(
    file: Path, scan: pl.LazyFrame, layout: Layout, spelling: dict[str, str]
) -> pl.DataFrame:
    """Collects all values; ids are texts where a single one of their column is not a whole number,
    and times are milliseconds where a single one has a fraction."""
    if spelling.get("timestamp") == SLASHED:
        spelling["timestamp"] = order_of(file, scan, layout.columns["timestamp"])
    frame = scan.select(**_expressions(file, scan, layout, spelling)).collect(engine="streaming")
    other = {"user": "text", "item": "text"}
    if spelling.get("timestamp") in ("number", "decimal"):
        other["timestamp"] = "fraction"
    wrong = [role for role in other if frame[role].null_count()]
    if not wrong:
        return frame
    spelling |= {role: other[role] for role in wrong}
    again = scan.select(**_expressions(file, scan, layout, spelling))
    return again.collect(engine="streaming")


def _expressions(
    file: Path, scan: pl.LazyFrame, layout: Layout, spelling: Mapping[str, str]
) -> dict[str, pl.Expr]:
    schema = scan.collect_schema()
    expressions = {}
    for role, name in layout.columns.items():
        made = readable(pl.col(name), schema[name], role, spelling[role])
        if made is None:
            raise _unfit_type(file, name, schema[name], role)
        expressions[role] = made
    return expressions


def _unfit_type(file: Path, name: str, kind: pl.DataType, role: str) -> RawFileRefused:
    detail = f"column {name} has the type {kind}, which is not read as {role}"
    hint = None
    if kind.is_float():
        hint = f"Cast it: with pandas, `df[{name!r}].astype('Int64')`."
    elif kind in (pl.List, pl.Array):
        hint = f"Write one interaction a row: `df.explode({name!r})` with pandas or Polars."
    return refuse(file, RawFileCode.HEADER_MISMATCH, detail, None, hint)


def _refuse_unlikely(
    file: Path, layout: Layout, frame: pl.DataFrame, ids: Mapping[str, Ids]
) -> None:
    """Raises `RawFileRefused` where an unnamed column was inferred to hold users or items and no
    two of its values are equal, and for whole numbers that a program has turned into floats."""
    for role in layout.guessed if frame.height >= ENOUGH_ROWS else ():
        if frame[role].n_unique() == frame.height:
            detail = f"{layout.columns[role]} is not the {role}: it differs in every row"
            raise ask(file, layout.rows, detail)
    for role in ("user", "item"):
        if (names := ids[role].names) is not None:
            _refuse_floats(file, role, names)


def _has_header_again(frame: pl.DataFrame, layout: Layout) -> bool:
    """True where files were concatenated with the headers of all."""
    names = {role: layout.columns[role] for role in ("user", "item")}
    if not layout.has_header or any(frame.schema[role] != pl.String for role in names):
        return False
    again = [pl.col(role) == name for role, name in names.items()]
    return frame.select(pl.all_horizontal(again).any()).item() is True


def _refuse_floats(file: Path, role: str, ids: pl.Series) -> None:
    found = float_among(ids)
    if found is not None:
        detail = f"the {role} {quoted(found)} is a whole number as a float"
        raise refuse(file, RawFileCode.BAD_EVENT, detail, None, WITHOUT_POINT)


def _coded(frame: pl.DataFrame) -> tuple[pl.DataFrame | None, dict[str, Ids]]:
    """Encodes texts as codes in their order; None instead of the frame where a value cannot be
    read."""
    ids = {role: Ids() for role in ("user", "item", "type")}
    if any(frame.null_count().row(0)):
        return None, ids
    for role in ids.keys() & set(frame.columns):
        if frame.schema[role] == pl.String:
            names = frame[role].unique().sort()
            if not names.str.contains(TEXT_ID).all():
                return None, ids
            ids[role] = Ids(names)
            codes = frame[role].cast(pl.Enum(names)).to_physical().cast(pl.UInt32)
            frame = frame.with_columns(codes.alias(role))
    return frame, ids
