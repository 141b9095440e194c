"""The pages of precision, recall in its variants, and hit rate."""

from __future__ import annotations

from podium.scoring.metrics.about.description import (
    BELOW_1,
    MEAN_OR_RATIO,
    OF_CANDIDATES,
    OF_HITS,
    OF_RATIO,
    UP_TO_1,
    AboutMetric,
    cases_of_lists,
)
from podium.scoring.metrics.about.examples import example_of_lists

FAMILY = "Hits in the list"

PRECISION = AboutMetric(
    key="precision",
    family=FAMILY,
    title="Precision (Precision@K)",
    tex=r"\frac{1}{K} \sum_{i=1}^{K} h_i",
    symbols=OF_HITS,
    definition=(
        "The share of the first K places that hold a relevant item. The order within these places"
        " does not matter. Take it where each place costs the same, such as the slots of a mail;"
        " where most queries have fewer than K relevant items, it is small for everyone."
    ),
    example=example_of_lists(
        "precision@5",
        ([1, 9, 2], {1: 1, 2: 1, 3: 1}),
        steps=("Items 1 and 2 are hits: 2.", "The list is divided by K, 5: 2 / 5 = 0.4"),
        value=0.4,
    ),
    cases=cases_of_lists(
        short="are divided by K all the same, as if misses followed.",
        many="do no harm, as K hits are a precision of 1.",
    ),
    average=MEAN_OR_RATIO,
    value_range=BELOW_1.format(why="Where a query has fewer than K labels"),
    standard_error=OF_RATIO,
    used_by=("TREC", "Courses and papers, mostly beside recall"),
    elsewhere=(
        ("trec_eval", "P_K"),
        ("ir_measures", "P@K"),
        ("ranx", "precision@K"),
        ("RecTools", "Precision(k)"),
        ("RecBole", "Precision"),
        ("Microsoft Recommenders", "precision_at_k"),
        ("torchmetrics", "RetrievalPrecision(top_k), with adaptive_k=False, the default"),
    ),
    relatives=(
        ("recall", "divides the same hits by the number of relevant items."),
        (
            "implicit's precision",
            "divides by min(K, relevant items), summed over all users: that is"
            " recall_capped@K:micro.",
        ),
        ("map", "rewards hits that stand higher."),
    ),
)

RECALL = AboutMetric(
    key="recall",
    family=FAMILY,
    title="Recall (Recall@K)",
    tex=r"\frac{1}{m} \sum_{i=1}^{K} h_i",
    symbols=OF_HITS,
    definition=(
        "The share of the relevant items that is among the first K. The order within these places"
        " does not matter. Take it where the list feeds a second stage that ranks anew, or where"
        " nothing relevant should be missed."
    ),
    example=example_of_lists(
        "recall@2",
        ([1, 2, 3], {1: 1, 2: 1, 3: 1, 4: 1}),
        steps=(
            "Only the first 2 places count: items 1 and 2 are hits, item 3 comes too late.",
            "Divided by all 4 relevant items: 2 / 4 = 0.5",
        ),
        value=0.5,
    ),
    cases=cases_of_lists(
        short="lose nothing but the chance of further hits.",
        many="keep a perfect list below 1; with 4 labels and K = 2 it reaches 0.5.",
    ),
    average=MEAN_OR_RATIO,
    value_range=BELOW_1.format(why="Where a query has more than K labels"),
    standard_error=OF_RATIO,
    used_by=("Papers on session-based recommendation", "Evaluations of candidate generation"),
    elsewhere=(
        ("trec_eval", "recall_K"),
        ("ir_measures", "R@K"),
        ("ranx", "recall@K"),
        ("RecTools", "Recall(k)"),
        ("RecBole", "Recall"),
        ("Microsoft Recommenders", "recall_at_k"),
        ("torchmetrics", "RetrievalRecall(top_k)"),
    ),
    relatives=(
        ("recall_capped", "divides by K where a query has more than K labels."),
        ("hit_rate", "asks for one hit only; with one label a query both are equal."),
        ("precision", "divides the same hits by K."),
    ),
)

