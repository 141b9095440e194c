"""Blends many submissions into one, by the ranks of their items alone.

Scores are whole numbers, so that the order of summation does not matter; ties go to the item with
the better rank in any submission, then to that of the first submission.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal, get_args

import polars as pl

from podium.scoring.combining.sides import MAX_FILES, NAME_BYTES, Sides, names_of
from podium.scoring.combining.spool import ListSpool
from podium.scoring.kernel.columns import Array, Column, TextColumn
from podium.scoring.kernel.endings import name_endings
from podium.scoring.kernel.structures import RowForm
from podium.scoring.published import PublishedIds

Method = Literal["votes", "rank", "reciprocal"]
METHODS: tuple[Method, ...] = get_args(Method)

LONGEST_EXACT = 24
"""Up to this many positions reciprocal ranks are whole multiples of a common unit."""

UNIT = 10**10
"""The unit of longer lists, of whose multiples reciprocal ranks are rounded down."""

SURPLUS = 7
"""Bytes that the compiled function may write past the last line."""

MAX_WEIGHT = 10**6
"""The largest weight as a whole number, when all have a common denominator."""


def blended(
    spools: Sequence[ListSpool],
    *,
    published: PublishedIds,
    weights: Sequence[Fraction],
    method: Method,
) -> Iterator[memoryview]:
    """Yields the rows of the blend by published id, a portion at a time: the text of lines with the
    id and the labels.

    An item gets from each submission that has it the weight of the submission, times 1 (`votes`),
    depth − rank + 1 (`rank`) or 1 / rank (`reciprocal`), the rank counted from 1; as many items as
    the spools are deep, those with the highest sums, are listed. Raises ValueError for weights that
    are not positive or too far apart.
    """
    sides = Sides(spools)
    worth = Column(_worth(whole_weights(weights), method, sides.depth))
    ids = _Ids(published)

    def rows(start: int, stop: int) -> memoryview:
        room, _held = sides.room()
        text = Array((stop - start) * (ids.longest + sides.list_bytes) + SURPLUS)
        size = sides.functions.podium_blend(
            sides.c, sides.count, sides.depth, worth.address, start, stop, room, ids.form,
            sides.names, text.address,
        )  # fmt: skip
        return memoryview(text.bytes)[:size]

    yield from sides.of_portions(rows)


class _Ids:
    """Published ids in the format of the compiled functions: `form`, and the size of the `longest`
    with its separator."""

    def __init__(self, published: PublishedIds) -> None:
        sessions, endings = published.sessions, name_endings(published.objectives)
        is_text = sessions.dtype == pl.String
        self._column = TextColumn(sessions) if is_text else Column(sessions)
        self.form = RowForm(names_of(self._column), endings, len(endings))
        self.longest = NAME_BYTES[is_text] + max(ending.size for ending in endings) + 1


def whole_weights(weights: Sequence[Fraction]) -> list[int]:
    """Scales the weights to the smallest whole numbers of the same ratio. Raises ValueError."""
    if not 1 <= len(weights) <= MAX_FILES or min(weights) <= 0:
        raise ValueError("every submission has a weight above 0")
    unit = math.lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * unit) for weight in weights]
    whole = [weight // math.gcd(*whole) for weight in whole]
    if max(whole) > MAX_WEIGHT:
        raise ValueError("the weights are too far apart, or have too many digits")
    return whole


def _worth(weights: Sequence[int], method: Method, top: int) -> pl.Series:
    """Computes the worth of each position, `top` of each submission, Int64."""
    exact = top <= LONGEST_EXACT
    unit = math.lcm(*range(1, top + 1)) if exact else UNIT
    places = {
        "votes": [1] * top,
        "rank": [top - rank for rank in range(top)],
        "reciprocal": [unit // (1 + rank) for rank in range(top)],
    }[method]
    return pl.Series([weight * place for weight in weights for place in places], dtype=pl.Int64)
