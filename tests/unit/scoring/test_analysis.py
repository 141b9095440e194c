"""Recall at several K and the ranks of hits, worked out by hand."""

from __future__ import annotations

import polars as pl
import pytest

from podium.scoring.analysis.candidates import rank_histogram, recalls
from podium.scoring.hits import Hits
from podium.scoring.splits import ALL
from podium.scoring.task import OTTO
from podium.scoring.truth.canonical import GroundTruth


@pytest.fixture
def hits() -> Hits:
    """Two sessions. Clicks: item 5, and item 1. Carts: 6, 7, 8 in the first session. Orders: 9."""
    frame = pl.DataFrame(
        {"query": [0, 1, 1, 1, 2, 3], "item": [5, 6, 7, 8, 9, 1], "split": [ALL] * 6},
        schema={"query": pl.UInt32, "item": pl.Int32, "split": pl.UInt8},
    )
    task = OTTO.scored_by("recall_capped@50:micro")
    # The first click at 1, carts at 2 and 21, the order at 50, the last click never.
    found = pl.DataFrame(
        {"label": [0, 1, 2, 4], "rank": [1, 2, 21, 50]},
        schema={"label": pl.UInt32, "rank": pl.UInt16},
    )
    return Hits.of(found, GroundTruth(frame, task, 2))


def test_recall_at_several_k_is_capped_plain_and_weighted(hits: Hits) -> None:
    two, fifty = recalls(hits, [2, 50], split=ALL)
    assert two["objectives"] == {
        "clicks": {"found": 1, "labels": 2, "queries": 2, "recall_capped": 0.5, "recall": 0.5},
        "carts": {"found": 1, "labels": 3, "queries": 1, "recall_capped": 0.5, "recall": 1 / 3},
        "orders": {"found": 0, "labels": 1, "queries": 1, "recall_capped": 0.0, "recall": 0.0},
    }
    assert two["k"] == 2
    assert two["recall_capped"] == pytest.approx(0.1 * 0.5 + 0.3 * 0.5)
    assert two["recall"] == pytest.approx(0.1 * 0.5 + 0.3 / 3)
    assert fifty["recall_capped"] == pytest.approx(0.1 * 0.5 + 0.3 * 2 / 3 + 0.6)
    assert fifty["objectives"]["carts"]["found"] == 2


def test_hits_are_counted_by_rank_as_far_as_lists_are_looked_at(hits: Hits) -> None:
    rows = rank_histogram(hits, split=ALL)
    assert [row["ranks"] for row in rows] == [
        "1",
        "2",
        "3",
        "4 to 5",
        "6 to 10",
        "11 to 20",
        "21 to 50",
    ]
    assert rows[0]["found"] == {"clicks": 1, "carts": 0, "orders": 0}
    assert rows[1]["found"] == {"clicks": 0, "carts": 1, "orders": 0}
    assert rows[6]["found"] == {"clicks": 0, "carts": 1, "orders": 1}
    assert sum(sum(row["found"].values()) for row in rows) == 4
