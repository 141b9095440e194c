"""The pages of metrics of labels."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.tables.description import (
    ERROR_BY_DERIVATIVE,
    ERROR_OF_MEAN,
    FILES,
    ROWS_ALIKE,
    example_of_tables,
)

FAMILY = "Labels of tables"

_COUNTS = (
    "TP, FP and FN of a class are the rows that are rightly answered as it, wrongly answered as it,"
    " and of it but answered as another; C is the number of classes."
)

_FORMS: tuple[Case, ...] = (
    *FILES,
    ("A column of numbers", "is the probability of 1: from 0.5 on the label is 1, else 0."),
    (
        "Several columns of numbers",
        "are one for each class: the label is the name of the largest, the first of equal ones.",
    ),
)

_ONE_CLASS: Case = ("A split of one class", "is refused with the solution.")

_UP_TO_1 = "0 to 1; higher is better, and a perfect answer reaches 1."

_FROM_MINUS_1 = (
    "−1 to 1; higher is better, and a perfect answer reaches 1. 0 is what chance reaches."
)

_TRUE = ("a", "a", "a", "b", "b")

_GIVEN = ("a", "a", "b", "b", "a")

_F1S = ("a: TP 2, FP 1, FN 1: F1 = 4 / 6.", "b: TP 1, FP 1, FN 1: F1 = 2 / 4.")

BALANCED_ACCURACY = AboutMetric(
    key="balanced_accuracy",
    family=FAMILY,
    title="Balanced accuracy",
    tex=r"\frac{1}{C} \sum_{c=1}^{C} \frac{\text{TP}_c}{\text{TP}_c + \text{FN}_c}",
    symbols=_COUNTS,
    definition=(
        "The share of rows that are decided right, for each class on its own, averaged. Rare"
        " classes count as much as frequent ones, so that always answering the most frequent one is"
        " worth no more than chance."
    ),
    example=example_of_tables(
        "balanced_accuracy",
        _TRUE,
        _GIVEN,
        steps=("a: 2 of 3 right. b: 1 of 2.", "(2/3 + 1/2) / 2 = 0.58333"),
        value=0.58333,
    ),
    cases=(*_FORMS, ("A class that is no truth of the split", "has no share.")),
    average="All classes of the truth count alike; within one, rows count by their weights.",
    value_range=f"{_UP_TO_1} With C classes, chance has 1 / C.",
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Kaggle competitions with rare classes", "Medical challenges"),
    elsewhere=(("scikit-learn", "balanced_accuracy_score"), ("torchmetrics", "Recall, macro")),
    relatives=(("accuracy", "counts all rows alike, so that frequent classes decide."),),
)

F1_MACRO = AboutMetric(
    key="f1_macro",
    family=FAMILY,
    title="F1, plain mean over classes (macro F1)",
    tex=r"\frac{1}{C} \sum_{c=1}^{C}"
    r" \frac{2 \text{TP}_c}{2 \text{TP}_c + \text{FP}_c + \text{FN}_c}",
    symbols=_COUNTS,
    definition=(
        "The harmonic mean of precision and recall of each class, averaged over classes. It rewards"
        " to find rare classes without naming them too often."
    ),
    example=example_of_tables(
        "f1_macro",
        _TRUE,
        _GIVEN,
        steps=(*_F1S, "(0.66667 + 0.5) / 2 = 0.58333"),
        value=0.58333,
    ),
    cases=(*_FORMS, ("A class that is answered and is no truth", "counts as a class, with F1 0.")),
    average="All classes count alike.",
    value_range=_UP_TO_1,
    standard_error=f"{ERROR_BY_DERIVATIVE} With few rows of a class intervals are too narrow.",
    used_by=("Kaggle's Human Protein Atlas (2018)", "Many courses"),
    elsewhere=(("scikit-learn", "f1_score, average='macro'"), ("torchmetrics", "F1Score, macro")),
    relatives=(
        ("f1_weighted", "weighs classes by their rows."),
        ("f1_binary", "looks at the class 1 alone, by a threshold."),
        ("mean_f1", "is of sets of items, query by query."),
    ),
)

F1_WEIGHTED = AboutMetric(
    key="f1_weighted",
    family=FAMILY,
    title="F1, mean over classes by their rows (weighted F1)",
    tex=r"\sum_{c=1}^{C} \frac{n_c}{n}"
    r" \frac{2 \text{TP}_c}{2 \text{TP}_c + \text{FP}_c + \text{FN}_c}",
    symbols=f"{_COUNTS} n with c is the number of rows of the class, n that of all.",
    definition=(
        "The harmonic mean of precision and recall of each class, averaged by how many rows are of"
        " the class. Frequent classes decide."
    ),
    example=example_of_tables(
        "f1_weighted",
        _TRUE,
        _GIVEN,
        steps=(*_F1S, "3/5 · 0.66667 + 2/5 · 0.5 = 0.6"),
        value=0.6,
    ),
    cases=_FORMS,
    average="Classes count by their rows in the truth, or by the weights of these.",
    value_range=_UP_TO_1,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Shared tasks of text classification",),
    elsewhere=(("scikit-learn", "f1_score, average='weighted'"),),
    relatives=(("f1_macro", "counts all classes alike."),),
)

F1_MICRO = AboutMetric(
    key="f1_micro",
    family=FAMILY,
    title="F1 of all classes together",
    tex=r"\frac{2 \sum_c \text{TP}_c}{\sum_c (2 \text{TP}_c + \text{FP}_c + \text{FN}_c)}",
    symbols=_COUNTS,
    definition=(
        "F1 of the counts of all classes, added up. As each row has one label, it is the accuracy;"
        " the name is here for who looks for it."
    ),
    example=example_of_tables(
        "f1_micro",
        _TRUE,
        _GIVEN,
        steps=("TP 3, FP 2, FN 2 over both classes.", "2 · 3 / (2 · 3 + 2 + 2) = 0.6"),
        value=0.6,
    ),
    cases=_FORMS,
    average=ROWS_ALIKE,
    value_range=_UP_TO_1,
    standard_error=ERROR_OF_MEAN,
    used_by=("Kaggle competitions of one label a row",),
    elsewhere=(("scikit-learn", "f1_score, average='micro'"),),
    relatives=(("accuracy", "is the same number."), ("f1_macro", "averages over classes.")),
)

MCC = AboutMetric(
    key="mcc",
    family=FAMILY,
    title="Matthews' correlation (MCC)",
    tex=r"\frac{c s - \sum_k t_k p_k}{\sqrt{(s^2 - \sum_k p_k^2) (s^2 - \sum_k t_k^2)}}",
    symbols=(
        "s is the number of rows, c of those that are right; t and p with k are those whose truth,"
        " or answer, is class k."
    ),
    definition=(
        "The correlation of answers and truths as classes. Unlike accuracy and F1 it is high only"
        " if all classes are answered well, whatever their sizes."
    ),
    example=example_of_tables(
        "mcc",
        (1, 1, 0, 0),
        (1, 0, 0, 0),
        steps=(
            "c = 3, s = 4; of 1 and 0: t = 2 and 2, p = 1 and 3.",
            "Above: 3 · 4 − (2 · 1 + 2 · 3) = 4. Below: √((16 − 10) · (16 − 8)) = 6.9282.",
            "4 / 6.9282 = 0.57735",
        ),
        value=0.57735,
    ),
    cases=(*_FORMS, _ONE_CLASS, ("The same answer for all rows", "scores 0.")),
    average=ROWS_ALIKE,
    value_range=_FROM_MINUS_1,
    standard_error=f"{ERROR_BY_DERIVATIVE} None for the same answer in all rows.",
    used_by=("Kaggle's Bosch Production Line (2016)", "Bioinformatics"),
    elsewhere=(("scikit-learn", "matthews_corrcoef"), ("torchmetrics", "MatthewsCorrCoef")),
    relatives=(("kappa", "compares with chance, too, by differences."),),
)

KAPPA = AboutMetric(
    key="kappa",
    family=FAMILY,
    title="Cohen's kappa",
    tex=r"\frac{p_o - p_e}{1 - p_e}",
    symbols=(
        "pₒ is the share of rows that are right; pₑ is the same for answers that were shuffled: the"
        " sum over classes of the share of truths times the share of answers."
    ),
    definition=(
        "By how much answers agree with the truth beyond chance. All wrong answers are alike: for"
        " grades take kappa_quadratic."
    ),
    example=example_of_tables(
        "kappa",
        (1, 1, 0, 0),
        (1, 0, 0, 0),
        steps=(
            "pₒ = 3/4; pₑ = 2/4 · 1/4 + 2/4 · 3/4 = 1/2.",
            "(0.75 − 0.5) / (1 − 0.5) = 0.5",
        ),
        value=0.5,
    ),
    cases=(*_FORMS, _ONE_CLASS, ("The same answer for all rows", "scores 0.")),
    average=ROWS_ALIKE,
    value_range=_FROM_MINUS_1,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("Studies of agreement between annotators",),
    elsewhere=(("scikit-learn", "cohen_kappa_score"), ("torchmetrics", "CohenKappa")),
    relatives=(("mcc", "is a correlation; both are 0 for chance."),),
)

KAPPA_QUADRATIC = AboutMetric(
    key="kappa_quadratic",
    family=FAMILY,
    title="Quadratic weighted kappa (QWK)",
    tex=r"1 - \frac{\sum_{i, j} O_{i j} (i - j)^2}{\sum_{i, j} E_{i j} (i - j)^2}",
    symbols=(
        "O are the shares of rows with truth i and answer j; E are those of answers that were"
        " shuffled: the share of truths i times the share of answers j."
    ),
    definition=(
        "Agreement of grades beyond chance: an answer that is off by two grades is four times as"
        " bad as one that is off by one. Grades are whole numbers."
    ),
    example=example_of_tables(
        "kappa_quadratic",
        (1, 2, 3),
        (1, 2, 2),
        steps=(
            "Observed: (0 + 0 + 1) / 3 = 0.33333.",
            "All nine combinations: (0 + 1 + 1 + 1 + 0 + 0 + 4 + 1 + 1) / 9 = 1.",
            "1 − 0.33333 / 1 = 0.66667",
        ),
        value=0.66667,
    ),
    cases=(
        *FILES,
        ("Columns other than integers", "are refused in the settings."),
        ("A grade that is no truth", "counts by its distance."),
        _ONE_CLASS,
    ),
    average=ROWS_ALIKE,
    value_range=_FROM_MINUS_1,
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=(
        "Kaggle's essay scoring (2012, 2024), diabetic retinopathy (2015, 2019), PetFinder (2019)",
    ),
    elsewhere=(("scikit-learn", "cohen_kappa_score, weights='quadratic', labels=all grades"),),
    relatives=(("kappa", "takes all wrong answers alike."),),
)

PAGES = (BALANCED_ACCURACY, F1_MACRO, F1_WEIGHTED, F1_MICRO, MCC, KAPPA, KAPPA_QUADRATIC)
