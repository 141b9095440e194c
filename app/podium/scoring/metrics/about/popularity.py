"""The pages of metrics of popularity bias, and of miscalibration."""

from __future__ import annotations

import polars as pl

from podium.scoring.items import ItemFile
from podium.scoring.metrics.about.description import MEAN, OF_MEAN, AboutMetric, Case
from podium.scoring.metrics.about.examples import example_of_lists

FAMILY = "Popularity and calibration"

_NO_RANKING = "A diagnostic: it never ranks teams."

_OF_A_LIST = MEAN.replace("a query without a hit", "a query without a list")

_EXPOSURE: tuple[Case, ...] = (
    ("Empty list, or a missing row that is allowed", "shows nothing."),
    ("An item that the catalogue lacks", "is left out."),
    ("More than K items", "only the first K count."),
    ("An item twice in a list", "counts once, as in one list."),
    ("A query without labels", "its list does not count."),
    ("No list shows an item of the catalogue", "gives 0."),
)

_SHOWN_TOGETHER = "None: it is one number of all lists of an objective."

_NO_ERROR = "None: the lists share what they show, so it is no mean over queries."

GINI = AboutMetric(
    key="gini",
    family=FAMILY,
    title="Gini index of exposure (Gini@K)",
    tex=r"\frac{\sum_{i=1}^{n} (2i - n - 1) x_i}{n \sum_{i=1}^{n} x_i}",
    symbols=(
        "x₁ ≤ … ≤ xₙ are the numbers of lists that show each of the n items of the item file among"
        " their first K, those with 0 included."
    ),
    definition=(
        "How unevenly lists show the catalogue: 0 where all items are shown equally often, almost 1"
        " where all lists show the same few. It sees how often an item is shown, where coverage"
        f" sees only whether it is. {_NO_RANKING}"
    ),
    example=example_of_lists(
        "gini@2",
        ([3, 2], {1: 1}),
        ([3], {1: 1}),
        ([3], {1: 1}),
        items=ItemFile(pl.DataFrame({"item": pl.Series([1, 2, 3], dtype=pl.Int32)})),
        catalogue="items 1, 2, 3",
        steps=(
            "Items 1, 2 and 3 are shown 0, 1 and 3 times; n = 3, so they weigh −2, 0 and 2.",
            "(−2 · 0 + 0 · 1 + 2 · 3) / (3 · (0 + 1 + 3)) = 6 / 12 = 0.5",
        ),
        value=0.5,
    ),
    cases=_EXPOSURE,
    average=_SHOWN_TOGETHER,
    value_range="0 to 1 − 1/n; lower is more even. With few lists most items stay at 0.",
    standard_error=_NO_ERROR,
    used_by=("Papers on popularity bias and on aggregate diversity",),
    elsewhere=(("RecBole", "GiniIndex"),),
    relatives=(
        ("coverage", "asks whether an item is shown at all."),
        ("entropy", "looks at the same counts, and is high where they are even."),
        ("The Gini index of the training data", "is in the report of `podium stats`."),
    ),
)

ENTROPY = AboutMetric(
    key="entropy",
    family=FAMILY,
    title="Shannon entropy of exposure (Entropy@K)",
    tex=r"- \sum_{i=1}^{n} p_i \log_2 p_i",
    symbols="pᵢ is the share of item i in all places, among the first K, that show an item of the"
    " item file.",
    definition=(
        "How many bits tell which item of the catalogue a list shows. 2 to the power of it is the"
        f" number of items that, shown equally often, would be as diverse. {_NO_RANKING}"
    ),
    example=example_of_lists(
        "entropy@2",
        ([1, 2], {1: 1}),
        ([1, 3], {1: 1}),
        items=ItemFile(pl.DataFrame({"item": pl.Series([1, 2, 3, 4], dtype=pl.Int32)})),
        catalogue="items 1, 2, 3, 4",
        steps=(
            "4 places show item 1 twice and items 2 and 3 once: shares 1/2, 1/4 and 1/4.",
            "1/2 · log2(2) + 1/4 · log2(4) + 1/4 · log2(4) = 0.5 + 0.5 + 0.5 = 1.5",
        ),
        value=1.5,
    ),
    cases=_EXPOSURE,
    average=_SHOWN_TOGETHER,
    value_range="0 to log2(n) bits, with n items in the item file; higher is more even.",
    standard_error=_NO_ERROR,
    used_by=("Papers on aggregate diversity",),
    elsewhere=(("RecBole", "ShannonEntropy, with the natural logarithm"),),
    relatives=(
        ("gini", "looks at the same counts, and is high where they are uneven."),
        ("novelty", "weighs items by the training data, not by what lists show."),
    ),
)

_TAKEN: tuple[Case, ...] = (
    ("Empty list, or a missing row that is allowed", "is 0, and the query counts."),
    ("Fewer than K items", "are divided by their number."),
    ("More than K items", "only the first K count."),
    ("An item twice in a list", "takes a place and adds nothing."),
    ("A query without labels", "its list does not count."),
    ("No hit", "does not matter, as relevance is not looked at."),
)

