"""One competition of each kind of task, and ranked lists of texts and of several objectives,
and competitions with names of any text."""

from __future__ import annotations

from tests.builders.wrong_files.odd_names import ODD_CONTESTS
from tests.builders.wrong_files.shape import Contest

CONTESTS = {
    "lists": Contest(
        {
            "task": "ranking",
            "objectives": {"items": 1},
            "metric": "recall@3",
            "id_column": "user",
            "labels_column": "labels",
            "submission_duplicates": "reject",
        },
        "user,item,Usage\n42,7,Public\n42,9,Public\n43,9,Private\n44,1234567,Private\n",
        "user,labels\n42,7 1 9\n43,1\n44,1234567 5\n",
    ),
    "text lists": Contest(
        {
            "task": "ranking",
            "objectives": {"items": 1},
            "metric": "ndcg@10",
            "id_column": "user",
            "labels_column": "labels",
            "query_ids": "string",
            "item_ids": "string",
        },
        "user,item,Usage\n007,0706,Public\n0080,b,Public\n12906577000001,0706,Private\n"
        "00x,b,Private\n",
        "user,labels\n007,0706 a\n0080,b\n12906577000001,a b\n00x,a\n",
    ),
    "objectives": Contest(
        {
            "task": "ranking",
            "objectives": {"clicks": 1, "orders": 2},
            "metric": "recall@3",
            "id_column": "session_type",
            "labels_column": "labels",
        },
        "session_type,labels,Usage\n1_clicks,5,Public\n1_orders,5 6,Public\n2_clicks,5,Private\n"
        "2_orders,7,Private\n",
        "session_type,labels\n1_clicks,5\n1_orders,6\n2_clicks,5\n2_orders,7\n",
    ),
    "rating": Contest(
        {
            "task": "rating",
            "objectives": {"rating": 1},
            "metric": "rmse",
            "id_column": "user",
            "item_column": "item",
            "labels_column": "rating",
        },
        "user,item,rating,Usage\n1,7,4,Public\n1,8,3,Public\n2,7,5,Private\n2,8,1,Private\n",
        "user,item,rating\n1,7,4\n1,8,3.5\n2,7,5\n2,8,1\n",
    ),
    "scores": Contest(
        {
            "task": "scores",
            "objectives": {"click": 1},
            "metric": "log_loss",
            "id_column": "user",
            "item_column": "item",
            "labels_column": "click",
            "item_ids": "string",
        },
        "user,item,click,Usage\n1,007,0,Public\n1,x,1,Public\n2,007,0,Private\n2,x,1,Private\n",
        "user,item,click\n1,007,0.1\n1,x,0.9\n2,007,0.5\n2,x,1\n",
    ),
    "rerank": Contest(
        {
            "task": "rerank",
            "objectives": {"click": 1},
            "metric": "ndcg@5",
            "id_column": "impression",
            "item_column": "news",
            "labels_column": "score",
            "query_ids": "string",
        },
        "impression,news,score,Usage\n01,7,0,Public\n01,8,1,Public\n02,7,0,Private\n"
        "02,8,1,Private\n",
        "impression,news,score\n01,7,0.5\n01,8,2\n02,7,1e-3\n02,8,-1\n",
    ),
    "table": Contest(
        {
            "task": "table",
            "id_column": "id",
            "query_ids": "string",
            "table_columns": [
                {"name": "price", "minimum": 0, "maximum": 1000},
                {"name": "rooms", "type": "integer"},
                {"name": "kind", "type": "category", "values": ["flat", "house"]},
                {"name": "sold", "type": "boolean", "is_optional": True},
            ],
            "objectives": {"price": {"weight": 1, "metric": "rmse"}},
            "metric": "rmse",
        },
        "id,price,Usage\n007,10,Public\n42,20,Public\n12906577000001,30,Private\n1000,40,Private\n",
        "id,price,rooms,kind,sold\n007,10,1,flat,true\n42,20,2,house,\n"
        "12906577000001,30,3,flat,false\n1000,40,4,flat,1\n",
    ),
    "label sets": Contest(
        {
            "task": "label-sets",
            "id_column": "film",
            "query_ids": "string",
            "table_columns": [
                {"name": "genres", "type": "labels", "values": ["drama", "comedy", "film-noir"]}
            ],
            "objectives": {"genres": {"weight": 1, "metric": "f1_samples"}},
            "metric": "f1_samples",
        },
        "film,genres,Usage\n007,drama,Public\n42,comedy drama,Public\n43,film-noir,Private\n"
        "1000,comedy,Private\n",
        "film,genres\n007,drama comedy\n42,\n43,film-noir\n1000,comedy\n",
    ),
    **ODD_CONTESTS,
}


def with_first(contest: str, *rows: str) -> str:
    """The good file of a contest with these rows in place of its first one."""
    header, _, *rest = CONTESTS[contest].good.splitlines()
    return "\n".join([header, *rows, *rest, ""])
