"""The pages of metrics that look at the size of both sets: F1 in two forms, R-precision, and
precision of answers."""

from __future__ import annotations

from podium.scoring.metrics.about.description import (
    BELOW_1,
    MEAN,
    MEAN_OR_RATIO,
    OF_HITS,
    OF_MEAN,
    OF_RATIO,
    AboutMetric,
    Case,
    cases_of_lists,
)
from podium.scoring.metrics.about.examples import example_of_lists

FAMILY = "Hits and sizes"

F1 = AboutMetric(
    key="f1",
    family=FAMILY,
    title="F1 of the first K items (F1@K)",
    tex=r"\frac{2 P R}{P + R} = \frac{2 \sum_{i=1}^{K} h_i}{K + m}",
    symbols=f"{OF_HITS} P is precision, the hits divided by K; R is recall, the hits divided by m.",
    definition=(
        "The harmonic mean of precision@K and recall@K: high only where both are. The order within"
        " the first K does not matter. Take it where all lists have K places; where people choose"
        " how many items they answer, take mean_f1."
    ),
    example=example_of_lists(
        "f1@4",
        ([1, 9, 2], {1: 1, 2: 1}),
        steps=(
            "Items 1 and 2 are hits: P = 2/4, as K is 4, and R = 2/2.",
            "2 · 0.5 · 1 / (0.5 + 1) = 2 · 2 / (4 + 2) = 0.66667",
        ),
        value=0.66667,
    ),
    cases=cases_of_lists(
        short="are divided by K all the same, as if misses followed.",
        many="cost recall, and keep a perfect list below 1.",
    ),
    average=MEAN_OR_RATIO,
    value_range=BELOW_1.format(why="Unless a query has exactly K labels"),
    standard_error=OF_RATIO,
    used_by=("Papers and courses on top-N recommendation, beside precision and recall",),
    elsewhere=(
        ("scikit-learn", "f1_score, of items in the first K and relevant items as labels"),
        ("ranx", "f1@K"),
        ("RecTools", "F1Beta(k, beta=1)"),
    ),
    relatives=(
        ("mean_f1", "divides by the length of the list instead of K."),
        (
            "F1 of the mean precision and the mean recall",
            "is another number than the mean of F1; micro, of micro averages, is both.",
        ),
    ),
)

_WHOLE: tuple[Case, ...] = (
    ("An item twice in a list", "only the first counts; the second takes up a place."),
    ("Ties", "there are none, as the order of the list is the rank."),
    ("A query without labels", "is left out of the average; the report says how many."),
)

MEAN_F1 = AboutMetric(
    key="mean_f1",
    family=FAMILY,
    title="Mean F1 of whole lists (mean F1)",
    tex=r"\frac{2 \sum_{i=1}^{n} h_i}{n + m}",
    symbols=f"{OF_HITS} n is the number of items in the list.",
    definition=(
        "The F1 of two sets, the list and the relevant items: each item too many and each one too"
        " few costs the same. There is no K, so how much to answer is part of the task, as in"
        " predicting a basket. The order does not matter."
    ),
    example=example_of_lists(
        "mean_f1",
        ([1, 8, 9], {1: 1, 2: 1}),
        ([5], {5: 1}),
        steps=(
            "Query 1: 1 hit, 3 items, 2 labels: 2 · 1 / (3 + 2) = 0.4.",
            "Query 2: 1 hit, 1 item, 1 label: 2 · 1 / (1 + 1) = 1.",
            "The mean: (0.4 + 1) / 2 = 0.7",
        ),
        value=0.7,
    ),
    cases=(
        ("Nothing to predict", "needs an item of its own in both files: Instacart's None."),
        ("None beside other items", "counts as one item of the list."),
        ("Empty list, or a missing row that is allowed", "scores 0, and the query counts."),
        ("No hit", "scores 0."),
        ("More than 1,000 items", "the first 1,000 count."),
        *_WHOLE,
    ),
    average=MEAN,
    value_range="0 to 1; higher is better. A list of exactly the relevant items has 1.",
    standard_error=OF_MEAN,
    used_by=("Instacart Market Basket Analysis (Kaggle, 2017)",),
    elsewhere=(
        ("scikit-learn", "f1_score(average='samples'), of item indicators"),
        ("Kaggle", "Mean F1-Score"),
    ),
    relatives=(
        ("f1", "looks at the first K items and divides by K, however short the list."),
        ("The F1 of all baskets together", "is not the mean: large baskets would weigh more."),
    ),
)

