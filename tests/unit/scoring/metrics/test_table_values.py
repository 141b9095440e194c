"""Metrics of tables: values worked out by hand, and truths without a value."""

from __future__ import annotations

import math
from typing import Any

import pytest

from podium.scoring.metrics import (
    table_metric_of,
)
from podium.scoring.metrics.rows.targets import rows_of
from tests.builders.tables.target_rows import value_of

CLASSES = {"a": [0.7, 0.4, 0.1], "b": [0.2, 0.4, 0.3], "c": [0.1, 0.2, 0.6]}


@pytest.mark.parametrize(
    ("metric", "truth", "answers", "value"),
    [
        ("accuracy", ["a", "b", "b"], ["a", "b", "a"], 2 / 3),
        ("accuracy", [1, 0, 1], [0.5, 0.49, 0.2], 2 / 3),
        ("accuracy", ["a", "a", "c"], CLASSES, 1),
        ("accuracy", [True, False], ["True", "true"], 1 / 2),
        ("accuracy", [1.0, 2.0], ["1", "3"], 1 / 2),
        ("accuracy", [True, False], [1, 1], 1 / 2),
        ("balanced_accuracy", [0, 0, 0, 1], [0, 0, 0, 0], 1 / 2),
        ("balanced_accuracy", [0, 0], [0, 7], 1 / 2),
        ("f1_macro", ["a", "a"], ["a", "z"], (2 / 3 + 0) / 2),
        ("f1_weighted", ["a", "a", "b"], ["a", "a", "a"], 2 / 3 * 4 / 5),
        ("f1_micro", ["a", "a", "b"], ["a", "a", "a"], 2 / 3),
        ("mcc", [1, 1, 0, 0], [1, 0, 0, 0], 4 / math.sqrt(48)),
        ("mcc", [1, 1, 0], [1, 1, 1], 0),
        ("mcc", [1, 0], [0, 1], -1),
        ("kappa", [1, 1, 0, 0], [1, 0, 0, 0], 1 / 2),
        ("kappa", [1, 0], [1, 1], 0),
        ("adjusted_rand", ["a", "a", "b", "b"], ["x", "x", "y", "y"], 1),
        ("adjusted_rand", ["a", "a", "b", "b"], ["x", "y", "x", "y"], (0 - 2 / 3) / (2 - 2 / 3)),
        ("adjusted_rand", [1, 1, 2, 2], ["1", "1", "2", "3"], (1 - 1 / 3) / (3 / 2 - 1 / 3)),
        ("adjusted_rand", ["a", "a", "b"], ["x", "x", "x"], 0),
        ("adjusted_rand", ["a", "a", "b"], ["x", "y", "z"], 0),
        ("kappa_quadratic", [1, 2, 3], [1, 2, 2], 2 / 3),
        ("kappa_quadratic", [1, 2], [9, 9], 0),
        ("auc", [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], 7 / 8),
        # The first of two negatives is behind one of two positives.
        ("auc_max_fpr", [1, 1, 0, 0], [0.8, 0.4, 0.6, 0.1], (1 + (1 / 8) / (3 / 8)) / 2),
        # A tie of both classes is one line: half of a fifth of its width, and of its height.
        ("auc_max_fpr_20", [1, 0], [0.5, 0.5], 1 / 2),
        ("auc_max_fpr_20", [1, 1, 0], [0.9, 0.5, 0.5], (1 + (0.11 - 0.02) / (0.2 - 0.02)) / 2),
        ("auc_max_fpr_10", [1, 0], [0.1, 0.5], (1 + (0 - 0.005) / (0.1 - 0.005)) / 2),
        ("auc_max_fpr_07", [1, 0, 0, 0], [0.6, 0.5, 0.4, 0.4], 1),
        ("auc_min_tpr", [1, 1, 0, 0], [0.8, 0.4, 0.6, 0.1], 1 / 4),
        ("auc_min_tpr_80", [1, 0], [0.5, 0.5], 0.2 * 0.2 / 2),
        ("auc_min_tpr_80", [1, 0, 0], [0.5, 0.4, 0.3], 0.2),
        ("gini_binary", [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], 3 / 4),
        ("gini_binary", [1, 0], [0.1, 0.8], -1),
        ("gini_normalized", [1, 2, 9], [1.0, 3.0, 2.0], 1 / 8),
        ("gini_normalized", [1, 2, 9], [5.0, 5.0, 5.0], 0),
        ("gini_normalized", [-9, 2, 9], [3.0, 2.0, 1.0], -1),
        # Ginis 1, 0, 1/2: mean 1/2, slope −1/4, and 1/4, −1/2, 1/4 beside it.
        (
            "gini_stability",
            {"y": [1, 0, 1, 0, 1, 0, 1, 0], "week": [2, 2, 5, 5, 9, 9, 9, 9]},
            {"y": [0.9, 0.1, 0.5, 0.5, 0.8, 0.3, 0.5, 0.6]},
            1 / 2 - 88 / 4 - 0.5 * math.sqrt((1 / 16 + 1 / 4 + 1 / 16) / 3),
        ),
        # A rising trend is not rewarded.
        (
            "gini_stability",
            {"y": [1, 0, 1, 0], "week": [3, 3, 4, 4]},
            {"y": [0.5, 0.5, 0.9, 0.1]},
            1 / 2,
        ),
        ("auc_mean", {"a": [1, 1, 0], "b": [0, 1, 1]}, {"a": [3, 1, 2], "b": [1, 2, 2]}, 3 / 4),
        ("auc_ovr_weighted", ["a", "a", "b"], {"a": [3, 1, 2], "b": [0, 0, 0]}, 1 / 2),
        ("average_precision", [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], 5 / 6),
        ("pr_auc", [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], 11 / 12),
        ("f1_binary_30", [1, 0], [0.3, 0.29], 1),
        ("precision_binary", [1, 0, 0, 1], [0.5, 0.7, 0.2, 0.4], 1 / 2),
        ("precision_binary", [1, 0], [0.4, 0.2], 0),
        ("recall_binary_40", [1, 0, 0, 1, 1], [0.5, 0.7, 0.2, 0.4, 0.3], 2 / 3),
        ("f2_binary", [1, 0, 0, 1], [0.5, 0.7, 0.2, 0.4], 5 / (5 + 1 + 4)),
        ("f05_binary", [1, 0, 0, 1, 1], [0.5, 0.7, 0.2, 0.4, 0], 1.25 / (1.25 + 1 + 0.25 * 2)),
        ("log_loss", [1, 0], [0.8, 0.5], -math.log(0.4) / 2),
        ("log_loss", ["a", "b", "c"], CLASSES, -math.log(0.7 * 0.4 * 0.6) / 3),
        ("log_loss", ["a"], {"a": [0.0], "b": [1.0]}, -math.log(1e-15)),
        ("log_loss_normalized", ["a"], {"a": [0.2], "b": [0.6]}, math.log(4)),
        ("log_loss_normalized", ["a"], {"a": [0.0], "b": [0.0]}, math.log(2)),
        ("log_loss_normalized", {"a": [0], "b": [1]}, {"a": [0.0], "b": [0.1]}, 0),
        ("brier", [1, 0], [0.8, 0.5], 0.145),
        ("brier", ["a"], {"a": [0.5], "b": [0.3], "c": [0.2]}, 0.38),
        ("mae", [3, 5], [4.0, 2.0], 2),
        ("mse", [3, 5], [4.0, 2.0], 5),
        ("rmse", [3, 5], [4.0, 2.0], math.sqrt(5)),
        ("rmsle", [0, 1], [1.0, 3.0], math.log(2)),
        ("mcrmse", {"a": [0, 0], "b": [1, 1]}, {"a": [1.0, -1.0], "b": [4.0, 4.0]}, 2),
        ("mape", [2, 4], [3.0, 3.0], 0.375),
        ("smape", [1, 0], [3.0, 0.0], 0.5),
        ("pinball", [3, 5], [4.0, 2.0], 1),
        ("pinball_90", [3, 5], [4.0, 2.0], 1.4),
        ("r2", [1, 2, 3], [1.0, 2.0, 4.0], 0.5),
        ("r2_mean", {"a": [1, 2, 3], "b": [0, 1, 2]}, {"a": [1, 2, 4], "b": [0, 1, 2]}, 3 / 4),
        ("r2_mean", [1, 2, 3], [1.0, 2.0, 4.0], 0.5),
        ("pinball_90_mean", {"a": [3], "b": [5]}, {"a": [4.0], "b": [2.0]}, (0.1 + 2.7) / 2),
        (
            "accuracy_mean",
            {"a": ["x", "y"], "b": ["z", "z"]},
            {"a": ["x", "x"], "b": ["z"] * 2},
            0.75,
        ),
        (
            "concordance_mean",
            {"t": [1, 2, 3], "u": [1, 2, 3], "event": [1, 0, 1]},
            {"t": [1.0, 3.0, 2.0], "u": [2.0, 1.0, 3.0]},
            (1 + 1 / 2) / 2,
        ),
        ("pearson", [1, 2, 3], [1.0, 3.0, 2.0], 0.5),
        ("pearson", [1, 2, 3], [5.0, 5.0, 5.0], 0),
        ("spearman", [10, 20, 90], [1.0, 3.0, 2.0], 0.5),
        ("spearman", [1, 2], [-0.0, 0.0], 0),
        ("kendall", [1, 2, 3], [1.0, 3.0, 2.0], 1 / 3),
        ("kendall", [1, 1, 2], [1.0, 2.0, 2.0], 1 / 2),
        ("kendall_weighted", [3, 2, 1], [3.0, 1.0, 2.0], 2 / (11 / 3)),
        ("kendall_weighted", [3, 2, 1], [2.0, 3.0, 1.0], (-3 / 2 + 4 / 3 + 5 / 6) / (11 / 3)),
        ("kendall_weighted", [1, 2, 3], [5.0, 5.0, 5.0], 0),
        ("kendall_weighted", [1, 2, 2], [3.0, 1.0, 1.0], -1),
        ("concordance", [1, 2, 3], [1.0, 3.0, 3.0], 2.5 / 3),
        ("concordance", {"t": [1, 2, 3], "event": [1, 0, 1]}, {"t": [1.0, 3.0, 2.0]}, 1),
        ("jaccard_rle", ["1 4", None], ["3 4", ""], (1 / 3 + 1) / 2),
        ("dice_rle", ["1 4", "2 2"], ["3 4", "2 x"], (1 / 2 + 0) / 2),
        ("levenshtein", ["sitting", "é"], ["kitten", None], 2),
        ("levenshtein_normalized", ["sitting", ""], ["kitten", ""], 3 / 7 / 2),
        ("bleu", ["the cat sat on the mat"], ["the cat sat on the mat"], 100),
    ],
)
def test_a_value_by_hand(metric: str, truth: Any, answers: Any, value: float) -> None:
    assert value_of(metric, truth, answers) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("metric", "truth", "answers", "value"),
    [
        ("accuracy", ["a", "b"], ["a", "a"], 0.75),
        ("balanced_accuracy", [0, 0, 1], [0, 1, 1], (3 / 4 + 1) / 2),
        ("mae", [0, 0], [1.0, 5.0], 2),
        ("auc", [1, 1, 0], [0.3, 0.1, 0.2], 0.75),
        ("f1_binary", [1, 0, 1], [0.5, 0.5, 0.4], 6 / (6 + 1 + 1)),
        ("precision_binary", [1, 0, 1], [0.5, 0.5, 0.4], 3 / 4),
        ("recall_binary", [1, 0, 1], [0.5, 0.5, 0.4], 3 / 4),
        ("auc_max_fpr", [1, 1, 0], [0.3, 0.1, 0.2], (1 + (3 / 8 - 1 / 8) / (3 / 8)) / 2),
        ("gini_binary", [1, 1, 0], [0.3, 0.1, 0.2], 1 / 2),
        # Three rows of 9, one of 1, one of 2.
        ("gini_normalized", [9, 1, 2], [2.0, 1.0, 3.0], (9 * 0 * 3 - 4 + 2 * 4) / (27 * 2 - 4 - 4)),
        ("average_precision", [1, 0], [0.1, 0.2], 0.75),
        ("concordance", [1, 1, 2], [3.0, 1.0, 2.0], 0.25),
    ],
)
def test_a_row_of_weight_3_is_three_rows(
    metric: str, truth: Any, answers: Any, value: float
) -> None:
    weights = [3.0] + [1.0] * (len(truth) - 1)
    assert value_of(metric, truth, answers, weights) == pytest.approx(value, abs=1e-12)
    thrice = ([each[0]] * 3 + each[1:] for each in (truth, answers))
    assert value_of(metric, *thrice) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("metric", "truth", "answers", "reason"),
    [
        (
            "accuracy",
            ["a", None],
            ["a", "a"],
            "accuracy needs a truth in each row, and some are missing",
        ),
        ("accuracy", [0, 2], [0.0, 1.0], "2 is neither 0 nor 1"),
        (
            "accuracy",
            ["a", "z"],
            {"a": [0.5, 0], "b": [0.5, 1]},
            "the truth z names no column of answers",
        ),
        ("mcc", [1, 1], [1, 0], "all rows have the same truth"),
        ("kappa_quadratic", [1.5, 2], [1, 2], "a truth is not a whole number"),
        ("adjusted_rand", ["a", "a"], ["x", "y"], "all rows have the same truth"),
        ("adjusted_rand", ["a", "b"], ["x", "x"], "no two rows have the same truth"),
        ("auc_max_fpr", [1, 1], [0.1, 0.2], "all rows are of one class"),
        ("gini_normalized", [2, 2], [1.0, 2.0], "all truths are equal"),
        ("kendall_weighted", [2, 2], [1.0, 2.0], "all truths are equal"),
        ("gini_stability", [1, 0], [0.1, 0.2], "the solution needs a column week"),
        (
            "gini_stability",
            {"y": [1, 0], "week": [7, 7]},
            {"y": [0.1, 0.2]},
            "there is one week alone",
        ),
        (
            "gini_stability",
            {"y": [1, 0, 1], "week": [7, 7, 8]},
            {"y": [0.1, 0.2, 0.3]},
            "week 8: all rows are of one class",
        ),
        (
            "gini_stability",
            {"y": [1, 0], "week": ["a", "b"]},
            {"y": [0.1, 0.2]},
            "the truth is not a number in each row",
        ),
        ("auc", [1, 1], [0.1, 0.2], "all rows are of one class"),
        (
            "auc_mean",
            {"a": [1, 0], "b": [1, 1]},
            {"a": [1, 0], "b": [1, 0]},
            "b: all rows are of one class",
        ),
        (
            "auc_ovr_macro",
            {"a": [1, 1], "b": [0, 1]},
            {"a": [1, 0], "b": [1, 0]},
            "a row needs a 1 in one column of the truth",
        ),
        ("log_loss", ["x"], [0.5], "the truth is not a number in each row"),
        ("log_loss", [-1], [0.5], "a truth below 0 is neither 0 nor 1"),
        (
            "mcrmse",
            [1, 2],
            {"a": [1, 2], "b": [1, 2]},
            "the solution needs a column for each column of answers, with its name",
        ),
        (
            "r2_mean",
            [1, 2],
            {"a": [1, 2], "b": [1, 2]},
            "the solution needs a column for each column of answers, with its name",
        ),
        (
            "r2_mean",
            {"a": [1, 2], "b": [1, 1]},
            {"a": [1, 2], "b": [1, 2]},
            "b: all truths are equal",
        ),
        ("mape", [0, 1], [1.0, 1.0], "a truth is 0"),
        ("rmsle", [-1, 1], [1.0, 1.0], "a truth is below 0"),
        ("r2", [2, 2], [1.0, 1.0], "all truths are equal"),
        ("r2", [0.0, 1e-200], [1.0, 1.0], "all truths are equal"),
        ("spearman", [2, 2], [1.0, 2.0], "all truths are equal"),
        ("concordance", [2, 2], [1.0, 2.0], "no two rows are comparable"),
        (
            "concordance",
            {"t": [1, 2], "event": [0, 2]},
            {"t": [1, 2]},
            "the column event has 0 and 1 alone",
        ),
        ("dice_rle", ["1 2 3"], ["1 2"], "the truth '1 2 3' is not a mask"),
        ("bleu", ["", None], ["", "a"], "all truths are empty"),
        ("mae", [], [], "there is no row"),
    ],
)
def test_a_truth_without_a_value_is_refused(
    metric: str, truth: Any, answers: Any, reason: str
) -> None:
    assert table_metric_of(metric).refusal(rows_of(truth, answers)) == reason


@pytest.mark.parametrize("share", [1, 7, 10, 20, 29, 33, 50, 80, 99])
def test_a_perfect_order_has_the_whole_of_a_partial_area(share: int) -> None:
    for count in (1, 2, 3, 7, 10, 101):
        truth = [1] * 3 + [0] * count
        answers = [0.9] * 3 + [0.5 - 0.1 * (row % 2) for row in range(count)]
        assert value_of(f"auc_max_fpr_{share:02}", truth, answers) == 1
        assert value_of(f"auc_min_tpr_{share:02}", truth, answers) == (100 - share) / 100
