"""Co-visitation: counts items that sessions have in common, weighted, and builds lists from
them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from podium.baselines.sessions.lists import (
    filled_up,
    for_all_types,
    last_items,
    most_frequent,
    ranked,
)
from podium.baselines.sessions.material import Material, Recommend

NEIGHBORS = 3
"""The largest distance of two events of a session that makes their items companions."""

CLOSE = 6
"""Divided by the distance of two neighbors: they weigh 6, 3 and 2."""

SECONDS_APART = 86_400
"""Events further apart than a day are another visit."""

COMPANIONS = 20
"""Companions stored per item: those with the highest counts."""

FRESH, STALE = 400, 100
"""Weights of a pair at the end and at the start of the period, where clicks are predicted."""

PART_EVENTS = 4_000_000
"""The approximate number of events whose pairs are counted at a time, in a gigabyte."""

_COUNTED = {"aid": pl.Int32, "companion": pl.Int32, "clicks": pl.Int64, "buys": pl.Int64}


@dataclass(frozen=True)
class Companions:
    """The companions of the items `aids` (sorted): entries `first` … `first + count` of the columns
    `companion` and `weight`."""

    aids: pl.Series
    first: pl.Series
    count: pl.Series
    companion: pl.Series
    weight: pl.Series

    @classmethod
    def of(cls, best: pl.DataFrame) -> Companions:
        """Builds the table from rows of aid, companion and weight, sorted by aid."""
        runs = best["aid"].rle().struct.unnest()
        count = runs["len"].cast(pl.UInt32)
        first = count.cum_sum() - count
        return cls(runs["value"], first, count, best["companion"], best["weight"])

    def of_items(self, items: pl.DataFrame) -> pl.DataFrame:
        """Repeats the rows of `items` for each of their companions, with `companion` and
        `weight`."""
        if self.aids.is_empty():
            return items.clear().with_columns(
                companion=pl.lit(0, pl.Int32), weight=pl.lit(0, pl.Int64)
            )
        at = self.aids.search_sorted(items["aid"]).clip(0, len(self.aids) - 1)
        known = self.aids.gather(at) == items["aid"]
        at = at.filter(known)
        entries = pl.int_ranges("first", pl.col("first") + pl.col("count"), dtype=pl.UInt32)
        found = (
            items.filter(known)
            .with_columns(first=self.first.gather(at), count=self.count.gather(at))
            .with_columns(entry=entries)
            .drop("first", "count")
            .explode("entry")
        )
        entry = found["entry"]
        return found.drop("entry").with_columns(
            companion=self.companion.gather(entry), weight=self.weight.gather(entry)
        )


def companions(every: Sequence[pl.DataFrame], worth: pl.Series) -> tuple[Companions, Companions]:
    """Finds the companions of all items in frames of events, once to predict clicks, once to
    predict carts and orders. `worth` is the weight of an event for the latter, by its type."""
    parts = 1 + sum(events.height for events in every) // PART_EVENTS
    prepared = [_valued(events, _times(every), worth) for events in every]
    for_clicks, for_buys = [], []
    for part in range(parts):
        counted = _counted(prepared, part, parts)
        for_clicks.append(_best(counted, "clicks"))
        for_buys.append(_best(counted, "buys"))
    return _whole(for_clicks), _whole(for_buys)


def _whole(parts: list[pl.DataFrame]) -> Companions:
    return Companions.of(pl.concat(parts).sort("aid", maintain_order=True))


def _times(every: Sequence[pl.DataFrame]) -> tuple[int, int]:
    seconds = pl.concat([events.select("second") for events in every])["second"]
    if seconds.is_empty():
        return 0, 0
    return int(seconds.min()), int(seconds.max())  # type: ignore[arg-type]


def _valued(events: pl.DataFrame, times: tuple[int, int], worth: pl.Series) -> pl.DataFrame:
    """Adds the weights that an event gives to its pairs: `fresh` and `bought` (Int16)."""
    first, last = times
    passed = (pl.col("second") - first).cast(pl.Int64) * (FRESH - STALE) // max(1, last - first)
    return events.select(
        "session",
        "aid",
        "second",
        fresh=(STALE + passed).cast(pl.Int16),
        bought=worth.cast(pl.Int16).gather(events["type"]),
    )


def _counted(every: Sequence[pl.DataFrame], part: int, parts: int) -> pl.DataFrame:
    """Sums the weights of all pairs whose first item belongs to a part: `_COUNTED`."""
    pairs = [pl.DataFrame(schema=_COUNTED)]
    mine = pl.col("aid") % parts == part
    for events in every:
        for apart in range(1, NEIGHBORS + 1):
            for shift in (-apart, apart):
                # The row beside each one: `shift` rows further down, or up.
                other = pl.all().shift(shift).name.prefix("other_")
                together = (
                    mine
                    & (pl.col("session") == pl.col("session").shift(shift))
                    & (pl.col("aid") != pl.col("aid").shift(shift))
                    & ((pl.col("second") - pl.col("second").shift(shift)).abs() <= SECONDS_APART)
                )
                near = CLOSE // apart
                pair = events.lazy().with_columns(other, together=together).filter("together")
                pairs.append(
                    pair.select(
                        "aid",
                        companion="other_aid",
                        clicks=pl.col("fresh").cast(pl.Int64) * near,
                        buys=pl.col("other_bought").cast(pl.Int64) * near,
                    ).collect()
                )
    summed = pl.concat(pairs).group_by("aid", "companion")
    return summed.agg(pl.col("clicks", "buys").sum())


def _best(counted: pl.DataFrame, weight: str) -> pl.DataFrame:
    """Selects the heaviest companions of each item, by item."""
    weighed = counted.select("aid", "companion", weight=weight)
    return ranked(weighed, "aid", item="companion", length=COMPANIONS).drop("rank")


EXACT = 5040
"""The weight of an item of rank r is this / (1 + r): a whole number for the first ten."""

ASKED = 20
"""The number of a session's last items whose companions are looked up."""


def covisitation(material: Material, length: int) -> Recommend:
    """Recommends companions of the session's items. A companion weighs more if the item it goes
    with was seen later, and if the two were seen closer together, more often and more recently.
    Items in the cart weigh most where carts and orders are predicted. Test sessions are learned
    from, too."""
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
    """Lists the items of sessions in an order, then their companions: session, aid, rank."""
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
    """Ranks the distinct items of each session: late events and events other than clicks weigh
    more. Columns session, aid, rank."""
    back = pl.int_range(pl.len() - 1, -1, -1).over("session")
    weighed = events.select(
        "session", "aid", weight=worth.gather(events["type"]), back=back
    ).with_columns(weight=pl.col("weight") * EXACT // (1 + pl.col("back")))
    summed = weighed.group_by("session", "aid").agg(pl.col("weight").sum())
    return ranked(summed, "session", length=_ALL).select("session", "aid", "rank")


_ALL = 1 << 31
