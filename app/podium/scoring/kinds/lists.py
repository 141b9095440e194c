"""Defines ranked lists: a list of items for each id, the best first."""

from __future__ import annotations

from podium.scoring.kinds.kind import ONLY_PAIRS, ONLY_TABLES, WITH_ITEMS, Kind
from podium.scoring.kinds.list_rows import LIST_ROWS

LISTS = Kind(
    key="ranking",
    engine="podium.scoring.engine.lists",
    title="Lists of items",
    choice="Ranking: a list of items for each id",
    plural="lists",
    first_metric="recall@20",
    usual_metrics=(
        "recall@20",
        "ndcg@10",
        "map_capped@12",
        "mrr@10",
        "hit_rate@10",
        "precision@10",
        "recall_capped@20:micro",
    ),
    form_metric="ndcg@10",
    difference=("list of labels differs", "lists of labels differ"),
    rules=(WITH_ITEMS, *ONLY_PAIRS, *ONLY_TABLES),
    row_hint="ROW_OF_LISTS",
    missing_hint="MISSING_LISTS",
    recognizer=LIST_ROWS,
    published="id",
    truth_rows="lists with labels",
    short_lines="Write one row per line, and fewer items: only the first {} count.",
    has_lists=True,
)
