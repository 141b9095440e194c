"""Metrics of tables, with values worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from podium.scoring.columns import ColumnType, TableColumn
from podium.scoring.metrics import (
    PAIR_METRICS,
    TABLE_METRICS,
    RowMetric,
    metric_for,
    metric_of,
    table_metric_of,
)
from podium.scoring.metrics.rows.custom import CustomMetricValue
from podium.scoring.metrics.rows.targets import rows_of
from podium.scoring.metrics.rows.texts import WITHOUT_SACREBLEU
from podium.scoring.splits import ALL
from tests.builders.tables.target_rows import value_of

COMPUTED = [
    name for name in TABLE_METRICS if not issubclass(TABLE_METRICS[name], CustomMetricValue)
]

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
        ("kappa_quadratic", [1, 2, 3], [1, 2, 2], 2 / 3),
        ("kappa_quadratic", [1, 2], [9, 9], 0),
        ("auc", [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], 7 / 8),
        ("auc_mean", {"a": [1, 1, 0], "b": [0, 1, 1]}, {"a": [3, 1, 2], "b": [1, 2, 2]}, 3 / 4),
        ("auc_ovr_weighted", ["a", "a", "b"], {"a": [3, 1, 2], "b": [0, 0, 0]}, 1 / 2),
        ("average_precision", [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], 5 / 6),
        ("pr_auc", [1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1], 11 / 12),
        ("f1_binary_30", [1, 0], [0.3, 0.29], 1),
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
        ("pearson", [1, 2, 3], [1.0, 3.0, 2.0], 0.5),
        ("pearson", [1, 2, 3], [5.0, 5.0, 5.0], 0),
        ("spearman", [10, 20, 90], [1.0, 3.0, 2.0], 0.5),
        ("spearman", [1, 2], [-0.0, 0.0], 0),
        ("kendall", [1, 2, 3], [1.0, 3.0, 2.0], 1 / 3),
        ("kendall", [1, 1, 2], [1.0, 2.0, 2.0], 1 / 2),
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
        ("kappa_quadratic", [1.5, 2], [1, 2], "a truth is no whole number"),
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
        ("dice_rle", ["1 2 3"], ["1 2"], "the truth '1 2 3' is no mask"),
        ("bleu", ["", None], ["", "a"], "all truths are empty"),
        ("mae", [], [], "there is no row"),
    ],
)
def test_a_truth_without_a_value_is_refused(
    metric: str, truth: Any, answers: Any, reason: str
) -> None:
    assert table_metric_of(metric).refusal(rows_of(truth, answers)) == reason


def test_weights_are_refused_where_a_metric_has_none() -> None:
    rows = rows_of([1, 2], [1.0, 2.0], [1.0, 2.0])
    assert table_metric_of("kendall").refusal(rows) == "kendall has no weights"
    assert table_metric_of("pearson").refusal(rows) is None


@pytest.mark.parametrize(
    ("metric", "types", "reason"),
    [
        ("accuracy", ["category"], None),
        ("accuracy", ["number", "number"], None),
        (
            "accuracy",
            ["category", "category"],
            "accuracy needs number, and the column c0 is category",
        ),
        ("mae", ["number", "number"], "mae looks at one column: make each column an objective"),
        ("auc_mean", ["number"], "auc_mean looks at several columns"),
        (
            "kappa_quadratic",
            ["number"],
            "kappa_quadratic needs integer, and the column c0 is number",
        ),
        ("rmsle", ["number"], "rmsle needs numbers from 0 on: give c0 a minimum"),
        (
            "levenshtein",
            ["number"],
            "levenshtein needs text or category, and the column c0 is number",
        ),
        ("own", ["text", "number"], None),
    ],
)
def test_columns_that_are_no_answers_are_unsuited(
    metric: str, types: list[ColumnType], reason: str | None
) -> None:
    columns = [
        TableColumn(name=f"c{n}", type=kind, values=("a",) if kind == "category" else ())
        for n, kind in enumerate(types)
    ]
    assert table_metric_of(metric).unsuited(columns) == reason


@pytest.mark.parametrize(
    ("metric", "least", "largest", "reason"),
    [
        ("rmsle", 0.0, None, None),
        ("rmsle", -1.0, 5.0, "rmsle needs numbers from 0 on: give x a minimum"),
        ("brier", 0.0, 1.0, None),
        ("brier", 0.25, 0.75, None),
        ("brier", None, 1.0, "brier needs probabilities: give x a minimum 0 and maximum 1"),
        ("brier", 0.0, 1.5, "brier needs probabilities: give x a minimum 0 and maximum 1"),
        ("brier", 0.0, None, "brier needs probabilities: give x a minimum 0 and maximum 1"),
    ],
)
def test_a_column_needs_the_range_that_a_metric_has(
    metric: str, least: float | None, largest: float | None, reason: str | None
) -> None:
    column = TableColumn(name="x", minimum=least, maximum=largest)
    assert table_metric_of(metric).unsuited([column]) == reason


@pytest.mark.parametrize("name", COMPUTED)
def test_a_column_with_missing_values_suits_texts_alone(name: str) -> None:
    metric: RowMetric = table_metric_of(name)
    types = metric.types_of_one or metric.types_of_several
    columns = [
        TableColumn(name=f"c{n}", type=types[0], is_optional=True, minimum=0.0, maximum=1.0)
        for n in range(1 if metric.types_of_one else 2)
    ]
    refused = metric.unsuited(columns)
    if metric.key in ("jaccard_rle", "dice_rle", "levenshtein", "levenshtein_normalized", "bleu"):
        assert refused is None
    else:
        assert refused == f"{name} needs a value in each row, and c0 is optional"


def test_a_mask_that_is_none_is_counted() -> None:
    found = table_metric_of("dice_rle").measure(rows_of(["1 4", "2 2"], ["3 4", "0 1"]))
    assert found.notes == {"unreadable_masks": {ALL: 1}}


def test_a_metric_without_its_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podium.scoring.metrics.rows.texts.find_spec", lambda _: None)
    assert table_metric_of("bleu").refusal(rows_of(["a"], ["a"])) == WITHOUT_SACREBLEU


@pytest.mark.parametrize("name", ["mae", "mse", "rmse", "smape", "r2", "pearson"])
def test_a_huge_number_has_a_value(name: str) -> None:
    found = table_metric_of(name).measure(rows_of([1.0, 2.0], [1e308, -1e308]))
    assert math.isfinite(float(found.values[ALL]))


def test_one_row_has_a_value_and_moves_nothing() -> None:
    for name, truth, answer in (("mae", 1, 2.0), ("accuracy", "a", "b"), ("levenshtein", "a", "b")):
        found = table_metric_of(name).measure(rows_of([truth], [answer]))
        assert found.values[ALL] == 1 - (name == "accuracy")
        assert found.moves is not None
        assert found.moves.to_list() == [0.0]


def test_values_are_exact_fractions_of_float64() -> None:
    found = table_metric_of("mae").measure(rows_of([0.0] * 3, [0.1, 0.2, 0.3]))
    assert found.values[ALL] == Fraction(float((Fraction(0.1) + Fraction(0.2) + Fraction(0.3)) / 3))


@pytest.mark.parametrize("name", sorted(set(PAIR_METRICS) & set(TABLE_METRICS)))
def test_a_name_of_pairs_means_the_same_for_tables(name: str) -> None:
    pair, table = PAIR_METRICS[name], TABLE_METRICS[name]
    for member in ("is_bounded", "lower_bound", "higher_is_better", "ranks"):
        assert getattr(pair, member) == getattr(table, member)
    assert isinstance(metric_for(name, task="table", ranks=False), RowMetric)


def test_ids_with_hundredths() -> None:
    assert table_metric_of("pinball_05").id == "pinball_05"
    assert table_metric_of("pinball").id == table_metric_of("pinball_50").id == "pinball"
    assert table_metric_of("f1_binary_30").id == "f1_binary_30"
    for wrong in ("pinball_00", "pinball_5", "pinball@90", "f1_binary_00", "f2_macro"):
        with pytest.raises(ValueError, match=r"pinball|f1_binary|f2_macro"):
            table_metric_of(wrong)


def test_a_metric_of_tables_is_no_metric_of_lists() -> None:
    with pytest.raises(ValueError, match="a metric of the task table, and the task is ranking"):
        metric_for("mcc", task="ranking", ranks=True)
    with pytest.raises(ValueError, match="task scores and table, and the task is ranking"):
        metric_for("log_loss", task="ranking", ranks=True)
    assert metric_of("pinball_90") == table_metric_of("pinball_90")


def test_calibration_ranks_no_table() -> None:
    with pytest.raises(ValueError, match="it can only be a diagnostic"):
        metric_for("ece", task="table", ranks=True)


def test_truths_and_answers_of_true_and_false_are_numbers() -> None:
    assert value_of("mae", [1, 0], [True, True]) == value_of("mae", [True, False], [1, 1]) == 0.5
