"""Writes a full synthetic submission of a chosen quality, fast enough for five million rows.

The rows are generated, not predicted: a share of the hidden labels is planted among items drawn at
random, so that the scores are realistic and nearly known beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import polars as pl

from podium.otto.catalogue import Catalogue
from podium.otto.draws import Draws, below, unit
from podium.otto.jsonl import hidden_labels
from podium.otto.model import Model
from podium.otto.shape import FIRST_TEST_SESSION, LIST_LENGTH, TYPES
from podium.otto.synthetic import catalogue_size, whole_test_sessions

RowOrder = Literal["interleaved", "by-type", "shuffled"]
"""`interleaved`: clicks, carts and orders of one session after each other; `by-type`: all clicks,
all carts, all orders; `shuffled`: rows in random order."""

GOOD_RECALLS: Mapping[str, float] = {"clicks": 0.52, "carts": 0.41, "orders": 0.65}
"""The approximate recalls of good solutions of the real competition."""

CHUNK_ROWS = 200_000
SHARED_PLACES = 12
"""The first items of a session are the same in its three rows, as in real submissions."""

SPREAD = 3
"""Position p of a row holds planted label number 3 · (p − start) modulo 20, where there are enough.
Three and twenty have no common divisor, so every label has exactly one position."""


def write_submission(
    path: Path,
    *,
    sessions: int,
    seed: int = 42,
    items: int | None = None,
    order: RowOrder = "interleaved",
    recalls: Mapping[str, float] = GOOD_RECALLS,
    variant: int = 0,
) -> int:
    """Writes a submission for the competition that `synthesize` creates from the same arguments.

    Three rows per session, twenty distinct items each unless a planted label happens to be there
    already. The same arguments give the same bytes; `order` changes only the order of rows, and
    another variant has the planted labels among other items. Returns the number of rows.
    """
    model = Model(seed, catalogue_size(sessions) if items is None else items)
    planted = _planted(model, sessions, recalls)
    queries = _queries(sessions, order, Draws(seed))
    with path.open("wb") as sink:
        sink.write(b"session_type,labels\n")
        for first in range(0, len(queries), CHUNK_ROWS):
            rows = _rows(queries[first : first + CHUNK_ROWS], planted, model, Draws(seed + variant))
            rows.write_csv(sink, include_header=False, quote_style="never")
    return len(queries)


def _planted(model: Model, sessions: int, recalls: Mapping[str, float]) -> pl.Series:
    """Chooses for each query number (session × 3 + type) the labels that will be hits, at most
    twenty."""
    draws, chunks = Draws(model.seed), []
    for events in whole_test_sessions(model, sessions):
        labels = hidden_labels(events)
        for code, name in enumerate(TYPES):
            query = (pl.col("session") - FIRST_TEST_SESSION) * len(TYPES) + code
            pairs = labels.select(query.alias("query"), pl.col(name).alias("aid"))
            pairs = pairs.explode("aid").drop_nulls()
            lot = draws.bits(name, pairs["query"].cast(pl.UInt64) * 2**31 + pairs["aid"])
            chunks.append(pairs.filter(unit(lot) < recalls[name]))
    hits = pl.concat(chunks).group_by("query").agg(pl.col("aid").sort().head(LIST_LENGTH))
    every = pl.int_range(sessions * len(TYPES), dtype=pl.Int32, eager=True).alias("query")
    return every.to_frame().join(hits, on="query", how="left", maintain_order="left")["aid"]


def _queries(sessions: int, order: RowOrder, draws: Draws) -> pl.Series:
    """Lists all query numbers in the order of the rows."""
    rows = pl.int_range(sessions * len(TYPES), eager=True)
    if order == "by-type":
        return rows % sessions * len(TYPES) + rows // sessions
    if order == "shuffled":
        return rows.gather(draws.bits("order", rows).arg_sort())
    return rows


def _rows(queries: pl.Series, planted: pl.Series, model: Model, draws: Draws) -> pl.DataFrame:
    """Formats the id and the labels of each query as columns of the file."""
    session = queries // len(TYPES) + FIRST_TEST_SESSION
    # The first planted label is more likely near the front of the list.
    chance = unit(draws.bits("place", queries))
    frame = pl.DataFrame(
        {
            "session": session,
            "type": pl.Series(TYPES).gather(queries % len(TYPES)),
            "planted": planted.gather(queries),
            "start": (chance * chance * LIST_LENGTH).floor().cast(pl.Int32),
            **_fillers("shared", session, draws, model.items),
            **_fillers("own", queries, draws, model.items),
        }
    )
    catalogue = Catalogue(model.seed, model.items)
    places = [_place(place, catalogue).cast(pl.String) for place in range(LIST_LENGTH)]
    return frame.select(
        pl.concat_str("session", pl.lit("_"), "type"), pl.concat_str(places, separator=" ")
    )


def _fillers(name: str, keys: pl.Series, draws: Draws, items: int) -> dict[str, pl.Series]:
    """Draws a random item and a random step from it to the next, so that the items of a row are
    distinct."""
    longest = max(1, items // LIST_LENGTH)
    first = below(draws.bits(f"{name} first", keys), items)
    step = 1 + below(draws.bits(f"{name} step", keys), longest)
    return {f"{name}_first": first, f"{name}_step": step}


def _place(place: int, catalogue: Catalogue) -> pl.Expr:
    """Chooses the item in one position of every row: the planted label that belongs there,
    otherwise a filler."""
    label = (place + LIST_LENGTH - pl.col("start")) * SPREAD % LIST_LENGTH
    source = "shared" if place < SHARED_PLACES else "own"
    rank = pl.col(f"{source}_first").cast(pl.Int64) + place * pl.col(f"{source}_step")
    filler = rank * catalogue.stride % catalogue.items
    return pl.coalesce(pl.col("planted").list.get(label, null_on_oob=True), filler)
