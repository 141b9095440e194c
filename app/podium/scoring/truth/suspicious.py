"""Warns about ids of an organizer's file that are accepted unchanged, but are probably not
intended."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from podium.scoring.lists.joined import are_usual, count_usual
from podium.scoring.problems import quoted

_FLOAT = r"\A-?[0-9]+\.0*\z"


def as_floats(ids: pl.Series, name: str) -> Iterator[str]:
    """Warns about a column of texts that are nearly all whole numbers as floats."""
    if are_usual(count_usual(ids, _FLOAT), lists=len(ids)):
        first = str(ids.filter(ids.cast(pl.String).str.contains(_FLOAT))[0])
        whole = first.partition(".")[0]
        yield (
            f"nearly all ids in {quoted(name)} are floats, as {quoted(first)}, and {quoted(whole)}"
            " is another id: cast the column to integers, unless they are published so"
        )
