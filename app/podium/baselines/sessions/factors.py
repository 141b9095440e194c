"""Matrix factorization by alternating least squares (Hu, Koren, Volinsky 2008), with the library
`implicit`. It is an extra that callers must have installed."""

from __future__ import annotations

from typing import Any

import polars as pl

from podium.baselines.sessions.lists import filled_up, for_all_types, last_items, most_frequent
from podium.baselines.sessions.material import Material, Recommend

MODELED_ITEMS = 20_000
"""The number of items that are modeled, the most frequent ones: every session is scored for each of
them."""

FACTORS, ROUNDS, REGULARIZATION = 32, 8, 0.05
THREADS = 2
SEED = 42


def als(material: Material, length: int) -> Recommend:
    """Recommends the items of the session, then those with the highest scores, then popular
    ones."""
    # They come with the extra, and take a second to import.
    import threadpoolctl
    from implicit.cpu.als import AlternatingLeastSquares

    counted = pl.concat([material.train.select("aid"), material.test.select("aid")])
    counted = counted.group_by("aid").len()
    best = counted.sort("len", "aid", descending=[True, False]).head(MODELED_ITEMS)
    aids = best["aid"].sort()
    fallback = most_frequent(material.train, length)
    options = {"factors": FACTORS, "iterations": ROUNDS, "regularization": REGULARIZATION}
    # More threads inside each multiplication would only slow each other down.
    with threadpoolctl.threadpool_limits(1, "blas"):
        model = AlternatingLeastSquares(**options, num_threads=THREADS, random_state=SEED)
        weights, numbers = _weights(material, aids)
        if weights.nnz:
            model.fit(weights, show_progress=False)

    def recommend(sessions: pl.Series, events: pl.DataFrame) -> pl.DataFrame:
        own = last_items(events)
        lists = own.filter(pl.col("rank") < length)
        asked = sessions.to_frame().join(numbers, on="session", how="inner", maintain_order="left")
        if asked.height:
            with threadpoolctl.threadpool_limits(1, "blas"):
                found = _found(model, asked, aids, length)
            behind = found.join(own, on=["session", "aid"], how="anti")
            behind = behind.select("session", "aid", rank=pl.col("rank") + length)
            lists = pl.concat([lists, behind])
        return filled_up(
            for_all_types(lists, material.codes),
            sessions,
            material.codes,
            fill=fallback,
            length=length,
        )

    return recommend


def _found(
    model: Any,  # noqa: ANN401 - implicit has no types
    asked: pl.DataFrame,
    aids: pl.Series,
    length: int,
) -> pl.DataFrame:
    """Finds the items with the highest scores for some sessions: session, aid, rank."""
    width = min(length, len(aids))
    # The session's own items, which come before all others, are removed by the caller: enough are
    # always left. The library would filter each session separately.
    items, _ = model.recommend(
        asked["number"].to_numpy(), None, N=width, filter_already_liked_items=False
    )
    at = pl.int_range(asked.height * width, eager=True)
    session, aid = asked["session"].gather(at // width), aids.gather(items.ravel())
    return pl.DataFrame({"session": session, "aid": aid, "rank": at % width})


def _weights(material: Material, aids: pl.Series) -> tuple[Any, pl.DataFrame]:
    """Builds the sparse matrix of sessions × items, weighted by event types; and the row of each
    test session that has one (session, number)."""
    import scipy.sparse

    worth = material.worth.cast(pl.Float32)
    known = pl.DataFrame({"aid": aids, "item": pl.int_range(len(aids), eager=True)})
    parts = []
    for events, is_test in ((material.train, False), (material.test, True)):
        part = events.select("session", "aid", weight=worth.gather(events["type"]))
        part = part.join(known, on="aid").group_by("session", "item").agg(pl.col("weight").sum())
        parts.append(part.with_columns(is_test=pl.lit(is_test)))
    entries = pl.concat(parts).sort("is_test", "session", "item")
    row = entries.select(pl.struct("is_test", "session").rle_id()).to_series()
    count = int(row.max() or 0) + 1 if len(row) else 0  # type: ignore[arg-type]
    weights = scipy.sparse.csr_matrix(
        (entries["weight"].to_numpy(), (row.to_numpy(), entries["item"].to_numpy())),
        shape=(count, len(aids)),
    )
    numbered = entries.select("session", "is_test", number=row).filter("is_test").unique("number")
    return weights, numbered.select("session", "number")
