"""The pages of coverage, novelty, diversity and serendipity."""

from __future__ import annotations

import polars as pl

from podium.scoring.items import ItemFile
from podium.scoring.metrics.about.description import (
    MEAN,
    OF_HITS,
    OF_MEAN,
    AboutMetric,
    cases_of_lists,
)
from podium.scoring.metrics.about.examples import example_of_lists

FAMILY = "Beyond accuracy"

_NO_RANKING = "A diagnostic: it never ranks teams, as a list of random items would win."

_CHALLENGE = "EB-NeRD (RecSys Challenge 2024), beside accuracy"

COVERAGE = AboutMetric(
    key="coverage",
    family=FAMILY,
    title="Catalog coverage (Coverage@K)",
    tex=r"\frac{| \bigcup_q L_q \cap C |}{| C |}",
    symbols="L is the list of query q, cut to K; C are the items of the item file.",
    definition=(
        "The share of the catalogue that is in any list. It tells whether a method recommends from"
        f" the whole catalogue or repeats a few items. {_NO_RANKING}"
    ),
    example=example_of_lists(
        "coverage@2",
        ([1, 2], {1: 1}),
        ([2, 9], {1: 1}),
        items=ItemFile(pl.DataFrame({"item": pl.Series([1, 2, 3, 4], dtype=pl.Int32)})),
        catalogue="items 1, 2, 3, 4",
        steps=(
            "Together the lists have 1, 2 and 9; item 9 is not in the catalogue.",
            "2 of 4 items: 2 / 4 = 0.5",
        ),
        value=0.5,
    ),
    cases=(
        ("Empty list, or a missing row that is allowed", "covers nothing."),
        ("An item that the catalogue lacks", "does not count; the report says how many."),
        ("More than K items", "only the first K count."),
        ("An item twice in a list", "counts once, as in two lists."),
        ("A query without labels", "its list does not count."),
        ("No hit", "does not matter, as relevance is not looked at."),
    ),
    average="None: it is one share over all lists of an objective. It grows with their number.",
    value_range=(
        "0 to 1; higher covers more. With few queries or a small K it cannot reach 1: Q queries"
        " show Q · K items at most."
    ),
    standard_error="None: the lists share what they cover, so it is no mean over queries.",
    used_by=(_CHALLENGE,),
    elsewhere=(
        ("RecTools", "CatalogCoverage(k, normalize=True)"),
        ("RecBole", "ItemCoverage"),
        ("Microsoft Recommenders", "catalog_coverage"),
    ),
    relatives=(
        ("User coverage", "is the share of users who get any list."),
        ("Gini index, entropy", "also see how often each item is shown."),
    ),
)

NOVELTY = AboutMetric(
    key="novelty",
    family=FAMILY,
    title="Novelty (mean self-information, Novelty@K)",
    tex=r"\frac{1}{K} \sum_{i=1}^{K} - \log_2 \frac{n_i}{N}",
    symbols="nᵢ of the N training users had the item at rank i.",
    definition=(
        "How little known the items of a list are, in bits: an item that half of the training users"
        f" had is worth 1 bit, one that a quarter had 2. {_NO_RANKING}"
    ),
    example=example_of_lists(
        "novelty@2",
        ([1, 2], {1: 1}),
        items=ItemFile(
            pl.DataFrame({"item": pl.Series([1, 2], dtype=pl.Int32), "users": [2, 8]}),
            training_users=8,
        ),
        catalogue="2 of 8 training users had item 1, all 8 had item 2",
        steps=(
            "Item 1: −log2(2/8) = 2 bits. Item 2: −log2(8/8) = 0 bits.",
            "Divided by K: (2 + 0) / 2 = 1",
        ),
        value=1.0,
    ),
    cases=(
        *cases_of_lists(
            short="are divided by K all the same, as one obscure item alone is no good list.",
            many="do not matter, as relevance is not looked at.",
            hits=False,
        ),
        ("An item that no training user had, or that the file lacks", "counts as if one had."),
    ),
    average=MEAN.replace("a query without a hit", "a query without a list"),
    value_range="0 to log2(N) bits; higher is less known.",
    standard_error=OF_MEAN,
    used_by=(_CHALLENGE, "Synerise (RecSys Challenge 2025), in a form of its own"),
    elsewhere=(("RecTools", "MeanInvUserFreq(k)"),),
    relatives=(
        ("Average popularity (ARP)", "is the mean of nᵢ itself; lower is less known."),
        (
            "Microsoft Recommenders' novelty",
            "weighs items by how often they are recommended, over all lists at once.",
        ),
    ),
)

