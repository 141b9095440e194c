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

from podium.scoring.combining.sides import MAX_FILES, Sides
from podium.scoring.combining.spool import ListSpool
from podium.scoring.kernel.columns import Array, Column
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
    sides = Sides(spools)
    worth = Column(_worth(whole_weights(weights), method, sides.depth))
    width = len(task.names)
    suffixes = pl.Series([f"_{name}" if name else "" for name in task.names])

    def rows(start: int, stop: int) -> pl.DataFrame:
        query = pl.int_range(start, stop, dtype=pl.UInt32, eager=True)
        session = published.sessions.gather(query // width).cast(pl.String)
        return pl.DataFrame(
            {
                task.id_column: session + suffixes.gather(query % width),
                task.labels_column: _labels(sides, worth, start, stop),
            }
        )

    yield from sides.of_portions(rows)


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
    """The worth of each place, `top` of each submission, Int64."""
    exact = top <= LONGEST_EXACT
    unit = math.lcm(*range(1, top + 1)) if exact else UNIT
    places = {
        "votes": [1] * top,
        "rank": [top - rank for rank in range(top)],
        "reciprocal": [unit // (1 + rank) for rank in range(top)],
    }[method]
    return pl.Series([weight * place for weight in weights for place in places], dtype=pl.Int64)


def _labels(sides: Sides, worth: Column, start: int, stop: int) -> pl.Series:
    """The best items of each query as text."""
    room, _held = sides.room()
    text = Array((stop - start) * sides.list_bytes)
    size = sides.functions.podium_blend(
        sides.c, sides.count, sides.depth, worth.address, start, stop, room, sides.texts,
        text.address,
    )  # fmt: skip
    lines = bytes(memoryview(text.bytes)[:size]).decode("ascii").removesuffix("\n")
    return pl.Series([lines]).str.split("\n").explode()
