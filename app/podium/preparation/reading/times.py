"""Detects the spelling and the unit of times in files, and parses them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from podium.preparation.files.findings import RawFileCode, RawFileRefused, refuse
from podium.preparation.moments import FEBRUARY_1970, SECONDS_FROM, milliseconds
from podium.preparation.options import UNITS, ColumnChoice
from podium.scoring.problems import quoted

MILLISECONDS_FROM = 10**11
"""Whole times from here on are in milliseconds: as seconds they lie after the year 5000."""

YEAR_5000 = 95_617_584_000
YEAR_2100 = 4_102_444_800
"""The starts of these years, in seconds since 1970."""

DATES = ("iso", "month-first", "day-first")
"""Spellings of dates; those with slashes begin with the month or with the day."""

SLASHED = "slashed"

_IN_WORDS = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
_SLASHES = r"^(\d{1,2})/(\d{1,2})/(\d{4})"
_DECIMAL = r"-?[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?|-?[0-9]+[eE][+-]?[0-9]+"
_MONTHS = 12


def spelling_of(samples: Sequence[str]) -> str:
    """Detects the spelling of most times from the first ones: `number`, `decimal`, `iso` or
    `slashed`."""
    numbers = sum(bool(re.fullmatch(r"-?[0-9]+", sample)) for sample in samples)
    decimals = sum(bool(re.fullmatch(_DECIMAL, sample)) for sample in samples)
    if 2 * (numbers + decimals) >= len(samples):
        return "decimal" if decimals else "number"
    return SLASHED if any(re.match(_SLASHES, sample) for sample in samples) else "iso"


def times(text: pl.Expr, spelling: str) -> pl.Expr:
    """Parses times as Int64: whole numbers unchanged; milliseconds for dates, and for seconds with
    fractions; null for values that are not times."""
    if spelling in DATES:
        return _of_dates(text, spelling)
    whole = text.cast(pl.Int64, strict=False)
    if spelling == "number":
        return whole
    number = text.cast(pl.Float64, strict=False)
    number = pl.when(number.is_finite()).then(number)
    if spelling == "decimal":
        return pl.when(number == number.floor()).then(number.cast(pl.Int64, strict=False))
    scaled = pl.when(number.abs() < MILLISECONDS_FROM).then((number * 1000).round())
    return scaled.otherwise(number.floor()).cast(pl.Int64, strict=False)


def order_of(file: Path, texts: pl.LazyFrame, name: str) -> str:
    """Detects whether dates with slashes begin with the month or the day, by days above 12. Raises
    `RawFileRefused` where that is ambiguous."""
    parts = [
        pl.col(name).str.extract(_SLASHES, place).cast(pl.Int64).max().alias(str(place))
        for place in (1, 2)
    ]
    shown = pl.col(name).first().alias("shown")
    first, second, sample = texts.select(*parts, shown).collect().row(0)
    if (first or 0) > _MONTHS or (second or 0) > _MONTHS:
        return "day-first" if (first or 0) > _MONTHS else "month-first"
    detail = f"the times may begin with the day or the month: {quoted(sample or '')}"
    hint = (
        "Write them as 2010-12-31: with pandas, `pd.to_datetime(column, dayfirst=True)` or False."
    )
    raise refuse(file, RawFileCode.BAD_EVENT, detail, None, hint)


def unit_of(file: Path, frame: pl.DataFrame, source: ColumnChoice, spelling: str) -> str:
    """Determines the unit of times, "" where they are not absolute or there are none. Raises
    `RawFileRefused` for times that are implausible in their unit."""
    if "timestamp" not in frame.columns:
        return ""
    column = frame["timestamp"]
    earliest, latest = int(column.min()), int(column.max())  # type: ignore[arg-type]
    if spelling in DATES:
        return "ms"
    if spelling == "fraction":
        return "ms" if latest >= MILLISECONDS_FROM else ""
    unit = source.time_unit
    if unit not in UNITS:
        unit = "ms" if latest >= MILLISECONDS_FROM else "s" if latest >= SECONDS_FROM else "auto"
    if unit not in UNITS:
        return ""
    if latest // UNITS[unit] >= YEAR_5000:
        raise _not_of(file, latest, unit, "after the year 5000")
    if earliest >= SECONDS_FROM and latest * 1000 // UNITS[unit] < FEBRUARY_1970:
        raise _not_of(file, latest, unit, "in January 1970")
    return unit


def _not_of(file: Path, latest: int, unit: str, when: str) -> RawFileRefused:
    detail = f"the latest time, {latest}, is {when} if it counts {_IN_WORDS[unit]}"
    for other, factor in UNITS.items():
        if SECONDS_FROM <= latest / factor < YEAR_2100:
            hint = f"Are these {_IN_WORDS[other]}? Say --time-unit {other}."
            break
    else:
        hint = "Say what they count with --time-unit, or --time - to read no times."
    return refuse(file, RawFileCode.BAD_EVENT, detail, None, hint)


def _of_dates(text: pl.Expr, spelling: str) -> pl.Expr:
    if spelling != "iso":
        day = "${3}-${1}-${2}" if spelling == "month-first" else "${3}-${2}-${1}"
        text = text.str.replace(_SLASHES, day)
    return text.map_batches(lambda column: milliseconds(column, "iso"), return_dtype=pl.Int64)
