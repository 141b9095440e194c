"""The pages of reciprocal rank and of average precision in its two normalizations."""

from __future__ import annotations

from podium.scoring.metrics.about.description import (
    BELOW_1,
    MEAN,
    OF_CANDIDATES,
    OF_HITS,
    OF_MEAN,
    UP_TO_1,
    AboutMetric,
    cases_of_lists,
)
from podium.scoring.metrics.about.examples import example_of_lists

FAMILY = "Ranks of hits"

RECIPROCAL_RANK = AboutMetric(
    key="mrr",
    family=FAMILY,
    title="Mean reciprocal rank (MRR@K)",
    tex=r"\frac{1}{\min \{ i \le K : h_i = 1 \}}",
    symbols=f"{OF_HITS} Without a hit the value is 0.",
    definition=(
        "One divided by the rank of the first hit, averaged over queries. Hits after the first"
        " change nothing. Take it where one item is sought: the next purchase of a session, or an"
        " answer."
    ),
    example=example_of_lists(
        "mrr@5",
        ([9, 2, 1], {1: 1, 2: 1}),
        ([7, 8, 9, 4], {4: 1}),
        steps=(
            "Query 1: the first hit is item 2 at rank 2: 1/2.",
            "Query 2: the first hit stands at rank 4: 1/4.",
            "The mean: (1/2 + 1/4) / 2 = 0.375",
        ),
        value=0.375,
    ),
    cases=(
        *cases_of_lists(
            short="lose nothing but the chance of a hit.",
            many="make it easier, as the first hit alone counts.",
        ),
        OF_CANDIDATES,
    ),
    average=MEAN,
    value_range=UP_TO_1,
    standard_error=OF_MEAN,
    used_by=(
        "RecSys Challenge 2022 (Dressipi): K = 100, one purchased item a session",
        "KDD Cup 2023 (Amazon-M2), next product: K = 100",
    ),
    elsewhere=(
        ("trec_eval", "recip_rank (without a cut)"),
        ("ir_measures", "RR@K"),
        ("ranx", "mrr@K"),
        ("RecTools", "MRR(k)"),
        ("RecBole", "MRR"),
        ("torchmetrics", "RetrievalMRR(top_k)"),
    ),
    relatives=(
        (
            "The “MRR” of MIND and EB-NeRD",
            "is the mean of 1 / rank over all relevant items, not the first hit only. With one"
            " relevant item both are equal.",
        ),
        ("map", "looks at every hit; with one relevant item it equals MRR."),
    ),
)

_SUM = "Hits at ranks 1 and 3: precision 1/1 and 2/3, together 1.66667."

AVERAGE_PRECISION = AboutMetric(
    key="map",
    family=FAMILY,
    title="Mean average precision over all relevant items (MAP@K)",
    tex=r"\frac{1}{m} \sum_{i=1}^{K} h_i \cdot P_i",
    symbols=f"{OF_HITS} Pᵢ is the share of hits among the first i items.",
    definition=(
        "At each hit, the precision of the list up to there; their sum is divided by the number of"
        " relevant items. Hits count more the higher they stand, and every missed item costs. It"
        " is the MAP of information retrieval. map without K looks at the whole list, up to 1,000"
        " items."
    ),
    example=example_of_lists(
        "map@3",
        ([1, 9, 2], {1: 1, 2: 1, 3: 1, 4: 1}),
        steps=(_SUM, "Divided by the 4 relevant items: 1.66667 / 4 = 0.41667"),
        value=0.41667,
    ),
    cases=(
        *cases_of_lists(
            short="are divided by all relevant items, never by the length of the list.",
            many="keep a perfect list below 1; with 4 labels and K = 3 it reaches 0.75.",
        ),
        OF_CANDIDATES,
    ),
    average=MEAN,
    value_range=BELOW_1.format(why="Where a query has more than K labels"),
    standard_error=OF_MEAN,
    used_by=("TREC", "Papers that evaluate with trec_eval, ranx or RecTools"),
    elsewhere=(
        ("trec_eval", "map_cut_K; map without K"),
        ("ir_measures", "AP@K; AP without K"),
        ("ranx", "map@K; map without K"),
        ("RecTools", "MAP(k); MAP(k, divide_by_k=True) divides by K instead"),
        ("Microsoft Recommenders", "map, on lists cut to K"),
    ),
    relatives=(
        ("map_capped", "divides by min(K, relevant items), as Kaggle does."),
        (
            "torchmetrics' RetrievalMAP(top_k)",
            "divides by the hits among the first K, so that missed items cost nothing.",
        ),
        ("scikit-learn's average_precision_score", "is the area under a precision-recall curve."),
    ),
)

AVERAGE_PRECISION_CAPPED = AboutMetric(
    key="map_capped",
    family=FAMILY,
    title="Capped mean average precision (MAP@K)",
    tex=r"\frac{1}{\min(m, K)} \sum_{i=1}^{K} h_i \cdot P_i",
    symbols=f"{OF_HITS} Pᵢ is the share of hits among the first i items.",
    definition=(
        "At each hit, the precision of the list up to there; their sum is divided by the number of"
        " relevant items, or by K if there are more. A perfect list reaches 1 however many labels"
        " its query has. It is what Kaggle calls MAP@K."
    ),
    example=example_of_lists(
        "map_capped@3",
        ([1, 9, 2], {1: 1, 2: 1, 3: 1, 4: 1}),
        steps=(_SUM, "Divided by min(4, 3) = 3: 1.66667 / 3 = 0.55556"),
        value=0.55556,
    ),
    cases=cases_of_lists(
        short="are divided by min(K, relevant items), never by the length of the list.",
        many="are divided by K, so that K hits in the first K places are 1.",
    ),
    average=(
        f"{MEAN} Some Kaggle competitions also count queries without labels, with 0: their numbers"
        " are smaller by the same factor for everyone, and the ranking is the same."
    ),
    value_range=UP_TO_1,
    standard_error=OF_MEAN,
    used_by=(
        "H&M (2022): K = 12",
        "Expedia Hotel Recommendations (2016): K = 5, one label",
        "Santander Product Recommendation (2016): K = 7",
        "Million Song Challenge (2012): K = 500",
    ),
    elsewhere=(
        ("ml_metrics", "mapk"),
        ("implicit", "mean_average_precision_at_k"),
        ("RecBole", "MAP"),
        ("Microsoft Recommenders", "map_at_k"),
    ),
    relatives=(
        ("map", "divides by all relevant items, also where they are more than K."),
        ("ndcg", "discounts by the logarithm of the rank, and knows graded relevance."),
    ),
)

PAGES = (RECIPROCAL_RANK, AVERAGE_PRECISION, AVERAGE_PRECISION_CAPPED)
