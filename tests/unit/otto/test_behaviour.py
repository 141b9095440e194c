"""The behavior of the synthetic shop's sessions, compared with what is published about the real
one."""

from __future__ import annotations

import polars as pl
import pytest

from podium.otto.model import Model
from podium.otto.shape import FULL_ITEMS, TYPES

SESSIONS = 60_000
TRAIN_SESSIONS = 12_899_779
"""Training sessions of the real data; the catalogue is reduced in proportion, so that items are as
popular."""


@pytest.fixture(scope="module")
def events() -> pl.DataFrame:
    model = Model(42, FULL_ITEMS * SESSIONS // TRAIN_SESSIONS)
    return model.events(pl.int_range(SESSIONS, eager=True), training=True)


def share_after(events: pl.DataFrame, kind: str, earlier: str) -> float:
    """The share of the events of a type that are of an item with an earlier event of another."""
    code, other = TYPES.index(kind), TYPES.index(earlier)
    first = (
        events.filter(pl.col("type") == other)
        .group_by("session", "aid")
        .agg(first=pl.col("position").min())
    )
    told = events.filter(pl.col("type") == code)
    found = told.join(first, on=["session", "aid"]).filter(pl.col("first") < pl.col("position"))
    return found.height / told.height


def test_training_events_have_the_types_of_the_real_data(events: pl.DataFrame) -> None:
    counts = dict(events["type"].value_counts().iter_rows())
    shares = [counts[code] / events.height for code in range(3)]
    assert shares == pytest.approx([0.8985, 0.0780, 0.0235], abs=0.004)


def test_carts_follow_clicks_and_orders_follow_carts(events: pl.DataFrame) -> None:
    assert share_after(events, "carts", "clicks") > 0.7
    assert share_after(events, "orders", "carts") > 0.9


def test_items_are_clicked_again(events: pl.DataFrame) -> None:
    clicks = events.filter(pl.col("type") == 0)
    distinct = clicks.select("session", "aid").n_unique()
    assert 0.3 < 1 - distinct / clicks.height < 0.6


@pytest.mark.parametrize(("most", "published"), [(10, 0.381), (20, 0.679), (40, 0.913)])
def test_most_items_have_few_events_as_in_the_real_data(
    most: int, published: float, events: pl.DataFrame
) -> None:
    """The share of items with 5 to 56 events, which the published histogram shows."""
    counts = events["aid"].value_counts(name="events")["events"]
    shown = counts.filter(counts.is_between(5, 56))
    assert (shown <= most).sum() / len(shown) == pytest.approx(published, abs=0.1)
