"""Starting points for the settings of a competition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from podium.add_ons import Later, contributed, require

_ONE_LIST: dict[str, Any] = {"objectives": {"items": 1}, "id_column": "user"}

_TWEETS: dict[str, Any] = {
    "task": "scores",
    "id_column": "user_id",
    "item_column": "tweet_id",
    "query_ids": "string",
    "item_ids": "string",
}

_IMPRESSIONS: dict[str, Any] = {
    "task": "rerank",
    "objectives": {"clicks": 1},
    "metric": "gauc",
    "diagnostics": ("mrr_all", "ndcg@5", "ndcg@10"),
    "labels_column": "score",
}

_SINGLE: dict[str, Any] = {"task": "scores", "item_column": ""}

_OWN: dict[str, Any] = {
    "task": "table",
    "metric": "own",
    "own_metric": {"version": 1},
    "metric_source_is_public": True,
    "split": "usage",
}
"""A table that a custom metric scores: the metric of the preset becomes the draft's first version.
Solutions of past competitions mark which rows are public."""


def _columns(*names: str, **same: Any) -> tuple[dict[str, Any], ...]:
    """Declares columns of a table that differ in their names only."""
    return tuple({"name": name, **same} for name in names)


_PROBABILITY: dict[str, Any] = {"minimum": 0, "maximum": 1, "sample": "0.5"}

_ENGAGEMENTS = ("reply", "retweet", "retweet_with_comment", "like")

_OURS: dict[str, dict[str, Any]] = {
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
        "item_column": "article_id",
        "labels_column": "prediction",
        "query_ids": "string",
        "item_ids": "string",
        # Its truth is transactions: customers buy an article again.
        "duplicates": "drop",
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
    # Columns are those of the organizers' sample files where these are lists of items by id.
    "expedia-hotels": {
        "objectives": {"clusters": 1},
        "metric": "map_capped@5",
        "id_column": "id",
        "labels_column": "hotel_cluster",
    },
    "santander-products": {
        "objectives": {"products": 1},
        "metric": "map_capped@7",
        "id_column": "ncodpers",
        "labels_column": "added_products",
        "item_ids": "string",
    },
    "million-song": {
        "objectives": {"songs": 1},
        "metric": "map_capped@500",
        "id_column": "user",
        "item_column": "song",
        "labels_column": "songs",
    },
    "polimi": {
        "objectives": {"items": 1},
        "metric": "map_capped@10",
        "id_column": "user_id",
        "item_column": "item_id",
        "labels_column": "item_list",
    },
    "movielens-leave-one-out": {
        **_ONE_LIST,
        "metric": "hit_rate@10",
        "diagnostics": ("ndcg@10",),
    },
    "movielens-als": {
        **_ONE_LIST,
        "metric": "map@10",
        "diagnostics": ("ndcg@10",),
    },
    "instacart": {
        "objectives": {"products": 1},
        "metric": "mean_f1",
        "id_column": "order_id",
        "item_column": "product_id",
        "labels_column": "products",
        "item_ids": "string",
    },
    "recsys-2022": {
        "objectives": {"purchases": 1},
        "metric": "mrr@100",
        "id_column": "session_id",
        "item_column": "item_id",
        "labels_column": "item_ids",
        # Submissions are `session_id,item_id,rank`.
        "forms": ("item-rows",),
    },
    "kdd-cup-2023": {
        "objectives": {"products": 1},
        "metric": "mrr@100",
        "id_column": "session",
        "item_column": "next_item",
        "labels_column": "next_item_prediction",
        "item_ids": "string",
    },
    "netflix-prize": {
        "task": "rating",
        "objectives": {"rating": 1},
        "metric": "rmse",
        "id_column": "customer_id",
        "item_column": "movie_id",
        "labels_column": "rating",
    },
    "yelp": {
        "task": "rating",
        "objectives": {"stars": 1},
        "metric": "rmse",
        "id_column": "user_id",
        "item_column": "business_id",
        "labels_column": "stars",
        "query_ids": "string",
        "item_ids": "string",
    },
    "recsys-2020": {
        **_TWEETS,
        "objectives": dict.fromkeys(("reply", "retweet", "retweet-with-comment", "like"), 0.25),
        "metric": "pr_auc",
        "diagnostics": ("rce",),
    },
    "recsys-2021": {
        **_TWEETS,
        "objectives": dict.fromkeys(("reply", "retweet", "quote", "like"), 0.25),
        "metric": "average_precision",
        "diagnostics": ("rce",),
        "group_column": "popularity",
    },
    "recsys-2023": {
        **_SINGLE,
        "objectives": {"installs": 1},
        "metric": "normalized_entropy",
        "diagnostics": ("log_loss",),
        "id_column": "RowId",
        "labels_column": "is_installed",
        # Submissions have the probabilities of clicks, too.
        "forms": ("separators", "extra-columns"),
    },
    "mind": {
        **_IMPRESSIONS,
        "id_column": "impression_id",
        "item_column": "news_id",
        "item_ids": "string",
    },
    "recsys-2024": {
        **_IMPRESSIONS,
        "id_column": "impression_id",
        "item_column": "article_id",
    },
    "kkbox-churn": {
        **_SINGLE,
        "objectives": {"churn": 1},
        "metric": "log_loss",
        "id_column": "msno",
        "labels_column": "is_churn",
        "query_ids": "string",
    },
    "kkbox-music": {
        **_SINGLE,
        "objectives": {"listening": 1},
        "metric": "auc",
        "id_column": "id",
        "labels_column": "target",
    },
    "criteo": {
        **_SINGLE,
        "objectives": {"clicks": 1},
        "metric": "log_loss",
        "id_column": "Id",
        "labels_column": "Predicted",
    },
    "avazu": {
        **_SINGLE,
        "objectives": {"clicks": 1},
        "metric": "log_loss",
        "id_column": "id",
        "labels_column": "click",
        "query_ids": "string",
    },
    "label-sets": {
        "task": "label-sets",
        "objectives": {"labels": 1},
        "metric": "f1_samples",
        "diagnostics": ("f1_micro", "f1_macro", "subset_accuracy"),
        "id_column": "id",
        "table_columns": _columns("labels", type="labels"),
    },
    "toxic-comments": {
        **_OWN,
        "objectives": {"toxicity": 1},
        "id_column": "id",
        "query_ids": "string",
        "table_columns": _columns(
            *("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"),
            **_PROBABILITY,
        ),
    },
    "diabetic-retinopathy": {
        **_OWN,
        "objectives": {"diagnosis": 1},
        "id_column": "id_code",
        "query_ids": "string",
        "table_columns": _columns("diagnosis", type="integer", minimum=0, maximum=4),
        "own_metric": {"version": 1, "arguments": {"grades": 5}},
    },
    "transparent-conductors": {
        **_OWN,
        "objectives": {"energies": 1},
        "metric": "own_error",
        "id_column": "id",
        "table_columns": _columns("formation_energy_ev_natom", "bandgap_energy_ev"),
    },
    "spooky-authors": {
        **_OWN,
        "objectives": {"author": 1},
        "metric": "own_error",
        "id_column": "id",
        "query_ids": "string",
        "table_columns": _columns("EAP", "HPL", "MWS", minimum=0, sample="0.5"),
    },
    "recsys-2020-table": {
        **_OWN,
        "objectives": {"engagement": 1},
        "diagnostics": (
            "own_rce",
            *(f"own_{kind}_{name}" for name in _ENGAGEMENTS for kind in ("prauc", "rce")),
        ),
        "id_column": "id",
        "table_columns": _columns(*_ENGAGEMENTS, **_PROBABILITY),
    },
    "recsys-2025": {
        **_OWN,
        "objectives": {"behavior": 1},
        "diagnostics": ("own_churn", "own_auroc", "own_novelty", "own_diversity"),
        "id_column": "client_id",
        "table_columns": _columns(*(f"e{number}" for number in range(16))),
        "own_metric": {"version": 1, "arguments": {"epochs": 200}, "seconds": 600},
    },
}


def _all() -> Mapping[str, Mapping[str, Any]]:
    for name, preset in contributed("presets").items():
        require("presets", name, isinstance(preset, Mapping), "is not a dictionary of settings")
    return {**_OURS, **contributed("presets")}


PRESETS: Mapping[str, Mapping[str, Any]] = Later(_all)
"""Starting points: the settings in which each preset, of ours or of an add-on, differs from the
defaults."""

if TYPE_CHECKING:
    PresetName = str
else:
    PresetName = Literal[tuple(PRESETS)]
