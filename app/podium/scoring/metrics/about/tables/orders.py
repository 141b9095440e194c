"""The pages of correlations and of orders of rows."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.tables.description import (
    ERROR_BY_DERIVATIVE,
    FILES,
    NO_WEIGHTS,
    SEVERAL,
    example_of_tables,
)

FAMILY = "Correlation and order"

_CASES: tuple[Case, ...] = (
    *FILES,
    SEVERAL,
    ("The same answer for all rows", "scores 0, without a standard error."),
    ("A split whose truths are equal", "is refused with the solution."),
)

_ALL_ROWS = "There is none to choose: all rows of a split are looked at together."

_RANGE = "−1 to 1; higher is better, and a perfect answer reaches 1. 0 is what random numbers have."

_TRUE, _GIVEN = (1.0, 2.0, 3.0, 4.0), (10.0, 30.0, 20.0, 90.0)

PEARSON = AboutMetric(
    key="pearson",
    family=FAMILY,
    title="Pearson's correlation",
    tex=r"\frac{\sum_i ( x_i - \bar{x} ) ( y_i - \bar{y} )}"
    r"{\sqrt{\sum_i ( x_i - \bar{x} )^2 \sum_i ( y_i - \bar{y} )^2}}",
    symbols="xᵢ is the number given for row i, yᵢ its truth; x̄ and ȳ are their means.",
    definition=(
        "How near answers and truth come to a rising straight line. Scale and origin of the answers"
        " mean nothing, so the numbers themselves may be wrong."
    ),
    example=example_of_tables(
        "pearson",
        (1.0, 2.0, 3.0),
        (1.0, 3.0, 2.0),
        steps=(
            "Distances from the mean 2: −1, 0, 1 and −1, 1, 0: products add up to 1, squares to 2.",
            "1 / √(2 · 2) = 0.5",
        ),
        value=0.5,
    ),
    cases=_CASES,
    average="There is none to choose; rows count by their weights where the solution has some.",
    value_range=_RANGE,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Kaggle's Ubiquant (2022), U.S. Patent Phrase Matching (2022)",),
    elsewhere=(("SciPy", "pearsonr"), ("pandas", "DataFrame.corr")),
    relatives=(("spearman", "looks at ranks."), ("r2", "wants the numbers themselves.")),
)

SPEARMAN = AboutMetric(
    key="spearman",
    family=FAMILY,
    title="Spearman's rank correlation",
    tex=r"\frac{\sum_i ( r_i - \bar{r} ) ( s_i - \bar{r} )}"
    r"{\sqrt{\sum_i ( r_i - \bar{r} )^2 \sum_i ( s_i - \bar{r} )^2}}",
    symbols=(
        "rᵢ and sᵢ are the ranks of row i by answer and by truth; equal numbers share the mean of"
        " their ranks; r̄ is the mean rank."
    ),
    definition=(
        "How near the order of the answers comes to that of the truth. Any rising function of the"
        " answers has the same value."
    ),
    example=example_of_tables(
        "spearman",
        _TRUE,
        _GIVEN,
        steps=(
            "Ranks 1, 3, 2, 4: distances from 2.5 are −1.5, 0.5, −0.5, 1.5.",
            "Products with −1.5, −0.5, 0.5, 1.5 add up to 4, squares to 5.",
            "4 / √(5 · 5) = 0.8",
        ),
        value=0.8,
    ),
    cases=(*_CASES, ("Ties", "share the mean of their ranks."), NO_WEIGHTS),
    average=_ALL_ROWS,
    value_range=_RANGE,
    standard_error=f"{ERROR_BY_DERIVATIVE} That a row moves the ranks of others is counted, too.",
    used_by=("Kaggle's Google QUEST (2019), mean over columns", "Numerai"),
    elsewhere=(("SciPy", "spearmanr"), ("pandas", "DataFrame.corr, method='spearman'")),
    relatives=(("kendall", "counts pairs of rows."), ("pearson", "looks at the numbers.")),
)

KENDALL = AboutMetric(
    key="kendall",
    family=FAMILY,
    title="Kendall's rank correlation (τ-b)",
    tex=r"\frac{P - Q}{\sqrt{( n_0 - n_1 ) ( n_0 - n_2 )}}",
    symbols=(
        "P and Q are the pairs of rows in the same and in the opposite order as the truth, n₀ all"
        " pairs, n₁ those with equal truths, n₂ those with equal answers."
    ),
    definition=(
        "How many more pairs of rows are in the right order than in the wrong one, as a share."
    ),
    example=example_of_tables(
        "kendall",
        _TRUE,
        _GIVEN,
        steps=("Of 6 pairs one is in the wrong order: 30 before 20.", "(5 − 1) / 6 = 0.66667"),
        value=0.66667,
    ),
    cases=(
        *_CASES,
        ("Ties", "are neither right nor wrong, and leave what is divided by."),
        NO_WEIGHTS,
    ),
    average=_ALL_ROWS,
    value_range=_RANGE,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Kaggle's AI4Code (2022), within notebooks",),
    elsewhere=(("SciPy", "kendalltau"), ("pandas", "DataFrame.corr, method='kendall'")),
    relatives=(
        ("spearman", "correlates ranks."),
        ("concordance", "is (τ + 1) / 2 where nothing ties."),
    ),
)

CONCORDANCE = AboutMetric(
    key="concordance",
    family=FAMILY,
    title="Concordance index (C-index)",
    tex=r"\frac{\sum_{i, j} [ i \prec j ] ( [ x_i < x_j ] + \frac{1}{2} [ x_i = x_j ] )}"
    r"{\sum_{i, j} [ i \prec j ]}",
    symbols=(
        "xᵢ is the number given for row i; i ≺ j means that i is known to be the earlier one: its"
        " time is lower, and has an event."
    ),
    definition=(
        "The share of comparable pairs of rows in which the earlier one has the lower number. With"
        " a column event in the solution it is that of survival analysis: times without an event"
        " (0) are only known to be exceeded. The higher a number, the later; negate a risk."
    ),
    example=example_of_tables(
        "concordance",
        {"time": (1, 2, 3), "event": (1, 0, 1)},
        {"time": (1.0, 3.0, 1.0)},
        steps=(
            "Comparable: 1 with 2, and 1 with 3. The second time has no event, so 2 with 3 is not.",
            "1 is before 3: right. 1 ties with 1: half.",
            "(1 + 0.5) / 2 = 0.75",
        ),
        value=0.75,
    ),
    cases=(
        *FILES,
        SEVERAL,
        ("Equal times", "are compared where one of both has an event, which is the earlier."),
        ("Equal numbers", "count half."),
        ("A split without comparable rows", "is refused with the solution."),
    ),
    average="All comparable pairs of rows count alike, or by the product of their weights.",
    value_range="0 to 1; higher is better. The same number for all has 0.5.",
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Kaggle's CIBMTR (2025), by groups", "Clinical challenges"),
    elsewhere=(
        ("lifelines", "concordance_index"),
        ("scikit-survival", "concordance_index_censored"),
    ),
    relatives=(("auc", "is the same for times of two values."),),
)

PAGES = (PEARSON, SPEARMAN, KENDALL, CONCORDANCE)
