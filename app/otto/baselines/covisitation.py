"""Co-visitation: the items of the session, then what others looked at together with them, then
popular ones."""

from __future__ import annotations

import polars as pl

from podium.otto.baselines.companions import Companions, companions
from podium.otto.baselines.lists import filled_up, for_all_types, last_items, most_frequent, ranked
from podium.otto.baselines.material import Material, Recommend

EXACT = 5040
"""What an item of rank r brings along is divided by 1 + r: a whole number for the first ten."""

ASKED = 20
"""Items of the session, the last ones, whose companions are looked at."""


def covisitation(material: Material, length: int) -> Recommend:
    """A companion weighs the more the later the item it goes with was seen, and the closer
    together, the oftener and the more recently the two were seen. What a session has put into its
    cart weighs most where carts and orders are predicted. Test sessions are learned from, too."""
    codes, looking, worth = material.codes, material.looking, material.worth
    for_clicks, for_buys = companions([material.train, material.test], worth)
    fallback = most_frequent(material.train, length)

    def recommend(sessions: pl.Series, events: pl.DataFrame) -> pl.DataFrame:
        own = last_items(events)
        looked_at = _lists(own, own, for_clicks, length)
        wanted = _lists(own, _by_weight(events, worth), for_buys, length)
        together = pl.concat(
            [
                for_all_types(looked_at, codes.filter(pl.col("type") == looking)),
                for_all_types(wanted, codes.filter(pl.col("type") != looking)),
            ]
        )
        return filled_up(together, sessions, codes, fill=fallback, length=length)

    return recommend


def _lists(own: pl.DataFrame, order: pl.DataFrame, table: Companions, length: int) -> pl.DataFrame:
    """The items of sessions in an order, then their companions: session, aid, rank."""
    asked = own.filter(pl.col("rank") < ASKED)
    worth = pl.col("weight") * EXACT // (1 + pl.col("rank"))
    found = (
        table.of_items(asked)
        .group_by("session", aid=pl.col("companion"))
        .agg(weight=worth.sum())
        .join(own, on=["session", "aid"], how="anti")
    )
    best = ranked(found, "session", length=length)
    first = order.filter(pl.col("rank") < length)
    behind = best.select("session", "aid", rank=pl.col("rank") + length)
    return pl.concat([first.select("session", "aid", "rank"), behind])


def _by_weight(events: pl.DataFrame, worth: pl.Series) -> pl.DataFrame:
    """The distinct items of each session: what was done with them late, and what was more than a
    click, counts more. Columns session, aid, rank."""
    back = pl.int_range(pl.len() - 1, -1, -1).over("session")
    weighed = events.select(
        "session", "aid", weight=worth.gather(events["type"]), back=back
    ).with_columns(weight=pl.col("weight") * EXACT // (1 + pl.col("back")))
    summed = weighed.group_by("session", "aid").agg(pl.col("weight").sum())
    return ranked(summed, "session", length=_ALL).select("session", "aid", "rank")


_ALL = 1 << 31
