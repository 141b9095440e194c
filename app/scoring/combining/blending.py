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

from app.scoring.combining.entries import MAX_FILES, Portion, portions
from app.scoring.combining.spool import Spool
from app.scoring.published import PublishedIds
from app.scoring.task import MAX_K, Task

Method = Literal["votes", "rank", "reciprocal"]
METHODS: tuple[Method, ...] = get_args(Method)

LONGEST_EXACT = 24
"""Up to this many places reciprocal ranks are whole numbers of a common unit."""

UNIT = 10**10
"""Beyond, they are rounded down to a share of this."""

MAX_WEIGHT = 10**6
"""Largest weight as a whole number, when all are brought to a common denominator."""


def blended(
    spools: Sequence[Spool],
    *,
    task: Task,
    published: PublishedIds,
    weights: Sequence[Fraction],
    method: Method,
    top: int,
) -> Iterator[pl.DataFrame]:
    """The rows of the blend by published id, a portion at a time: the id column and the labels.

    An item gets from each submission that has it among its first `top` items the weight of the
    submission, times 1 (`votes`), `top` − rank + 1 (`rank`) or 1 / rank (`reciprocal`), the rank
    counted from 1; the `top` items with the highest sums are listed. Raises ValueError for weights
    that are not positive or too far apart.
    """
    worth = _worth(whole_weights(weights), method, top)
    width = len(task.names)
    text_items = task.item_ids == "string"
    for portion in portions(spools, queries=published.count, depth=top, text_items=text_items):
        query = pl.int_range(portion.start, portion.stop, dtype=pl.UInt32, eager=True)
        rows = pl.DataFrame({"query": query}).join(
            _lists(portion, worth, top), on="query", how="left", maintain_order="left"
        )
        session = published.sessions.gather(query // width).cast(pl.String)
        suffixes = pl.Series([f"_{name}" if name else "" for name in task.names])
        yield pl.DataFrame(
            {
                task.id_column: session + suffixes.gather(query % width),
                task.labels_column: rows["labels"].fill_null(""),
            }
        )


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
    """What an entry counts, by file × `MAX_K` + rank, Int64."""
    exact = top <= LONGEST_EXACT
    unit = math.lcm(*range(1, top + 1)) if exact else UNIT
    places = {
        "votes": [1] * top,
        "rank": [top - rank for rank in range(top)],
        "reciprocal": [unit // (1 + rank) for rank in range(top)],
    }[method]
    padded = places + [0] * (MAX_K - top)
    return pl.Series([weight * place for weight in weights for place in padded], dtype=pl.Int64)


def _lists(portion: Portion, worth: pl.Series, top: int) -> pl.DataFrame:
    """The best items of each query as text: query, labels."""
    entries = portion.entries
    if entries.is_empty():
        return pl.DataFrame(schema={"query": pl.UInt32, "labels": pl.String})
    code = entries["file"].cast(pl.UInt32) * MAX_K + entries["rank"]
    better = entries["rank"].cast(pl.UInt32) * MAX_FILES + entries["file"]
    items = (
        entries.select("pair", worth=worth.gather(code), tie=better)
        .group_by("pair", maintain_order=True)
        .agg(pl.col("worth").sum(), pl.col("tie").min())
    )
    query = portion.queries(items["pair"])
    # There are few different sums, so query, place of the sum and tie fit into one number.
    sums = items["worth"].unique().sort()
    below = (len(sums) - 1 - sums.search_sorted(items["worth"])).cast(pl.UInt64)
    order = ((query - portion.start).cast(pl.UInt64) * len(sums) + below) * (MAX_K * MAX_FILES)
    at = (order + items["tie"]).arg_sort()
    query = query.gather(at)
    number = pl.int_range(len(query), dtype=pl.UInt32, eager=True)
    starts = number.filter((query != query.shift()).fill_null(value=True))
    listed = number - starts.gather(query.rle_id()) < top
    best = pl.DataFrame(
        {
            "query": query.filter(listed),
            "item": portion.items(items["pair"].gather(at.filter(listed))),
        }
    )
    return best.group_by("query", maintain_order=True).agg(labels=pl.col("item").str.join(" "))
