"""The pages of metrics of scored pairs whose numbers are probabilities."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.examples import example_of_pairs

FAMILY = "Probabilities of pairs"

_SYMBOLS = (
    "n is the number of pairs; pᵢ is the probability given for pair i; yᵢ is 1 if its target is"
    " above 0, else 0."
)

_CASES: tuple[Case, ...] = (
    ("A missing pair", "rejects the file, as every published pair needs a number."),
    ("A pair twice", "rejects the file."),
    ("A number below 0 or above 1", "rejects the file."),
)

_ONE_CLASS: Case = (
    "A split without positive or negative pairs",
    "is refused with the ground truth.",
)

_TABLE: Case = (
    "A table of one column of probabilities",
    "is scored alike: a row is a pair, and stands alone; the column has a minimum of 0 and a"
    " maximum of 1.",
)

_PAIRS_ALIKE = (
    "There is none to choose: all pairs of a split count alike, so a user with many pairs weighs"
    " more than one with few."
)

_ERROR = (
    "From the spread between users or impressions: what the pairs of one add counts together, and"
    " the value is a ratio of sums (delta method). Differences between submissions are paired."
)

_TWO = [[(1.0, 0.8), (0.0, 0.5)]]

_LOSSES = "−ln(0.8) = 0.22314, and −ln(1 − 0.5) = 0.69315."

_MEAN = "Log loss: (0.22314 + 0.69315) / 2 = 0.45815."

_ENTROPY = "Half of the pairs are positive: entropy ln 2 = 0.69315."

_CERTAIN: Case = (
    "0 for a positive pair, or 1 for a negative one",
    "counts as if the truth had been given 1e-15: a loss of 34.53878.",
)

LOG_LOSS = AboutMetric(
    key="log_loss",
    family=FAMILY,
    title="Logarithmic loss (log loss, cross-entropy)",
    tex=r"- \frac{1}{n} \sum_{i=1}^{n} (y_i \ln p_i + (1 - y_i) \ln (1 - p_i))",
    symbols=_SYMBOLS,
    definition=(
        "The mean of −ln of the probability that was given to what is true. It rewards honest"
        " probabilities, and punishes hard who was sure and wrong. The best constant answer is the"
        " share of positive pairs."
    ),
    example=example_of_pairs(
        "log_loss", _TWO, steps=(_LOSSES, "(0.22314 + 0.69315) / 2 = 0.45815"), value=0.45815
    ),
    cases=(
        *_CASES,
        _CERTAIN,
        (
            "A table",
            "has a column with the probability of 1, or one for each class, named as the classes:"
            " then the loss is −ln of that of the true class. Columns have the minimum 0 and the"
            " maximum 1.",
        ),
    ),
    average=_PAIRS_ALIKE,
    value_range="0 to 34.53878; lower is better. 0.69315 is 0.5 for all.",
    standard_error=_ERROR,
    used_by=(
        "Criteo Display Advertising Challenge (2014), Avazu (2014)",
        "KKBox's Churn Prediction Challenge (WSDM Cup 2018)",
        "RecSys Challenge 2023 (ShareChat)",
    ),
    elsewhere=(
        ("scikit-learn", "log_loss; since version 1.2 with ε = 2.2e-16"),
        ("RecBole", "LogLoss"),
        ("Microsoft Recommenders", "logloss"),
    ),
    relatives=(
        ("normalized_entropy", "divides by the loss of the best constant answer."),
        ("brier", "squares distances, and never punishes without bound."),
    ),
)

NORMALIZED_ENTROPY = AboutMetric(
    key="normalized_entropy",
    family=FAMILY,
    title="Normalized entropy (NE, normalized cross-entropy)",
    tex=r"\frac{\text{log loss}}{- \pi \ln \pi - (1 - \pi) \ln (1 - \pi)}",
    symbols=f"{_SYMBOLS} π is the share of positive pairs in the split, or in the group of it.",
    definition=(
        "Log loss divided by that of who always says the base rate. Unlike log loss it can be"
        " compared between data of different base rates: below 1 is better than the base rate."
    ),
    example=example_of_pairs(
        "normalized_entropy",
        _TWO,
        steps=(_LOSSES, _MEAN, _ENTROPY, "0.45815 / 0.69315 = 0.66096"),
        value=0.66096,
    ),
    cases=(*_CASES, _CERTAIN, _ONE_CLASS, _TABLE),
    average=_PAIRS_ALIKE,
    value_range="0 or more; lower is better, and 1 is the base rate for all.",
    standard_error=f"{_ERROR} That the base rate varies with the sample is counted, too.",
    used_by=("He et al. (2014) on ads at Facebook, and papers after it",),
    elsewhere=(
        ("torcheval", "BinaryNormalizedEntropy"),
        ("TorchRec", "NEMetric"),
    ),
    relatives=(
        ("rce", "is 100 · (1 − NE): the same ranking, turned round."),
        ("log_loss", "is not divided."),
    ),
)

RELATIVE_CROSS_ENTROPY = AboutMetric(
    key="rce",
    family=FAMILY,
    title="Relative cross-entropy (RCE)",
    tex=r"100 \cdot (1 - \frac{\text{log loss}}{- \pi \ln \pi - (1 - \pi) \ln (1 - \pi)})",
    symbols=f"{_SYMBOLS} π is the share of positive pairs in the split, or in the group of it.",
    definition=(
        "By how many per cent the log loss is below that of who always says the base rate. 0 is no"
        " better than the base rate, and below 0 is worse: a file of careless probabilities easily"
        " gets there although its order is good."
    ),
    example=example_of_pairs(
        "rce",
        _TWO,
        steps=(_LOSSES, _MEAN, _ENTROPY, "100 · (1 − 0.458145 / 0.693147) = 33.9036"),
        value=33.9036,
    ),
    cases=(*_CASES, _CERTAIN, _ONE_CLASS, _TABLE),
    average=_PAIRS_ALIKE,
    value_range="At most 100, and any number below; higher is better, and 0 is the base rate.",
    standard_error=f"{_ERROR} That the base rate varies with the sample is counted, too.",
    used_by=("RecSys Challenges 2020 and 2021 (Twitter), for four engagements",),
    elsewhere=(("The challenges' script", "compute_rce"),),
    relatives=(
        ("normalized_entropy", "is 1 − RCE / 100."),
        ("pr_auc, average_precision", "looks at the order only; the challenges ranked by both."),
    ),
)

BRIER = AboutMetric(
    key="brier",
    family=FAMILY,
    title="Brier score",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} (p_i - y_i)^2",
    symbols=_SYMBOLS,
    definition=(
        "The mean squared distance between probability and truth. It rewards honest probabilities"
        " as log loss does, but a sure and wrong answer costs 1 at most."
    ),
    example=example_of_pairs(
        "brier",
        _TWO,
        steps=("(0.8 − 1)² = 0.04, and (0.5 − 0)² = 0.25.", "(0.04 + 0.25) / 2 = 0.145"),
        value=0.145,
    ),
    cases=(
        *_CASES,
        (
            "A table",
            "has a column with the probability of 1, or one for each class: then the squares of a"
            " row are added up, 2 at most. Columns have the minimum 0 and the maximum 1.",
        ),
    ),
    average=_PAIRS_ALIKE,
    value_range="0 to 1; lower is better. 0.25 is 0.5 for all.",
    standard_error=_ERROR,
    used_by=("Weather forecasts since 1950", "Papers on calibrated probabilities"),
    elsewhere=(("scikit-learn", "brier_score_loss"),),
    relatives=(
        ("rmse", "is the root of the same mean, of ratings."),
        ("log_loss", "punishes sure and wrong answers harder."),
    ),
)

CALIBRATION_ERROR = AboutMetric(
    key="ece",
    family=FAMILY,
    title="Expected calibration error (ECE)",
    tex=r"\frac{1}{n} \sum_{b=1}^{10} | \sum_{i \in b} p_i - \sum_{i \in b} y_i |",
    symbols=f"{_SYMBOLS} b are ten bins of equal width, by probability.",
    definition=(
        "How far probabilities are from what happened, bin by bin: of the pairs with p near 0.3,"
        " 30 % should be positive. A diagnostic: it never ranks teams, as who always says the base"
        " rate is calibrated, too."
    ),
    example=example_of_pairs(
        "ece",
        _TWO,
        steps=(
            "0.8 is in the bin from 0.8 to 0.9: |0.8 − 1| = 0.2.",
            "0.5 is in the bin from 0.5 to 0.6: |0.5 − 0| = 0.5.",
            "(0.2 + 0.5) / 2 = 0.35",
        ),
        value=0.35,
    ),
    cases=(
        *_CASES,
        ("A probability of 1", "is in the last bin, from 0.9."),
        ("A bin without pairs", "adds nothing."),
        _TABLE,
    ),
    average=_PAIRS_ALIKE,
    value_range="0 to 1; lower is better calibrated.",
    standard_error=(
        "None: the absolute value has no slope where a bin is calibrated, and noise alone is an"
        " error."
    ),
    used_by=("Papers on the calibration of classifiers and of click probabilities",),
    elsewhere=(("torchmetrics", "BinaryCalibrationError(n_bins=10, norm='l1')"),),
    relatives=(
        ("brier", "also rewards probabilities that tell pairs apart."),
        ("miscalibration", "is about categories in lists, something else."),
    ),
)

ACCURACY = AboutMetric(
    key="accuracy",
    family=FAMILY,
    title="Accuracy of decisions",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} [(p_i \ge 0.5) = y_i]",
    symbols=_SYMBOLS,
    definition=(
        "The share of pairs that are decided right, where p of at least 0.5 says positive. Where"
        " positive pairs are rare, who always says no has a high accuracy: look at other metrics"
        " first."
    ),
    example=example_of_pairs(
        "accuracy",
        _TWO,
        steps=("0.8 says positive, right. 0.5 says positive, wrong.", "1 / 2 = 0.5"),
        value=0.5,
    ),
    cases=(
        *_CASES,
        ("Exactly 0.5", "says positive."),
        (
            "A table",
            "has labels in a column, or a column of numbers for each class, whose largest is the"
            " label; a column of numbers alone is the probability of 1.",
        ),
    ),
    average=_PAIRS_ALIKE,
    value_range="0 to 1; higher is better, and a perfect answer reaches 1.",
    standard_error=_ERROR,
    used_by=("Courses", "EB-NeRD's library, beside other metrics"),
    elsewhere=(("scikit-learn", "accuracy_score, of p ≥ 0.5"),),
    relatives=(
        ("f1_binary", "does not count pairs that are rightly said to be negative."),
        ("auc", "needs no threshold."),
    ),
)

BINARY_F1 = AboutMetric(
    key="f1_binary",
    family=FAMILY,
    title="F1 of decisions (binary F1)",
    tex=r"\frac{2 TP}{2 TP + FP + FN}",
    symbols=(
        "TP are positive pairs that are said to be positive, FP negative pairs that are, FN"
        " positive pairs that are not."
    ),
    definition=(
        "The harmonic mean of precision and recall of what is said to be positive: p of at least a"
        " threshold, over all users together. The threshold stands behind the name in hundredths:"
        " f1_binary_30 has 0.30, and f1_binary 0.50."
    ),
    example=example_of_pairs(
        "f1_binary",
        _TWO,
        steps=(
            "0.8 says positive, right: TP = 1. 0.5 says positive, wrong: FP = 1. FN = 0.",
            "2 · 1 / (2 · 1 + 1 + 0) = 0.66667",
        ),
        value=0.66667,
    ),
    cases=(
        *_CASES,
        ("Exactly the threshold", "says positive."),
        ("Nothing is said to be positive", "scores 0."),
        _ONE_CLASS,
        _TABLE,
    ),
    average=_PAIRS_ALIKE,
    value_range="0 to 1; higher is better, and a perfect answer reaches 1.",
    standard_error=f"{_ERROR} With few hits intervals are too narrow.",
    used_by=("Courses", "EB-NeRD's library, beside other metrics"),
    elsewhere=(("scikit-learn", "f1_score, of p ≥ threshold"), ("torchmetrics", "BinaryF1Score")),
    relatives=(
        ("mean_f1", "is the mean over lists, without probabilities."),
        ("accuracy", "also counts what is rightly said to be negative."),
    ),
)

PAGES = (
    LOG_LOSS,
    NORMALIZED_ENTROPY,
    RELATIVE_CROSS_ENTROPY,
    BRIER,
    CALIBRATION_ERROR,
    ACCURACY,
    BINARY_F1,
)
