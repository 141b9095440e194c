"""The pages of metrics that imagine a person who reads a list from its top."""

from __future__ import annotations

from podium.scoring.metrics.about.description import (
    BELOW_1,
    MEAN,
    OF_HITS,
    OF_MEAN,
    OF_RELEVANCES,
    AboutMetric,
    cases_of_lists,
)
from podium.scoring.metrics.about.examples import example_of_lists

FAMILY = "Models of a reader"

RANK_BIASED_PRECISION = AboutMetric(
    key="rbp",
    family=FAMILY,
    title="Rank-biased precision (RBP@K)",
    tex=r"(1 - p) \sum_{i=1}^{K} h_i \cdot p^{i - 1}",
    symbols=f"{OF_HITS} p is the chance that the reader goes on to the next item.",
    definition=(
        "The hits per item that a reader looks at who begins at the top and goes on with chance p."
        " p stands behind the name in hundredths: rbp_95@20 is a patient reader with p = 0.95,"
        " rbp_50@20 a hasty one, and rbp@20 has p = 0.80."
    ),
    example=example_of_lists(
        "rbp@5",
        ([1, 9, 2], {1: 1, 2: 1}),
        steps=(
            "Hits at ranks 1 and 3, p = 0.8: 0.8⁰ + 0.8² = 1 + 0.64 = 1.64.",
            "(1 − 0.8) · 1.64 = 0.328",
        ),
        value=0.328,
    ),
    cases=cases_of_lists(
        short="gain nothing at the missing places.",
        many="do no harm: K hits have the highest value, 1 − p^K.",
    ),
    average=MEAN,
    value_range=BELOW_1.format(
        why="As the reader may look further than K, and few queries have so many labels"
    ),
    standard_error=OF_MEAN,
    used_by=("Papers on information retrieval", "TREC runs, beside NDCG"),
    elsewhere=(
        ("ir_measures", "RBP(p=0.8, rel=1)@K"),
        ("ranx", "rbp.80, over the whole list, with labels of relevance 1"),
    ),
    relatives=(
        ("dcg", "discounts by the logarithm of the rank, which falls more slowly."),
        ("err", "lets the reader stop where an item satisfies."),
    ),
)

EXPECTED_RECIPROCAL_RANK = AboutMetric(
    key="err",
    family=FAMILY,
    title="Expected reciprocal rank (ERR@K)",
    tex=(
        r"\sum_{i=1}^{K} \frac{1}{i} R_i \prod_{j=1}^{i-1} (1 - R_j),"
        r" \quad R_i = \frac{2^{rel_i} - 1}{2^{rel_{max}}}"
    ),
    symbols=(
        f"{OF_RELEVANCES} Rᵢ is the chance that this item satisfies the reader; rel with max is the"
        " greatest relevance of the whole ground truth. A repeated item has relevance 0."
    ),
    definition=(
        "The expected 1 / rank of the item at which a reader is satisfied and stops. A highly"
        " relevant item makes what follows it matter less. Take it for graded relevance where one"
        " good item is enough."
    ),
    example=example_of_lists(
        "err@5",
        ([1, 2], {1: 2, 2: 1}),
        steps=(
            "Greatest relevance 2: item 1 satisfies with R = (2² − 1) / 2² = 3/4, item 2 with 1/4.",
            "Rank 1: 3/4. Rank 2 is reached with 1 − 3/4: 1/2 · 1/4 · 1/4 = 0.03125.",
            "0.75 + 0.03125 = 0.78125",
        ),
        value=0.78125,
    ),
    cases=cases_of_lists(
        short="gain nothing at the missing places.",
        many="do no harm; those behind a satisfying item hardly count.",
    ),
    average=MEAN,
    value_range=BELOW_1.format(why="As no item satisfies for certain"),
    standard_error=OF_MEAN,
    used_by=("Yahoo! Learning to Rank Challenge (2010)", "TREC Web Track, K = 20"),
    elsewhere=(
        ("gdeval", "err@20, of TREC's Web Track"),
        ("ir_measures", "ERR@K"),
    ),
    relatives=(
        ("mrr", "stops at the first hit for certain, whatever its relevance."),
        ("ndcg_exp", "has the same gain 2^relevance − 1, but items do not compete."),
    ),
)

AVERAGE_RECIPROCAL_HIT_RANK = AboutMetric(
    key="arhr",
    family=FAMILY,
    title="Average reciprocal hit rank (ARHR@K)",
    tex=r"\sum_{i=1}^{K} \frac{h_i}{i}",
    symbols=OF_HITS,
    definition=(
        "Every hit counts 1 / rank, and nothing is divided by the number of relevant items. It was"
        " made for leave-one-out, where each user has one hidden item; there it equals MRR."
    ),
    example=example_of_lists(
        "arhr@5",
        ([9, 1, 8, 2], {1: 1, 2: 1}),
        steps=("Hits at ranks 2 and 4.", "1/2 + 1/4 = 0.75"),
        value=0.75,
    ),
    cases=cases_of_lists(
        short="lose nothing but the chance of further hits.",
        many="do no harm: K hits have the highest value, 1 + 1/2 + … + 1/K.",
    ),
    average=f"{MEAN} Queries with many labels weigh more, as nothing is normalized.",
    value_range=(
        "0 or more; higher is better. With one label a query at most 1, with several up to"
        " 1 + 1/2 + … + 1/K."
    ),
    standard_error=OF_MEAN,
    used_by=("Deshpande & Karypis (2004) and papers after it on item-based top-N",),
    elsewhere=(),
    relatives=(
        ("mrr", "counts the first hit only; with one label a query both are equal."),
        ("“mrr_all” of candidates", "divides the same sum by the number of relevant items."),
    ),
)

PAGES = (RANK_BIASED_PRECISION, EXPECTED_RECIPROCAL_RANK, AVERAGE_RECIPROCAL_HIT_RANK)
