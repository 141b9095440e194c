"""Starting points for the settings of a competition."""

from __future__ import annotations

from typing import Any, Literal

_ONE_LIST: dict[str, Any] = {"objectives": {"items": 1}, "id_column": "user"}

PRESETS: dict[str, dict[str, Any]] = {
    "otto": {},
    "otto-clicks": {
        "objectives": {"clicks": 1},
        "metric": "recall@20",
        "diagnostics": ("mrr@20",),
        "id_column": "session",
    },
    "map@12": {**_ONE_LIST, "metric": "map@12"},
    "h-and-m": {
        "objectives": {"articles": 1},
        "metric": "map_capped@12",
        "id_column": "customer_id",
        "labels_column": "prediction",
        "query_ids": "string",
        "item_ids": "string",
    },
    "ndcg@10": {**_ONE_LIST, "metric": "ndcg@10"},
    "rmse": {
        "task": "rating",
        "objectives": {"rating": 1},
        "metric": "rmse",
        "diagnostics": ("mae",),
        "id_column": "user",
        "labels_column": "rating",
    },
}
"""Starting points: what each preset sets differently from the defaults."""

PresetName = Literal["otto", "otto-clicks", "map@12", "h-and-m", "ndcg@10", "rmse"]