AVERAGE_POPULARITY = AboutMetric(
    key="arp",
    family=FAMILY,
    title="Average recommendation popularity (ARP@K)",
    tex=r"\frac{1}{\min(l, K)} \sum_{i=1}^{K} n_i",
    symbols="nᵢ training users had the item at rank i; l is the number of items in the list.",
    definition=(
        "How many training users had the items of a list, on average. Compare it with the same"
        " number of the test labels: a method that is far above shows what is popular anyway."
        f" {_NO_RANKING}"
    ),
    example=example_of_lists(
        "arp@2",
        ([1, 2], {1: 1}),
        items=ItemFile(
            pl.DataFrame({"item": pl.Series([1, 2], dtype=pl.Int32), "users": [8, 2]}),
            training_users=8,
        ),
        catalogue="8 training users had item 1, 2 had item 2",
        steps=("2 items: (8 + 2) / 2 = 5",),
        value=5.0,
    ),
    cases=(*_TAKEN, ("An item that the file lacks", "adds 0.")),
    average=_OF_A_LIST,
    value_range="0 to the users of the most popular item; lower is less popular.",
    standard_error=OF_MEAN,
    used_by=("Papers on popularity bias",),
    elsewhere=(("RecBole", "AveragePopularity"), ("RecTools", "AvgRecPopularity(k)")),
    relatives=(
        ("novelty", "takes the logarithm, so that very popular items weigh less."),
        ("aplt", "only asks whether an item is in the long tail."),
    ),
)

LONG_TAIL = AboutMetric(
    key="aplt",
    family=FAMILY,
    title="Average percentage of long-tail items (APLT@K)",
    tex=r"\frac{1}{\min(l, K)} \sum_{i=1}^{K} t_i",
    symbols=(
        "tᵢ is 1 if the item at rank i is in the long tail, else 0; l is the number of items in the"
        " list."
    ),
    definition=(
        "The share of a list that is in the long tail: outside the most popular items that together"
        " make 80 % of the interactions in the training data, by the column users of the item file."
        f" {_NO_RANKING}"
    ),
    example=example_of_lists(
        "aplt@3",
        ([1, 2, 3], {1: 1}),
        items=ItemFile(
            pl.DataFrame({"item": pl.Series([1, 2], dtype=pl.Int32), "users": [8, 2]}),
            training_users=8,
        ),
        catalogue="8 training users had item 1, 2 had item 2",
        steps=(
            "Item 1 alone has 8 of 10 interactions, 80 %: all others are the long tail.",
            "Items 2 and 3 of 3 are: 2 / 3 = 0.66667",
        ),
        value=0.66667,
    ),
    cases=(
        *_TAKEN,
        ("An item that the file lacks", "is in the long tail."),
        ("Equally popular items", "the smaller id comes first."),
    ),
    average=_OF_A_LIST,
    value_range="0 to 1; higher shows more of the long tail.",
    standard_error=OF_MEAN,
    used_by=("Papers on popularity bias, after Abdollahpouri et al. (2019)",),
    elsewhere=(("RecBole", "TailPercentage, with a tail of its own"),),
    relatives=(
        ("arp", "is the mean popularity itself."),
        ("coverage", "does not see which items are popular."),
    ),
)

MISCALIBRATION = AboutMetric(
    key="miscalibration",
    family=FAMILY,
    title="Miscalibration (Miscalibration@K)",
    tex=(
        r"\sum_g p_g \ln \frac{p_g}{\tilde{q}_g},"
        r" \quad \tilde{q}_g = 0.99 \, q_g + 0.01 \, p_g"
    ),
    symbols=(
        "g are the features of the item file, taken as categories such as genres; p is their share"
        " in the relevant items, q in the first K items of the list."
    ),
    definition=(
        "How far the mixture of categories in a list is from that of the relevant items: who likes"
        " 70 % drama and 30 % comedy should see both. The 0.01 keeps a category that is missing in"
        f" the list from being infinitely bad. {_NO_RANKING}"
    ),
    example=example_of_lists(
        "miscalibration@2",
        ([1, 3], {1: 1, 2: 1}),
        items=ItemFile(
            pl.DataFrame(
                {
                    "item": pl.Series([1, 2, 3], dtype=pl.Int32),
                    "drama": [1.0, 0.0, 1.0],
                    "comedy": [0.0, 1.0, 0.0],
                }
            )
        ),
        catalogue="items 1 and 3 are dramas, item 2 is a comedy",
        steps=(
            "p is half drama, half comedy; q is all drama.",
            "Drama: 0.5 · ln(0.5 / (0.99 + 0.005)) = −0.34407.",
            "Comedy: 0.5 · ln(0.5 / 0.005) = 2.30259.",
            "−0.34407 + 2.30259 = 1.95852",
        ),
        value=1.95852,
    ),
    cases=(
        ("Empty list, or a missing row that is allowed", "is the worst, ln 100 = 4.60517."),
        ("An item with several categories", "is divided among them, in proportion."),
        ("An item without a category, or that the file lacks", "is left out."),
        ("Relevant items without a category", "give 0; the notes count such queries."),
        ("More than K items", "only the first K count."),
        ("An item twice in a list", "takes a place and adds nothing."),
        ("A query without labels", "is left out of the average."),
    ),
    average=MEAN.partition(";")[0] + ".",
    value_range="0 to 4.60517; lower is closer to the relevant items.",
    standard_error=OF_MEAN,
    used_by=("Papers on calibrated recommendation, after Steck (2018)",),
    elsewhere=(),
    relatives=(
        ("Steck's C_KL", "takes p from the history of a user, which Podium does not have."),
        ("ece", "is the calibration of probabilities, something else."),
    ),
)

PAGES = (GINI, ENTROPY, AVERAGE_POPULARITY, LONG_TAIL, MISCALIBRATION)
