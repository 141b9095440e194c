"""Computes statistics of interactions: counts, density, inequality of popularity, histograms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import polars as pl

from podium.preparation.options import UNITS

QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
MAX_RATINGS = 50
"""Distinct ratings up to which each one's count is reported."""


def gini(counts: pl.Series) -> float:
    """Computes the Gini coefficient of counts: 0 where all are equal, near 1 where one has
    everything.

    With ascending counts x_1 … x_n it is Σ (2i − n − 1) x_i / (n Σ x_i), in whole numbers until
    the last division.

    >>> gini(pl.Series([1, 1, 1, 1])), gini(pl.Series([0, 0, 0, 4]))
    (0.0, 0.75)
    """
    ordered = counts.cast(pl.Int64).sort()
    size, total = len(ordered), int(ordered.sum())
    if not total:
        return 0.0
    # 2^63 is not reached: 10^9 interactions of 10^9 users are 10^18.
    ranks = pl.int_range(1, size + 1, dtype=pl.Int64, eager=True)
    weighted = int(((2 * ranks - size - 1) * ordered).sum())
    return weighted / (size * total)


def figures(frame: pl.DataFrame, unit: str, types: Sequence[str] = ()) -> dict[str, Any]:
    """Computes JSON-ready statistics of interactions with `user`, `item` and optionally `rating`,
    `timestamp` and `type`."""
    items = frame.group_by("item").len()["len"]
    return figures_by_counts(frame, _counts(frame["user"]), items, unit, types)


def figures_by_counts(
    frame: pl.DataFrame, users: pl.Series, items: pl.Series, unit: str, types: Sequence[str] = ()
) -> dict[str, Any]:
    """Computes the same from known counts of interactions by user and by item."""
    found: dict[str, Any] = {
        "interactions": frame.height,
        "users": len(users),
        "items": len(items),
        "density": frame.height / max(1, len(users) * len(items)),
        "gini_of_popularity": gini(items),
        "per_user": _spread(users),
        "per_item": _spread(items),
    }
    if "rating" in frame.columns:
        found["ratings"] = _ratings(frame["rating"])
    if "timestamp" in frame.columns:
        found["times"] = _times(frame["timestamp"], unit)
    if types and "type" in frame.columns:
        counts = dict(frame["type"].value_counts().iter_rows())
        found["types"] = {name: counts.get(code, 0) for code, name in enumerate(types)}
    return found


def _counts(codes: pl.Series) -> pl.Series:
    """Counts the rows of each code; faster for codes that are sorted, as files often are by
    user."""
    runs = codes.rle() if codes.is_sorted() else codes.sort().rle()
    return runs.struct.field("len")


def _spread(counts: pl.Series) -> dict[str, Any]:
    ordered = counts.cast(pl.Int64).sort()
    last = len(ordered) - 1
    return {
        "mean": int(ordered.sum()) / max(1, len(ordered)),
        "quantiles": {f"{q:g}": int(ordered[round(q * last)]) for q in QUANTILES if last >= 0},
        "histogram": _histogram(ordered),
    }


def _histogram(ordered: pl.Series) -> list[dict[str, int]]:
    """Counts the users or items with 1, 2–3, 4–7 … interactions."""
    if ordered.is_empty():
        return []
    bars, most = [], int(ordered[-1])
    least = 1 << (int(ordered[0]).bit_length() - 1)
    while least <= most:
        end = 2 * least
        count = int(((ordered >= least) & (ordered < end)).sum())
        bars.append({"from": least, "to": end - 1, "count": count})
        least = end
    return bars


def _ratings(ratings: pl.Series) -> dict[str, Any]:
    counts = ratings.value_counts().sort("rating")
    found: dict[str, Any] = {"distinct": counts.height}
    values, sizes = counts["rating"], counts["count"].cast(pl.Int64)
    found |= {"least": float(values[0]), "most": float(values[-1])} if counts.height else {}
    # Few values, each multiplied by its count: the order of rows does not matter.
    found["mean"] = sum(v * n for v, n in zip(values, sizes, strict=True)) / max(1, len(ratings))
    if counts.height <= MAX_RATINGS:
        found["counts"] = {f"{v:g}": n for v, n in zip(values, sizes, strict=True)}
    return found


def _times(times: pl.Series, unit: str) -> dict[str, Any]:
    first, last = int(times.min()), int(times.max())  # type: ignore[arg-type]
    found: dict[str, Any] = {"first": first, "last": last, "unit": unit}
    if unit:
        found |= {"from": moment_text(first, unit), "to": moment_text(last, unit)}
    return found


def moment_text(time: int, unit: str) -> str:
    """Formats a time as a date in UTC, or as the plain number where it is out of range."""
    try:
        moment = datetime.fromtimestamp(time / UNITS[unit], UTC)
    except (OverflowError, ValueError, OSError):
        return f"{time:,}"
    return f"{moment:%Y-%m-%d %H:%M:%S}"