RECALL_CAPPED = AboutMetric(
    key="recall_capped",
    family=FAMILY,
    title="Capped recall (Recall@K of OTTO)",
    tex=r"\frac{1}{\min(m, K)} \sum_{i=1}^{K} h_i",
    symbols=OF_HITS,
    definition=(
        "Recall whose divisor is at most K, so that a perfect list reaches 1 however many labels"
        " its query has. OTTO sums hits and divisors over all sessions before it divides, which is"
        " the micro average; BEIR's R_cap is the mean over queries, which is macro. The two are"
        " different numbers."
    ),
    example=example_of_lists(
        "recall_capped@2:micro",
        ([1, 9], {1: 1, 2: 1, 3: 1, 4: 1}),
        ([8], {5: 1}),
        steps=(
            "Query 1: 1 hit, divisor min(4, 2) = 2. Query 2: no hit, divisor min(1, 2) = 1.",
            "The mean of 1/2 and 0/1 would be the macro average, 0.25.",
            "micro sums first: (1 + 0) / (2 + 1) = 0.33333",
        ),
        value=0.33333,
    ),
    cases=cases_of_lists(
        short="lose nothing but the chance of further hits.",
        many="are divided by K, so that K hits are a recall of 1.",
    ),
    average=MEAN_OR_RATIO,
    value_range=UP_TO_1,
    standard_error=OF_RATIO,
    used_by=("OTTO (2022): micro, K = 20, of clicks, carts and orders", "BEIR: macro"),
    elsewhere=(
        ("BEIR", "R_cap@K (macro)"),
        ("implicit", "ranking_metrics_at_k()['precision'] (micro)"),
    ),
    relatives=(
        ("recall", "divides by all relevant items, also where they are more than K."),
        ("precision", "divides by K, also where there are fewer relevant items."),
    ),
)

HIT_RATE = AboutMetric(
    key="hit_rate",
    family=FAMILY,
    title="Hit rate (HR@K, Success@K)",
    tex=r"\max_{1 \le i \le K} h_i",
    symbols=OF_HITS,
    definition=(
        "The share of queries with at least one hit among the first K items. It is the usual"
        " metric of leave-one-out, where each user has one hidden item and it equals recall."
    ),
    example=example_of_lists(
        "hit_rate@3",
        ([9, 1, 2], {1: 1, 2: 1}),
        ([7, 8, 9], {5: 1}),
        steps=("Query 1 has a hit: 1. Query 2 has none: 0.", "The mean: (1 + 0) / 2 = 0.5"),
        value=0.5,
    ),
    cases=(
        *cases_of_lists(
            short="lose nothing but the chance of a hit.",
            many="make it easier, as one hit is enough.",
        ),
        OF_CANDIDATES,
    ),
    average=(
        "macro: the share of queries with a hit among those that have labels. micro is the same"
        " number here, as every query is divided by 1."
    ),
    value_range=UP_TO_1,
    standard_error=OF_RATIO,
    used_by=(
        "MovieLens with leave-one-out, in textbooks and papers (HR@10)",
        "EvalRS 2022, beside other metrics",
    ),
    elsewhere=(
        ("trec_eval", "success_K"),
        ("ir_measures", "Success@K"),
        ("ranx", "hit_rate@K"),
        ("RecTools", "HitRate(k)"),
        ("RecBole", "Hit"),
        ("torchmetrics", "RetrievalHitRate(top_k)"),
    ),
    relatives=(
        ("recall", "counts how many of the relevant items were found."),
        ("ranx's hits", "is the number of hits, not whether there is one."),
        (
            "Hit rate among sampled candidates",
            "as in many papers ranks the hidden item among 99 random others. It is inconsistent"
            " (Krichene & Rendle 2020): it can order methods differently from all items.",
        ),
    ),
)

PAGES = (PRECISION, RECALL, RECALL_CAPPED, HIT_RATE)
