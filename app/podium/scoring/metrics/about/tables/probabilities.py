"""The pages of metrics of several columns of probabilities or scores, one for each class."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.tables.description import (
    ERROR_BY_DERIVATIVE,
    ERROR_OF_MEAN,
    FILES,
    ROWS_ALIKE,
    example_of_tables,
)

FAMILY = "Columns of classes"

_RANGE = "0 to 1; higher is better, and a perfect answer reaches 1. Chance has 0.5."

_ONE_CLASS: Case = (
    "A column without a row that is of its class, or with such rows alone",
    "is refused with the solution.",
)

_CASES: tuple[Case, ...] = (
    *FILES,
    ("Numbers that do not add up to 1", "are allowed: only their order within a column matters."),
    _ONE_CLASS,
)

_TRUE = ("a", "a", "b")

_GIVEN = {"a": (0.9, 0.3, 0.4), "b": (0.2, 0.6, 0.6)}

_AREAS = ("a: 0.9 is above 0.4, and 0.3 is not: 1/2.", "b: 0.6 is above 0.2, and ties 0.6: 3/4.")

AUC_MEAN = AboutMetric(
    key="auc_mean",
    family=FAMILY,
    title="Mean column-wise AUC",
    tex=r"\frac{1}{K} \sum_{k=1}^{K} \text{AUC}_k",
    symbols="K is the number of columns; AUC with k is the area under the ROC curve of one.",
    definition=(
        "The area under the ROC curve of each column, averaged. A row may have a 1 in several"
        " columns of the solution, or in none, as a comment that is both toxic and obscene."
    ),
    example=example_of_tables(
        "auc_mean",
        {"a": (1, 1, 0), "b": (0, 1, 1)},
        _GIVEN,
        steps=(
            "a: 0.9 is above 0.4, and 0.3 is not: 1/2.",
            "b: 0.6 and 0.6 are above 0.2: 1.",
            "(0.5 + 1) / 2 = 0.75",
        ),
        value=0.75,
    ),
    cases=_CASES,
    average="All columns count alike.",
    value_range=_RANGE,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Kaggle's Jigsaw Toxic Comment (2018)", "BirdCLEF and other multi-label challenges"),
    elsewhere=(("scikit-learn", "roc_auc_score of several labels"),),
    relatives=(("auc_ovr_macro", "wants one class for each row."),),
)

AUC_OVR_MACRO = AboutMetric(
    key="auc_ovr_macro",
    family=FAMILY,
    title="AUC of each class against all others, plain mean",
    tex=r"\frac{1}{C} \sum_{c=1}^{C} \text{AUC}_c",
    symbols=(
        "C is the number of classes; AUC with c is the area under the ROC curve of the column of a"
        " class, whose rows are the positive ones."
    ),
    definition=(
        "How well the rows of each class are told from all others by its column, averaged over"
        " classes."
    ),
    example=example_of_tables(
        "auc_ovr_macro",
        _TRUE,
        _GIVEN,
        steps=(*_AREAS, "(0.5 + 0.75) / 2 = 0.625"),
        value=0.625,
    ),
    cases=_CASES,
    average="All classes count alike.",
    value_range=_RANGE,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Kaggle competitions of several classes",),
    elsewhere=(("scikit-learn", "roc_auc_score, multi_class='ovr', average='macro'"),),
    relatives=(
        ("auc_ovr_weighted", "weighs classes by their rows."),
        ("auc_mean", "lets a row be of several classes, or of none."),
    ),
)

AUC_OVR_WEIGHTED = AboutMetric(
    key="auc_ovr_weighted",
    family=FAMILY,
    title="AUC of each class against all others, by rows",
    tex=r"\sum_{c=1}^{C} \frac{n_c}{n} \text{AUC}_c",
    symbols=(
        "C is the number of classes, n with c that of the rows of one; AUC with c is the area under"
        " the ROC curve of its column."
    ),
    definition=(
        "How well the rows of each class are told from all others by its column, averaged by how"
        " many rows are of the class."
    ),
    example=example_of_tables(
        "auc_ovr_weighted",
        _TRUE,
        _GIVEN,
        steps=(*_AREAS, "2/3 · 0.5 + 1/3 · 0.75 = 0.58333"),
        value=0.58333,
    ),
    cases=_CASES,
    average="Classes count by their rows in the truth, or by the weights of these.",
    value_range=_RANGE,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Benchmarks of AutoML",),
    elsewhere=(("scikit-learn", "roc_auc_score, multi_class='ovr', average='weighted'"),),
    relatives=(("auc_ovr_macro", "counts all classes alike."),),
)

LOG_LOSS_NORMALIZED = AboutMetric(
    key="log_loss_normalized",
    family=FAMILY,
    title="Logarithmic loss of rescaled probabilities",
    tex=r"- \frac{1}{n} \sum_{i=1}^{n} \ln \frac{p_{i, y_i}}{\sum_k p_{i, k}}",
    symbols="n is the number of rows; p with i and k is the number given in row i for class k.",
    definition=(
        "The mean of −ln of the probability that was given to the true class, after each row has"
        " been divided by its sum, as Kaggle did. Rows need not add up to 1."
    ),
    example=example_of_tables(
        "log_loss_normalized",
        ("a", "b"),
        {"a": (0.2, 0.5), "b": (0.6, 0.5)},
        steps=(
            "0.2 / 0.8 = 0.25 and 0.5 / 1 = 0.5.",
            "(1.38629 + 0.69315) / 2 = 1.03972",
        ),
        value=1.03972,
    ),
    cases=(
        *FILES,
        ("A row of zeros", "counts as the same probability for all classes."),
        ("0 for the true class", "counts as 1e-15: a loss of 34.53878."),
        ("A column without a minimum of 0 or more", "is refused in the settings."),
    ),
    average=ROWS_ALIKE,
    value_range="0 to 34.53878; lower is better.",
    standard_error=ERROR_OF_MEAN,
    used_by=("Kaggle's Otto Group (2015), San Francisco Crime (2015), TalkingData (2016)",),
    elsewhere=(("scikit-learn", "log_loss, after dividing rows by their sums"),),
    relatives=(("log_loss", "takes the numbers as they are."),),
)

PAGES = (AUC_MEAN, AUC_OVR_MACRO, AUC_OVR_WEIGHTED, LOG_LOSS_NORMALIZED)
