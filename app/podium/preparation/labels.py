"""Selects the hidden interactions that count as labels, by type."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from podium.errors import InvalidInput
from podium.otto.jsonl import Scope
from podium.otto.shape import MAX_TYPES
from podium.preparation.clickstreams import TYPE_NAME
from podium.preparation.protocols import Draw


def objectives_of(types: tuple[str, ...], requested: Mapping[str, Scope]) -> dict[str, Scope]:
    """Returns the requested objectives; by default, all types with all later interactions. Raises
    `InvalidInput` for types that the file lacks, and for invalid names of objectives."""
    if not types:
        return dict(requested) or {"": "all"}
    objectives: dict[str, Scope] = dict(requested) or dict.fromkeys(types, "all")
    lacking = [name for name in objectives if name not in types]
    if lacking:
        raise InvalidInput(f"No interaction is a {lacking[0]}; the types are {', '.join(types)}.")
    if len(objectives) > MAX_TYPES:
        raise InvalidInput(f"There are {len(objectives)} objectives; {MAX_TYPES} are the most.")
    for name in objectives:
        if not TYPE_NAME.fullmatch(name):
            raise InvalidInput(
                f"The type {name} is not a name of an objective: letters, digits, .-"
            )
    return objectives


def labels_of(
    hidden: pl.DataFrame, types: tuple[str, ...], objectives: Mapping[str, Scope], draw: Draw
) -> pl.DataFrame:
    """Selects the hidden interactions that count, in the order of users, types and items.

    `next` keeps the first of its type of each user; among equal times, the draw decides.
    """
    if not types:
        kept = _next(hidden, ["user"], draw) if objectives[""] == "next" else hidden
        return kept.sort("user", "item")
    parts = []
    for name, scope in objectives.items():
        part = hidden.filter(pl.col("type") == types.index(name))
        parts.append(_next(part, ["user"], draw) if scope == "next" else part)
    return pl.concat(parts).sort("user", "type", "item")


def _next(hidden: pl.DataFrame, by: list[str], draw: Draw) -> pl.DataFrame:
    if "timestamp" not in hidden.columns:
        raise InvalidInput("What came next is told by times, and the file has none.")
    ordered = hidden.with_columns(bits=draw.of(hidden)).sort(*by, "timestamp", "bits", "item")
    return ordered.unique(by, keep="first", maintain_order=True).drop("bits")