DIVERSITY = AboutMetric(
    key="ild",
    family=FAMILY,
    title="Intra-list diversity (ILD@K)",
    tex=r"\frac{2}{n (n - 1)} \sum_{i < j \le n} ( 1 - \cos ( x_i, x_j ) )",
    symbols="n is the length of the list, cut to K; xᵢ are the features of the item at rank i.",
    definition=(
        "How different the items of a list are from each other: the mean of 1 − cosine of their"
        f" features over all pairs. {_NO_RANKING}"
    ),
    example=example_of_lists(
        "ild@3",
        ([1, 2, 3], {1: 1}),
        items=ItemFile(
            pl.DataFrame(
                {
                    "item": pl.Series([1, 2, 3], dtype=pl.Int32),
                    "a": [1.0, 0.0, 0.0],
                    "b": [0.0, 1.0, 2.0],
                }
            )
        ),
        catalogue="features of item 1: (1, 0); of item 2: (0, 1); of item 3: (0, 2)",
        steps=(
            "Items 1 and 2: 1 − 0 = 1. Items 1 and 3: 1 − 0 = 1. Items 2 and 3 point the same way:"
            " 1 − 1 = 0.",
            "The mean over 3 pairs: (1 + 1 + 0) / 3 = 0.66667",
        ),
        value=0.66667,
    ),
    cases=(
        ("Empty list, or one item only", "scores 0, and the query counts; reported as short list."),
        ("An item without features", "its pairs add 0 and are divided by; the report counts them."),
        ("An item twice in a list", "pairs with the second add 0 and are divided by."),
        ("More than K items", "only the first K count."),
        ("No hit", "does not matter, as relevance is not looked at."),
        ("A query without labels", "is left out of the average."),
    ),
    average=MEAN.replace("a query without a hit", "a query without a list"),
    value_range="0 to 2, to 1 where no feature is negative; higher is more diverse.",
    standard_error=OF_MEAN,
    used_by=(_CHALLENGE, "Synerise (RecSys Challenge 2025), in a form of its own"),
    elsewhere=(
        ("RecTools", "IntraListDiversity(k, distance_calculator)"),
        ("Microsoft Recommenders", "diversity, from co-occurrence or features"),
    ),
    relatives=(
        ("Intra-list similarity", "is 1 − ILD where all items have features."),
        ("coverage", "looks at all lists together, not within one."),
    ),
)

SERENDIPITY = AboutMetric(
    key="serendipity",
    family=FAMILY,
    title="Serendipity (unexpected hits, Serendipity@K)",
    tex=r"\frac{1}{K} \sum_{i=1}^{K} h_i \cdot u_i",
    symbols=(
        f"{OF_HITS} uᵢ is 0 if the item is one of the K that most training users had, else 1."
    ),
    definition=(
        "The share of the first K places with a relevant item that no list of the most popular"
        " items would have shown. It tells hits that needed a model from those that popularity"
        f" explains. {_NO_RANKING.partition(',')[0]}."
    ),
    example=example_of_lists(
        "serendipity@2",
        ([5, 1], {1: 1, 5: 1}),
        items=ItemFile(
            pl.DataFrame({"item": pl.Series([1, 2, 5], dtype=pl.Int32), "users": [8, 6, 1]}),
            training_users=8,
        ),
        catalogue="8 training users had item 1, 6 had item 2, 1 had item 5",
        steps=(
            "The 2 most popular items are 1 and 2: the hit 1 is expected, the hit 5 is not.",
            "Divided by K: 1 / 2 = 0.5",
        ),
        value=0.5,
    ),
    cases=(
        *cases_of_lists(
            short="are divided by K all the same, as if misses followed.",
            many="do no harm.",
        ),
        (
            "Equally popular items",
            "the smaller id comes first, numbers as numbers and texts as texts.",
        ),
    ),
    average=MEAN,
    value_range=(
        "0 to 1; higher is better. Where few unpopular items are relevant, a perfect list stays"
        " far below 1."
    ),
    standard_error=OF_MEAN,
    used_by=(_CHALLENGE,),
    elsewhere=(),
    relatives=(
        ("precision", "counts popular hits, too."),
        ("RecTools' Serendipity", "weighs each hit by how much higher it stands than popularity."),
        (
            "Microsoft Recommenders' serendipity",
            "is unexpectedness by item similarity × relevance.",
        ),
    ),
)

PAGES = (COVERAGE, NOVELTY, DIVERSITY, SERENDIPITY)
