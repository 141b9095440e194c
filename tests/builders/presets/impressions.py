"""Competitions of reranked impressions in small, with the values that the scripts of MIND and of
EB-NeRD find."""

from __future__ import annotations

from math import log2

from tests.builders.presets.played import Played

_CLICKS = (
    # The impression, the candidate, whether it was clicked, and the split.
    (1, 0, 1, "Public"),
    (1, 1, 0, "Public"),
    (1, 2, 1, "Public"),
    (1, 3, 0, "Public"),
    (2, 0, 0, "Public"),
    (2, 4, 1, "Public"),
    (3, 1, 0, "Private"),
    (3, 2, 0, "Private"),
    (3, 5, 1, "Private"),
)


def _played(item: str, names: list[str]) -> Played:
    labels = [f"{one},{names[n]},{click},{usage}" for one, n, click, usage in _CLICKS]
    orders = {1: (0, 1, 2, 3), 2: (4, 0), 3: (1, 5, 2)}
    rows = [f"{one},{' '.join(names[n] for n in order)}" for one, order in orders.items()]
    numbers = [0.1, 0.3, 0.2, 0.4, 0.5, 0.5, 3, 2, 1]
    scores = [
        f"{one},{names[n]},{number}" for (one, n, *_), number in zip(_CLICKS, numbers, strict=True)
    ]
    # Clicks at the ranks 1 and 3 of four, and 1 of two; 2 of three.
    gains, ideal = 1 + 1 / log2(4), 1 + 1 / log2(3)
    ndcg = {"public": round((gains / ideal + 1) / 2, 5), "private": round(1 / log2(3), 5)}
    return Played(
        "\n".join([f"impression_id,{item},score,Usage", *labels, ""]),
        "\n".join(["impression_id,items", *rows, ""]),
        "\n".join([f"impression_id,{item},score", *scores, ""]),
        # 3 of 4 pairs of a click and another in order, and 1 of 1; then none of 4, and a tie.
        (0.875, 0.25),
        (0.5, 0.0),
        {
            # ((1 + 1/3) / 2 + 1) / 2
            "mrr_all": {"public": 0.83333, "private": 0.5},
            "ndcg@5": ndcg,
            "ndcg@10": ndcg,
        },
    )


IMPRESSIONS = {
    "mind": _played("news_id", ["N55689", "N35729", "N33632", "N49685", "N27581", "N1"]),
    "recsys-2024": _played(
        "article_id", ["9788125", "9788239", "9788352", "9788521", "9788666", "9784696"]
    ),
}
"""The competitions by their presets."""
