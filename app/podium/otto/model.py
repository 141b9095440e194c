"""Models the synthetic data: the events of each session.

A session walks through a row of *slots*, each of which holds an item, and often steps back, so that
items are clicked again. Slots next to each other mostly hold items that go together, which is what
co-visitation finds. Some sessions put what they just clicked into the cart; some end with a block
of carts followed by a block of orders of the same items. Nothing here writes files.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from podium.otto.catalogue import Catalogue
from podium.otto.draws import Draws, below, looked_up, unit
from podium.otto.shape import (
    TEST_LENGTHS,
    TEST_START_MS,
    TEST_TAIL,
    TRAIN_LENGTHS,
    TRAIN_START_MS,
    TRAIN_TAIL,
    block_table,
    length_table,
)

SLOTS_PER_TURN = 10
"""Slots after which a session turns to another group of items."""


@dataclass(frozen=True, slots=True)
class Mix:
    """The mix of session intents: the shares of sessions that order and of those that only fill
    carts; and of the latter's events, the share of carts."""

    buyers: float
    carters: float
    carting: float


TRAIN_MIX = Mix(buyers=0.252, carters=0.415, carting=0.149)
"""Fitted to the published shares of types: 89.85 % clicks, 7.80 % carts, 2.35 % orders."""

TEST_MIX = Mix(buyers=0.215, carters=0.415, carting=0.20)
"""Fitted to the published coverage of the labels: 17 % of the sessions have carts, 8 % orders."""

BUYER_EVENTS = 5
"""The fewest events of a session that orders."""

_STEPS_BACK = pl.Series([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 6], dtype=pl.Int32)
_CLICKS_AFTER_ORDER = pl.Series([0, 0, 0, 1, 1, 2, 3, 4], dtype=pl.Int32)
_TRAIN = pl.Series(length_table(TRAIN_LENGTHS, TRAIN_TAIL), dtype=pl.Int32)
_TEST = pl.Series(length_table(TEST_LENGTHS, TEST_TAIL), dtype=pl.Int32)
_BLOCKS = pl.Series(block_table(), dtype=pl.Int32)


@dataclass(frozen=True, slots=True)
class Model:
    """One synthetic shop: the same seed and the same number of items give the same sessions."""

    seed: int
    items: int

    def events(self, sessions: pl.Series, *, training: bool) -> pl.DataFrame:
        """Generates all events of the given sessions, in order, hidden ones included.

        Columns: session Int32, position Int32 (from 0), cut Int32 (events from this position on are
        hidden; from 1 to the last position), aid Int32, type UInt8 (index in `TYPES`), ts Int64 (ms
        since 1970, increasing).
        """
        events = _unrolled(self._plans(sessions, training))
        key = _key(events["session"], events["position"])
        mix = TRAIN_MIX if training else TEST_MIX
        carting = unit(self._draws.bits("carting", key)) < mix.carting
        events = events.with_columns(carting=carting).with_columns(type=_type())
        clicked = (pl.col("position") - (pl.col("type") == 1)).clip(0).cast(pl.Int32)
        events = events.with_columns(clicked=clicked)
        steps = self._draws.bits("back", _key(events["session"], events["clicked"]))
        events = events.with_columns(back=looked_up(_STEPS_BACK, steps)).with_columns(slot=_slot())
        aids = Catalogue(self.seed, self.items).aids(
            _key(events["session"], events["slot"]),
            _key(events["session"], events["slot"] // SLOTS_PER_TURN),
        )
        times = self._times(events["session"], events["position"], key, training)
        return events.with_columns(aids.alias("aid"), times.alias("ts")).select(
            "session", "position", "cut", "aid", "type", "ts"
        )

    def _plans(self, sessions: pl.Series, training: bool) -> pl.DataFrame:
        """Draws the plan of each session: its length, the cut, the start and end of its block of
        orders (`order_start`, `end`), the number of items in that block (`block`), and its
        intent."""
        bits = self._draws.bits
        mood = unit(bits("mood", sessions))
        after = looked_up(_CLICKS_AFTER_ORDER, bits("after order", sessions))
        plans = pl.DataFrame(
            {
                "session": sessions.cast(pl.Int32),
                "events": looked_up(_TRAIN if training else _TEST, bits("length", sessions)),
                "cut": below(bits("cut", sessions), 1 << 31),
                "mood": mood,
                "after": after,
                "block": looked_up(_BLOCKS, bits("block", sessions)),
            }
        )
        mix = TRAIN_MIX if training else TEST_MIX
        events = pl.col("events")
        end = events - pl.min_horizontal("after", events - 2)
        return (
            plans.with_columns(
                cut=1 + pl.col("cut") % (events - 1),
                end=end,
                buys=(pl.col("mood") < mix.buyers) & (events >= BUYER_EVENTS),
                carts=pl.col("mood").is_between(mix.buyers, mix.buyers + mix.carters),
            )
            .with_columns(block=pl.min_horizontal("block", pl.col("end") // 2))
            .with_columns(order_start=pl.col("end") - pl.col("block"))
        )

    def _times(
        self, sessions: pl.Series, positions: pl.Series, key: pl.Series, training: bool
    ) -> pl.Series:
        """Draws a start within the weeks, then an event every minute or two."""
        start, days = (TRAIN_START_MS, 27) if training else (TEST_START_MS, 6)
        offset = below(self._draws.bits("start", sessions), days * 86_400)
        pause = below(self._draws.bits("pause", key), 60_000).cast(pl.Int64)
        return offset.cast(pl.Int64) * 1000 + positions.cast(pl.Int64) * 60_000 + pause + start

    @property
    def _draws(self) -> Draws:
        return Draws(self.seed)


def _unrolled(plans: pl.DataFrame) -> pl.DataFrame:
    """Unrolls plans into one row per event, numbered from 0 in its session."""
    positions = pl.int_ranges(0, pl.col("events"), dtype=pl.Int32)
    return plans.with_columns(position=positions).explode("position")


def _type() -> pl.Expr:
    """Chooses the type of an event: by the blocks of a buyer, otherwise at random."""
    position, cart_start = pl.col("position"), pl.col("order_start") - pl.col("block")
    in_carts = position.is_between(cart_start, pl.col("order_start"), closed="left")
    in_orders = position.is_between(pl.col("order_start"), pl.col("end"), closed="left")
    in_between = (position > 0) & (position < pl.col("events") - 1)
    carted = (pl.col("buys") & in_carts) | (pl.col("carts") & pl.col("carting") & in_between)
    ordered = pl.col("buys") & in_orders
    return pl.when(ordered).then(2).when(carted).then(1).otherwise(0).cast(pl.UInt8)


def _slot() -> pl.Expr:
    """Computes the position of a session in its row of slots: on its walk, or inside a block.

    A block begins half its length behind the front of the walk: half of the ordered items were seen
    before.
    """
    position, block = pl.col("position"), pl.col("block")
    cart_start = pl.col("order_start") - block
    first = (cart_start * 3 // 4 - (block + 1) // 2).clip(0)
    in_block = pl.col("buys") & position.is_between(cart_start, pl.col("end"), closed="left")
    walk = ((pl.col("clicked") + 1) * 3 // 4 - pl.col("back")).clip(0)
    return pl.when(in_block).then(first + (position - cart_start) % block).otherwise(walk)


def _key(sessions: pl.Series, places: pl.Series) -> pl.Series:
    """Packs a session and a position in it into one number (UInt64); no session has 1,024
    events."""
    return sessions.cast(pl.UInt64) * 1024 + places.cast(pl.UInt64)
