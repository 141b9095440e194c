"""Models the items of a synthetic shop: groups of items that go together, and their popularity.

A low rank means a popular item; its aid does not reveal the rank, as in the real data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import polars as pl

from podium.otto.draws import Draws, reused, unit

GROUP_ITEMS = 24
"""Items of a group, one of them the favorite."""

HEAD = 0.02
"""Share of the groups that are popular; beyond it popularity falls with the square of the rank."""

STRAY_PERCENT = 25
"""The share of a session's slots, in percent, that hold an item of any group instead of the
session's own."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Items 0 … items-1, each in one group."""

    seed: int
    items: int

    def aids(self, slots: pl.Series, turns: pl.Series) -> pl.Series:
        """Chooses the item in each slot (Int32). Equal slot keys hold equal items; slots with the
        same turn key mostly hold items of the same group."""
        draws = Draws(self.seed)
        slot_bits = draws.bits("item", slots)
        stray_bits = draws.bits("stray", slots)
        own, other = self._groups(draws.bits("group", turns)), self._groups(stray_bits)
        strays = reused(stray_bits) // (1 << 32) % 100 < STRAY_PERCENT
        # The first members of a group are chosen more often; aids are spread over the catalog.
        chance = unit(slot_bits)
        member = (chance * chance * GROUP_ITEMS).floor().cast(pl.UInt64)
        rank = (member * self._group_count + other.zip_with(strays, own)) % self.items
        return (rank * self.stride % self.items).cast(pl.Int32)

    def _groups(self, bits: pl.Series) -> pl.Series:
        chance = unit(bits)
        group = chance * HEAD / ((1 + HEAD) - chance) * self._group_count
        return group.floor().cast(pl.UInt64)

    @property
    def _group_count(self) -> int:
        return -(-self.items // GROUP_ITEMS)

    @property
    def stride(self) -> int:
        """Shares no divisor with the size of the catalog: multiplying by it permutes the aids."""
        step = max(1, round(self.items * 0.381966))
        while math.gcd(step, self.items) != 1:
            step += 1
        return step
