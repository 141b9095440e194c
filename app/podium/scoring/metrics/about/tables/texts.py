"""The pages of metrics of masks and of texts."""

from __future__ import annotations

from podium.scoring.metrics.about.description import AboutMetric, Case
from podium.scoring.metrics.about.tables.description import (
    ERROR_BY_DERIVATIVE,
    ERROR_OF_MEAN,
    NO_WEIGHTS,
    ROWS_ALIKE,
    example_of_tables,
)

FAMILY = "Masks and texts"

_ROWS: Case = ("A missing row, or a row twice", "rejects the file.")

_MASKS: tuple[Case, ...] = (
    _ROWS,
    ("A missing value", "is an empty mask, where the column may have some."),
    ("Two empty masks", "score 1."),
    ("Text that is no mask", "scores 0; the notes count such rows."),
    ("Runs that overlap, or stand in any order", "are united."),
)

_PIXELS = (
    "A and B are the sets of pixels of the true mask and of the answer, n is the number of rows. A"
    " mask is written as start and length of each run, from pixel 1, down each column as at Kaggle."
)

_UP_TO_1 = "0 to 1; higher is better, and a perfect answer reaches 1."

_TEXTS: tuple[Case, ...] = (
    _ROWS,
    ("A missing value", "is an empty text, where the column may have some."),
    ("Two empty texts", "have the distance 0."),
    ("Case, spaces and accents", "count; nothing is folded."),
)

JACCARD = AboutMetric(
    key="jaccard_rle",
    family=FAMILY,
    title="Jaccard index of run-length masks (IoU)",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} \frac{| A_i \cap B_i |}{| A_i \cup B_i |}",
    symbols=_PIXELS,
    definition=(
        "The pixels in both masks as a share of those in one or the other, averaged over rows."
    ),
    example=example_of_tables(
        "jaccard_rle",
        ("1 4", "7 2 9 1"),
        ("3 4", "7 3"),
        steps=(
            "Pixels 1 to 4 and 3 to 6: 2 of 6.",
            "Pixels 7 to 9 both times: 1.",
            "(0.33333 + 1) / 2 = 0.66667",
        ),
        value=0.66667,
    ),
    cases=_MASKS,
    average=ROWS_ALIKE,
    value_range=_UP_TO_1,
    standard_error=ERROR_OF_MEAN,
    used_by=("Segmentation challenges",),
    elsewhere=(("scikit-learn", "jaccard_score, on pixels"), ("torchmetrics", "JaccardIndex")),
    relatives=(("dice_rle", "is 2 J / (1 + J) of each row."),),
)

DICE = AboutMetric(
    key="dice_rle",
    family=FAMILY,
    title="Dice coefficient of run-length masks",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} \frac{2 | A_i \cap B_i |}{| A_i | + | B_i |}",
    symbols=_PIXELS,
    definition="Twice the pixels in both masks, divided by the sizes of both, averaged over rows.",
    example=example_of_tables(
        "dice_rle",
        ("1 4", "7 2 9 1"),
        ("3 4", "7 3"),
        steps=(
            "Pixels 1 to 4 and 3 to 6: 2 · 2 / (4 + 4).",
            "Pixels 7 to 9 both times: 1.",
            "(0.5 + 1) / 2 = 0.75",
        ),
        value=0.75,
    ),
    cases=_MASKS,
    average=ROWS_ALIKE,
    value_range=_UP_TO_1,
    standard_error=ERROR_OF_MEAN,
    used_by=("Kaggle's Carvana (2017), Severstal (2019), UW-Madison GI Tract (2022)",),
    elsewhere=(("scikit-learn", "f1_score, on pixels"), ("MONAI", "DiceMetric")),
    relatives=(("jaccard_rle", "divides by the union."),),
)