R_PRECISION = AboutMetric(
    key="r_precision",
    family=FAMILY,
    title="R-precision",
    tex=r"\frac{1}{m} \sum_{i=1}^{m} h_i",
    symbols=OF_HITS,
    definition=(
        "Precision among as many first items as there are relevant ones, where precision and recall"
        " are the same number. Each query has a cut of its own, so queries with few and many labels"
        " are comparable."
    ),
    example=example_of_lists(
        "r_precision",
        ([1, 8, 9, 2], {1: 1, 2: 1, 3: 1}),
        steps=(
            "3 relevant items, so the first 3 places count; item 2 at rank 4 comes too late.",
            "1 hit of 3: 1 / 3 = 0.33333",
        ),
        value=0.33333,
    ),
    cases=(
        ("Empty list, or a missing row that is allowed", "scores 0, and the query counts."),
        ("No hit among the first m", "scores 0."),
        ("Fewer than m items", "are divided by m all the same."),
        ("More than m items", "are not looked at beyond rank m."),
        ("More than 1,000 labels", "keep a perfect list below 1, as 1,000 items are read."),
        *_WHOLE,
    ),
    average=MEAN_OR_RATIO,
    value_range="0 to 1; higher is better. The relevant items alone, in any order, have 1.",
    standard_error=OF_RATIO,
    used_by=("TREC", "RecSys Challenge 2018 (Spotify playlists), with artists counted in part"),
    elsewhere=(
        ("trec_eval", "Rprec"),
        ("ir_measures", "Rprec"),
        ("ranx", "r-precision"),
        ("torchmetrics", "RetrievalRPrecision"),
    ),
    relatives=(
        ("precision", "has the same K for all queries."),
        ("recall_capped", "cuts at K, and divides by m where that is smaller."),
    ),
)

PRECISION_ANSWERED = AboutMetric(
    key="precision_answered",
    family=FAMILY,
    title="Precision of answers",
    tex=r"\frac{1}{\min(n, K)} \sum_{i=1}^{K} h_i",
    symbols=f"{OF_HITS} n is the number of items in the list.",
    definition=(
        "The share of hits among the items that were answered, up to K. Unlike precision it does"
        " not punish short lists, so one sure item per query wins: take it as a diagnostic, or"
        " where the length is bounded from below by the rules."
    ),
    example=example_of_lists(
        "precision_answered@5",
        ([1, 9], {1: 1, 2: 1}),
        steps=("Item 1 is a hit; 2 items were answered, fewer than 5.", "1 / min(2, 5) = 0.5"),
        value=0.5,
    ),
    cases=cases_of_lists(
        short="are divided by their number, not by K.",
        many="do no harm, as hits alone are a precision of 1.",
    ),
    average=MEAN,
    value_range=(
        "0 to 1; higher is better. A list of relevant items alone has 1, however many it misses."
    ),
    standard_error=OF_MEAN,
    used_by=("TREC's tracks that score sets", "Libraries whose precision divides by the length"),
    elsewhere=(
        ("trec_eval", "set_P, of the whole list"),
        ("torchmetrics", "RetrievalPrecision(top_k, adaptive_k=True)"),
    ),
    relatives=(
        ("precision", "divides by K, also where the list is shorter."),
        ("mean_f1", "asks for both: nothing missed, and nothing too many."),
    ),
)

PAGES = (F1, MEAN_F1, R_PRECISION, PRECISION_ANSWERED)
