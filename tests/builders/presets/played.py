"""Competitions in small, one for each preset that is named after one, with scores worked out by
hand from the organizers' formulas."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2


@dataclass(frozen=True)
class Played:
    """A ground truth, a file that does better and one that does worse, and what both score."""

    truth: str
    better: str
    worse: str
    public: tuple[float, float]
    private: tuple[float, float]
    diagnostics: dict[str, dict[str, float]]


def others(count: int) -> str:
    """So many items that no truth has."""
    return " ".join(str(item) for item in range(1000, 1000 + count))


COMPETITIONS = {
    "expedia-hotels": Played(
        "id,hotel_cluster,Usage\n0,91,Public\n1,5,Public\n2,48,Private\n",
        "id,hotel_cluster\n0,1 91\n1,5\n2,1 2 48\n",
        "id,hotel_cluster\n0,1 2 3 4 6 91\n1,5\n2,9\n",
        # One label: 1 / its rank. (1/2 + 1) / 2; the sixth place does not count, (0 + 1) / 2.
        (0.75, 0.5),
        (0.33333, 0.0),
        {},
    ),
    "santander-products": Played(
        "ncodpers,added_products,Usage\n15889,ind_cco_fin_ult1 ind_recibo_ult1,Public\n"
        "15890,,Public\n15892,ind_nomina_ult1,Private\n",
        "ncodpers,added_products\n15889,ind_cco_fin_ult1 ind_ctma_fin_ult1 ind_recibo_ult1\n"
        "15890,ind_cco_fin_ult1\n15892,ind_nomina_ult1\n",
        "ncodpers,added_products\n15889,ind_ctma_fin_ult1 ind_recibo_ult1\n"
        "15890,ind_cco_fin_ult1\n15892,ind_viv_fin_ult1 ind_nomina_ult1\n",
        # (1 + 2/3) / min(2, 7), and (1/2) / 2; who added nothing is not counted.
        (0.83333, 0.25),
        (1.0, 0.5),
        {},
    ),
    "million-song": Played(
        "user,songs,Usage\n1,1 2 3,Public\n2,7,Private\n",
        "user,songs\n1,1 9 2\n2,7\n",
        f"user,songs\n1,9 1\n2,{others(499)} 7\n",
        # (1 + 2/3) / 3, and (1/2) / 3; the 500th place counts, 1/500.
        (0.55556, 0.16667),
        (1.0, 0.002),
        {},
    ),
    "polimi": Played(
        "user_id,item_list,Usage\n1,1 2 3 4 5 6 7 8 9 10 11 12,Public\n2,7,Private\n",
        "user_id,item_list\n1,1 2 3 4 5 6 7 8 9 10\n2,8 7\n",
        "user_id,item_list\n1,20 1\n2,9 8 7\n",
        # Twelve labels are divided by min(12, 10): 10/10, and (1/2) / 10.
        (1.0, 0.05),
        (0.5, 0.33333),
        {},
    ),
    "movielens-leave-one-out": Played(
        "user,labels,Usage\n1,5,Public\n2,6,Public\n3,7,Private\n",
        "user,labels\n1,5\n2,9 6\n3,1 2 7\n",
        f"user,labels\n1,5\n2,9 8\n3,{others(10)} 7\n",
        (1.0, 0.5),
        (1.0, 0.0),
        # 1 / log2(rank + 1) of the only label: (1 + 1/log2(3)) / 2, and 1/log2(4).
        {"ndcg@10": {"public": round((1 + 1 / log2(3)) / 2, 5), "private": 0.5}},
    ),
    "movielens-als": Played(
        "user,labels,Usage\n1,1 2 3,Public\n2,5,Public\n3,1 2 3 4 5 6 7 8 9 10 11 12,Private\n",
        "user,labels\n1,1 9 2\n2,5\n3,1 2 3 4 5 6 7 8 9 10\n",
        "user,labels\n1,9 1\n2,8 5\n3,20 1\n",
        # ((1 + 2/3) / 3 + 1) / 2, and (1/6 + 1/2) / 2; all twelve labels count: 10/12, 1/24.
        (0.77778, 0.33333),
        (0.83333, 0.04167),
        {"ndcg@10": {"public": round((1.5 / (1.5 + 1 / log2(3)) + 1) / 2, 5), "private": 1.0}},
    ),
    "instacart": Played(
        "order_id,products,Usage\n17,1 2,Public\n34,None,Public\n137,1 2 3,Private\n",
        "order_id,products\n17,1 2\n34,None 9\n137,1 2\n",
        "order_id,products\n17,8 1\n34,\n137,9 3\n",
        # (1 + 2/3) / 2, and (2/4 + 0) / 2, as an empty list says nothing; 4/5 and 2/5.
        (0.83333, 0.25),
        (0.8, 0.4),
        {},
    ),
    "recsys-2022": Played(
        "session_id,item_ids,Usage\n3,17,Public\n4,18,Private\n",
        "session_id,item_ids\n3,9 17\n4,18\n",
        f"session_id,item_ids\n3,{others(99)} 17\n4,{others(100)} 18\n",
        # The 100th place counts, the 101st does not.
        (0.5, 0.01),
        (1.0, 0.0),
        {},
    ),
    "kdd-cup-2023": Played(
        "session,next_item_prediction,Usage\n0,B09W9FND7K,Public\n1,B09JSPLN1M,Private\n",
        "session,next_item_prediction\n0,B0A B09W9FND7K\n1,B09JSPLN1M\n",
        "session,next_item_prediction\n0,B0A B0B B0C B09W9FND7K\n1,B0A B0B B0C B0D B09JSPLN1M\n",
        (0.5, 0.25),
        (1.0, 0.2),
        {},
    ),
    "netflix-prize": Played(
        "customer_id,movie_id,rating,Usage\n1,8,4,Public\n1,9,2,Public\n2,8,5,Private\n",
        "customer_id,movie_id,rating\n1,8,4\n1,9,3\n2,8,4\n",
        "customer_id,movie_id,rating\n1,8,1\n1,9,2\n2,8,1\n",
        # √((0 + 1) / 2), and √((9 + 0) / 2).
        (0.70711, 2.12132),
        (1.0, 4.0),
        {},
    ),
    "yelp": Played(
        "user_id,business_id,stars,Usage\nu1,b1,5,Public\nu2,b1,1,Private\n",
        "user_id,business_id,stars\nu1,b1,4\nu2,b1,1.5\n",
        "user_id,business_id,stars\nu1,b1,2\nu2,b1,4\n",
        (1.0, 3.0),
        (0.5, 3.0),
        {},
    ),
}
"""The competitions by their presets."""