LEVENSHTEIN = AboutMetric(
    key="levenshtein",
    family=FAMILY,
    title="Mean edit distance (Levenshtein)",
    tex=r"\frac{1}{n} \sum_{i=1}^{n} d ( y_i , \hat{y}_i )",
    symbols=(
        "n is the number of rows; d is the least number of characters to insert, delete or replace"
        " that makes the answer ŷᵢ the truth yᵢ."
    ),
    definition="The number of characters that would have to be corrected, averaged over rows.",
    example=example_of_tables(
        "levenshtein",
        ("sitting", "abc"),
        ("kitten", "abc"),
        steps=("kitten: k → s, e → i, and a g more: 3. abc: 0.", "(3 + 0) / 2 = 1.5"),
        value=1.5,
    ),
    cases=_TEXTS,
    average=ROWS_ALIKE,
    value_range="0 or more, in characters; lower is better.",
    standard_error=ERROR_OF_MEAN,
    used_by=("Kaggle's Bristol-Myers Squibb molecular translation (2021)",),
    elsewhere=(("rapidfuzz", "Levenshtein.distance"), ("NLTK", "edit_distance")),
    relatives=(("levenshtein_normalized", "divides by the length of the longer text."),),
)

LEVENSHTEIN_NORMALIZED = AboutMetric(
    key="levenshtein_normalized",
    family=FAMILY,
    title="Normalized edit distance",
    tex=r"\frac{1}{n} \sum_{i=1}^{n}"
    r" \frac{d ( y_i , \hat{y}_i )}{\max ( | y_i | , | \hat{y}_i | )}",
    symbols=(
        "n is the number of rows; d is the edit distance between the truth yᵢ and the answer ŷᵢ,"
        " and bars are lengths in characters."
    ),
    definition="The share of characters that would have to be corrected, averaged over rows.",
    example=example_of_tables(
        "levenshtein_normalized",
        ("sitting", "abc"),
        ("kitten", "abc"),
        steps=("3 of 7 characters, and 0 of 3.", "(0.42857 + 0) / 2 = 0.21429"),
        value=0.21429,
    ),
    cases=_TEXTS,
    average=ROWS_ALIKE,
    value_range="0 to 1; lower is better.",
    standard_error=ERROR_OF_MEAN,
    used_by=(
        "ICDAR's competitions on reading text",
        "Kaggle's Fingerspelling (2023), turned round",
    ),
    elsewhere=(("rapidfuzz", "Levenshtein.normalized_distance"),),
    relatives=(("levenshtein", "counts characters, so that long texts weigh more."),),
)

BLEU = AboutMetric(
    key="bleu",
    family=FAMILY,
    title="BLEU",
    tex=r"100 \cdot \min ( 1 , e^{1 - r / c} ) \prod_{n=1}^{4} p_n^{1 / 4}",
    symbols=(
        "pₙ is the share of the answers' runs of n words that are in the truth of their row, over"
        " all rows; c and r are the numbers of words of answers and truths."
    ),
    definition=(
        "How many runs of one to four words answers share with the truth, over all rows together,"
        " less what is too short. By sacrebleu with its defaults, one reference a row; it needs the"
        " extra bleu."
    ),
    example=example_of_tables(
        "bleu",
        ("the cat sat on the mat",),
        ("the cat sat on a mat",),
        steps=(
            "p₁ = 5/6, p₂ = 3/5, p₃ = 2/4, p₄ = 1/3; both have 6 words.",
            "100 · (0.83333 · 0.6 · 0.5 · 0.33333)^(1/4) = 53.7285",
        ),
        value=53.7285,
    ),
    cases=(
        _ROWS,
        ("A missing value", "is an empty text, where the column may have some."),
        ("No run of some length in common", "is smoothed, without a standard error."),
        NO_WEIGHTS,
        ("An installation without the extra bleu", "refuses the metric."),
    ),
    average="There is none to choose: runs of all rows are counted together.",
    value_range="0 to 100; higher is better.",
    standard_error=ERROR_BY_DERIVATIVE,
    used_by=("WMT's shared tasks of translation",),
    elsewhere=(("sacrebleu", "corpus_bleu"), ("torchmetrics", "SacreBLEUScore")),
    relatives=(("levenshtein", "counts characters, in order."),),
)

PAGES = (JACCARD, DICE, LEVENSHTEIN, LEVENSHTEIN_NORMALIZED, BLEU)
