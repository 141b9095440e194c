"""Parses timestamps as files write them into milliseconds since 1970."""

from __future__ import annotations

import polars as pl

_FACTORS = {"ms": 1, "s": 1000}

_CLOCK = r"(\d{1,2}:\d{2})(:\d{2}(?:[.,]\d{1,9})?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?"
_ISO = rf"^(\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}})(?:[T ]{_CLOCK})?$"


def milliseconds(times: pl.Series, unit: str) -> pl.Series:
    """Parses times as Int64 milliseconds; null for values that are not times. `unit` is ms or s,
    whole numbers since 1970, or iso for ISO 8601 dates. Dates without a time of day are at
    midnight, times without a zone are UTC, and fractions of a millisecond are dropped."""
    if unit != "iso":
        return times.cast(pl.Int64, strict=False) * _FACTORS[unit]
    if times.dtype in (pl.Date, pl.Datetime):
        return times.dt.epoch("ms")
    day, clock, second, zone = times.cast(pl.String).str.extract_groups(_ISO).struct.unnest()
    frame = pl.DataFrame({"day": day, "clock": clock, "second": second, "zone": zone})
    zone_text = pl.col("zone").fill_null("Z").str.replace("Z|UTC|GMT", "+0000").str.replace(":", "")
    text = pl.concat_str(
        pl.col("day").str.replace_all("/", "-", literal=True),
        pl.lit("T"),
        pl.col("clock").fill_null("00:00"),
        pl.col("second").fill_null(":00").str.replace(",", ".", literal=True),
        zone_text,
    )
    moments = text.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%z", time_unit="us", strict=False)
    return frame.select(moments.dt.epoch("ms")).to_series()


SECONDS_FROM = 10**8
"""Whole times from here on are since 1970; smaller ones only give an order."""

FEBRUARY_1970 = 31 * 24 * 3600 * 1000
YEAR_2100 = 4_102_444_800_000
"""Milliseconds: times before the first are really seconds, those from the second on
milliseconds."""


def question_about_unit(earliest: int, latest: int, unit: str) -> str | None:
    """Asks whether the unit of all times is wrong, as far as their dates show; None where they are
    plausible."""
    if unit == "ms" and latest < FEBRUARY_1970:
        return "these times are in January 1970 as milliseconds; are they seconds? --time-unit s"
    if unit == "s" and earliest >= YEAR_2100:
        return (
            "these times are after the year 2100 as seconds; are they milliseconds? --time-unit ms"
        )
    return None
