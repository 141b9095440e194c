"""The pages of areas under curves: metrics of scored pairs to which numbers are but an order."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.examples import example_of_pairs

FAMILY = "Order of scored pairs"

_CLASSES = "A pair is positive if its target is above 0, else negative."

_FILES: tuple[Case, ...] = (
    ("A missing pair", "rejects the file, as every published pair needs a number."),
    ("A pair twice", "rejects the file."),
    ("A value that is no finite number", "rejects the file."),
    ("Numbers outside 0 to 1", "are allowed: only the order of numbers matters."),
)

_TABLE: Case = (
    "A table of one column of numbers",
    "is scored alike: a row is a pair, and stands alone.",
)

_ONE_CLASS: Case = (
    "A split without positive or negative pairs",
    "is refused with the ground truth, as no area is defined.",
)

_PAIRS_ALIKE = (
    "There is none to choose: all pairs of a split count together, so a user with many pairs weighs"
    " more than one with few."
)

_RANGE = "0 to 1; higher is better, and a perfect answer reaches 1. {chance}"

_HALF = "Random numbers, or the same for all, have 0.5."

_RATE = "Random numbers have about the share of positive pairs."

AUC = AboutMetric(
    key="auc",
    family=FAMILY,
    title="Area under the ROC curve (AUC)",
    tex=r"\frac{1}{P N} \sum_{i=1}^{P} \sum_{j=1}^{N} ([s_i > s_j] + \frac{1}{2} [s_i = s_j])",
    symbols=(
        f"{_CLASSES} P and N are their numbers; sᵢ is the number of a positive pair, sⱼ that of a"
        " negative one."
    ),
    definition=(
        "The chance that a positive pair scores higher than a negative one, over all users"
        " together. Only the order of the numbers matters, not whether they are good probabilities."
        " It is counted in whole numbers, and so exact."
    ),
    example=example_of_pairs(
        "auc",
        [[(1, 0.8), (1, 0.4), (0, 0.4), (0, 0.1)]],
        steps=(
            "2 positive and 2 negative pairs: 4 combinations.",
            "0.8 is above 0.4 and 0.1: 2. 0.4 ties with 0.4 and is above 0.1: 1/2 + 1.",
            "(2 + 1.5) / 4 = 0.875",
        ),
        value=0.875,
    ),
    cases=(
        *_FILES,
        ("Ties", "of a positive and a negative pair count half."),
        _ONE_CLASS,
        _TABLE,
    ),
    average=_PAIRS_ALIKE,
    value_range=_RANGE.format(chance=_HALF),
    standard_error=(
        "That of DeLong for pairs that come in units (Obuchowski 1997): what the pairs of a user"
        " or impression move counts together. Differences between submissions are paired."
    ),
    used_by=(
        "KKBox's Music Recommendation Challenge (WSDM Cup 2018)",
        "Papers on click prediction",
    ),
    elsewhere=(
        ("scikit-learn", "roc_auc_score"),
        ("torchmetrics", "BinaryAUROC"),
        ("RecBole", "AUC"),
        ("Microsoft Recommenders", "auc"),
    ),
    relatives=(
        ("gauc", "compares pairs of the same user or impression only."),
        ("average_precision", "looks at the top, where positive pairs are rare."),
    ),
)

_UNITS = [[(1.0, 0.9), (0.0, 0.2)], [(1.0, 0.4), (0.0, 0.6), (0.0, 0.1)], [(1.0, 0.7)]]

_AREAS = (
    "Query 1: 0.9 is above 0.2: area 1.",
    "Query 2: 0.4 is below 0.6 and above 0.1: area 1/2.",
    "Query 3 has no negative pair, and is left out.",
)

_OF_UNITS: tuple[Case, ...] = (
    *_FILES,
    ("Ties", "of a positive and a negative pair count half."),
    ("A query of one class only", "is left out; the notes count such queries."),
    ("A split in which every query has one class", "is refused with the ground truth."),
)

_UNIT = "A query is a user, or a context such as an impression where `unit` is `context`."

_ERROR_OF_UNITS = (
    "From the spread between users or impressions, which are drawn independently. Differences"
    " between submissions are paired."
)

GAUC = AboutMetric(
    key="gauc",
    family=FAMILY,
    title="Group AUC (GAUC)",
    tex=r"\frac{1}{| Q |} \sum_{q \in Q} \text{AUC}_q",
    symbols=(
        f"Q are the queries with positive and negative pairs, AUC with q the area of the pairs of"
        f" one. {_UNIT}"
    ),
    definition=(
        "The AUC of each user or impression on its own, averaged. It asks what a list of one user"
        " asks: is what was clicked above what was not? Differences between users, such as how"
        " often they click, do not help."
    ),
    example=example_of_pairs(
        "gauc", _UNITS, steps=(*_AREAS, "The mean: (1 + 0.5) / 2 = 0.75"), value=0.75
    ),
    cases=_OF_UNITS,
    average="All queries with both classes count alike; gauc_weighted weighs them.",
    value_range=_RANGE.format(chance=_HALF),
    standard_error=_ERROR_OF_UNITS,
    used_by=(
        "MIND and EB-NeRD (RecSys Challenge 2024), whose “AUC” is this over impressions",
        "Papers on click prediction in advertising and news",
    ),
    elsewhere=(
        ("RecBole", "GAUC, weighted by positive items"),
        ("Microsoft Recommenders", "group_auc, in cal_metric"),
        ("ebrec", "AucScore"),
    ),
    relatives=(
        ("auc", "compares pairs of different users, too."),
        ("gauc_weighted", "weighs queries by their number of pairs."),
    ),
)

GAUC_WEIGHTED = AboutMetric(
    key="gauc_weighted",
    family=FAMILY,
    title="Group AUC, weighted by pairs (weighted GAUC)",
    tex=r"\frac{\sum_{q \in Q} n_q \text{AUC}_q}{\sum_{q \in Q} n_q}",
    symbols=(
        f"Q are the queries with positive and negative pairs; n with q is the number of pairs of"
        f" one. {_UNIT}"
    ),
    definition=(
        "The AUC of each user on its own, averaged by how many pairs the user has, so that what"
        " frequent users see counts more. It is the form in which GAUC was first published for"
        " advertising."
    ),
    example=example_of_pairs(
        "gauc_weighted",
        _UNITS,
        steps=(*_AREAS, "Weighted by 2 and 3 pairs: (2 · 1 + 3 · 0.5) / (2 + 3) = 0.7"),
        value=0.7,
    ),
    cases=_OF_UNITS,
    average="Queries with both classes count by their number of pairs.",
    value_range=_RANGE.format(chance=_HALF),
    standard_error=f"{_ERROR_OF_UNITS} The weighted mean is a ratio of sums (delta method).",
    used_by=("Deep Interest Network (Zhou et al. 2018) and papers after it",),
    elsewhere=(("FuxiCTR", "gAUC"),),
    relatives=(
        ("gauc", "counts all queries alike."),
        ("auc", "compares pairs of different users, too."),
    ),
)

_CURVE = (
    "sₙ are the different numbers, the highest first; Pₙ and Rₙ are precision and recall of all"
    " pairs with at least this number, and R₀ = 0."
)

_POINTS = (
    "At 0.8: 1 pair, positive: precision 1, recall 1/2.",
    "At 0.4: 3 pairs, 2 of them positive: precision 2/3, recall 1. At 0.1 recall stays 1.",
)

_FOUR = [[(1.0, 0.8), (1.0, 0.4), (0.0, 0.4), (0.0, 0.1)]]

_ERROR_OF_CURVES = (
    "From what each user or impression moves (the derivative by its weight). With fewer than some"
    " hundred positive pairs intervals are too narrow."
)

AVERAGE_PRECISION_OF_PAIRS = AboutMetric(
    key="average_precision",
    family=FAMILY,
    title="Average precision of pairs (AP)",
    tex=r"\sum_n (R_n - R_{n-1}) P_n",
    symbols=_CURVE,
    definition=(
        "The area under the curve of precision by recall, in steps: the mean of the precision at"
        " each positive pair, over all users together. Take it where positive pairs are rare and"
        " the highest numbers matter."
    ),
    example=example_of_pairs(
        "average_precision",
        _FOUR,
        steps=(*_POINTS, "1/2 · 1 + (1 − 1/2) · 2/3 = 0.5 + 0.33333 = 0.83333"),
        value=0.83333,
    ),
    cases=(
        *_FILES,
        ("Ties", "are one step: no order of equal numbers is better."),
        _ONE_CLASS,
        _TABLE,
    ),
    average=_PAIRS_ALIKE,
    value_range=_RANGE.format(chance=_RATE),
    standard_error=_ERROR_OF_CURVES,
    used_by=("RecSys Challenge 2021 (Twitter), for four engagements, beside RCE",),
    elsewhere=(
        ("scikit-learn", "average_precision_score"),
        ("torchmetrics", "BinaryAveragePrecision"),
    ),
    relatives=(
        ("pr_auc", "draws straight lines between the points, which is too optimistic."),
        ("map", "is the same per list, averaged over queries."),
    ),
)

PR_AUC = AboutMetric(
    key="pr_auc",
    family=FAMILY,
    title="Area under the precision-recall curve (PR-AUC)",
    tex=r"\sum_n (R_n - R_{n-1}) \frac{P_n + P_{n-1}}{2}",
    symbols=f"{_CURVE} P₀ = 1.",
    definition=(
        "The area under straight lines between the points of precision by recall. Straight lines"
        " are too optimistic (Davis & Goadrich 2006), above all where many numbers are equal; it is"
        " here because RecSys Challenge 2020 ranked by it."
    ),
    example=example_of_pairs(
        "pr_auc",
        _FOUR,
        steps=(
            *_POINTS,
            "1/2 · (1 + 1) / 2 + 1/2 · (1 + 2/3) / 2 = 0.5 + 0.41667 = 0.91667",
        ),
        value=0.91667,
    ),
    cases=(
        *_FILES,
        ("The same number for all", "has (1 + share of positive pairs) / 2."),
        _ONE_CLASS,
    ),
    average=_PAIRS_ALIKE,
    value_range=_RANGE.format(chance=_RATE),
    standard_error=_ERROR_OF_CURVES,
    used_by=("RecSys Challenge 2020 (Twitter), for four engagements, beside RCE",),
    elsewhere=(("scikit-learn", "auc of precision_recall_curve"),),
    relatives=(("average_precision", "has steps instead of straight lines; take it if you may."),),
)

PAGES = (AUC, GAUC, GAUC_WEIGHTED, AVERAGE_PRECISION_OF_PAIRS, PR_AUC)
