"""Many submissions → one, by the places of their items alone.

Scores are whole numbers, so that no order of summing decides, and of equal ones the item comes
first that has the better rank anywhere, then the one of the submission that is named first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal, get_args

import polars as pl

from podium.scoring.combining.entries import (
    MAX_FILES,
    PLACE,
    QUERY,
    RANKS,
    QueryPortion,
    of_portions,
)
from podium.scoring.combining.spool import ListSpool
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task

Method = Literal["votes", "rank", "reciprocal"]
METHODS: tuple[Method, ...] = get_args(Method)

LONGEST_EXACT = 24
"""Up to this many places reciprocal ranks are whole numbers of a common unit."""

UNIT = 10**10
"""Beyond, they are rounded down to a share of this."""

MAX_WEIGHT = 10**6
"""Largest weight as a whole number, when all are brought to a common denominator."""


def blended(
    spools: Sequence[ListSpool],
    *,
    task: Task,
    published: PublishedIds,
    weights: Sequence[Fraction],
    method: Method,
) -> Iterator[pl.DataFrame]:
    """The rows of the blend by published id, a portion at a time: the id column and the labels.

    An item gets from each submission that has it the weight of the submission, times 1 (`votes`),
    depth − rank + 1 (`rank`) or 1 / rank (`reciprocal`), the rank counted from 1; as many items as
    the spools are deep, those with the highest sums, are listed. Raises ValueError for weights that
    are not positive or too far apart.
    """
    top = spools[0].depth
    worth = _worth(whole_weights(weights), method, top)
    width = len(task.names)
    suffixes = pl.Series([f"_{name}" if name else "" for name in task.names])

    def rows(portion: QueryPortion) -> pl.DataFrame:
        query = pl.int_range(portion.start, portion.stop, dtype=pl.UInt32, eager=True)
        session = published.sessions.gather(query // width).cast(pl.String)
        return pl.DataFrame(
            {
                task.id_column: session + suffixes.gather(query % width),
                task.labels_column: _labels(portion, worth, len(spools), top),
            }
        )

    text_items = task.item_ids == "string"
    yield from of_portions(rows, spools, queries=published.count, text_items=text_items)


def whole_weights(weights: Sequence[Fraction]) -> list[int]:
    """The weights in the smallest whole numbers of the same ratio. Raises ValueError."""
    if not 1 <= len(weights) <= MAX_FILES or min(weights) <= 0:
        raise ValueError("every submission has a weight above 0")
    unit = math.lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * unit) for weight in weights]
    whole = [weight // math.gcd(*whole) for weight in whole]
    if max(whole) > MAX_WEIGHT:
        raise ValueError("the weights are too far apart, or have too many digits")
    return whole


def _worth(weights: Sequence[int], method: Method, top: int) -> pl.Series:
    """The weight of each entry by its place: file × `RANKS` + rank, Int64."""
    exact = top <= LONGEST_EXACT
    unit = math.lcm(*range(1, top + 1)) if exact else UNIT
    places = {
        "votes": [1] * top,
        "rank": [top - rank for rank in range(top)],
        "reciprocal": [unit // (1 + rank) for rank in range(top)],
    }[method]
    padded = places + [0] * (RANKS - top)
    return pl.Series([weight * place for weight in weights for place in padded], dtype=pl.Int64)


def _labels(portion: QueryPortion, worth: pl.Series, files: int, top: int) -> pl.Series:
    """The best items of each query as text."""
    ranked, unit = _ranked(portion, worth, files, top)
    until = portion.until(ranked, unit)
    start, count = until[:-1], until[1:] - until[:-1]
    # All first places, all second ones …: as columns they are joined fastest.
    at = pl.concat([start + place for place in range(top)])
    listed = pl.concat([count > place for place in range(top)])
    if not listed.all():
        at = at.set(~listed, None)
    tie = ranked.gather(at) % (files * top)
    query = pl.int_range(len(at), dtype=pl.Int64, eager=True) % portion.queries
    first = portion.first.gather(tie % files * portion.queries + query)
    items = portion.items.gather(first + tie // files)
    columns = {str(n): items.slice(n * portion.queries, portion.queries) for n in range(top)}
    joined = pl.concat_str(pl.all(), separator=" ", ignore_nulls=True)
    return pl.DataFrame(columns).select(joined).to_series()


def _ranked(portion: QueryPortion, worth: pl.Series, files: int, top: int) -> tuple[pl.Series, int]:
    """A number for each item of a query, sorted, the best item of a query first, and how far the
    numbers of one query are from those of the next. Modulo files × top it is the item's best rank ×
    files + the first file that has it there."""
    ties = files * top
    places = pl.DataFrame({"place": range(len(worth))})["place"]
    tie = places % RANKS * files + places // RANKS
    entries = portion.entries
    place = (entries % PLACE).cast(pl.UInt32)
    # Of the entries about an item, that with the smallest tie has the largest of these: with ties -
    # tie in the place of the place.
    best = (entries + (ties - tie - places).gather(place)).cum_max()
    # Where this runs over, so does the difference, and is right again.
    total = worth.gather(place).cum_sum()
    item = entries // PLACE
    is_last = (item != item.shift(-1)).fill_null(value=True)
    best, total = best.filter(is_last), total.filter(is_last)
    sums = total - total.shift(fill_value=0)
    most = int(sums.max() or 0)  # type: ignore[arg-type]
    if (most + 1) * ties * portion.queries >= 1 << 63:
        sums = sums.rank("dense").cast(pl.Int64)
        most = len(sums)
    unit = (most + 1) * ties
    better = (best // QUERY + 1) * unit - (sums * ties + best % PLACE)
    return better.sort(multithreaded=False), unit
