"""Metrics of tables: the columns they look at, edges, and ids."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from podium.scoring.columns import ColumnType, TableColumn
from podium.scoring.metrics import (
    PAIR_METRICS,
    TABLE_METRICS,
    RowMetric,
    kinds_of_task,
    metric_for,
    metric_of,
    table_metric_of,
)
from podium.scoring.metrics.rows.custom import CustomMetricNumber, CustomMetricValue
from podium.scoring.metrics.rows.targets import rows_of
from podium.scoring.metrics.rows.texts import WITHOUT_SACREBLEU
from podium.scoring.splits import ALL
from tests.builders.tables.target_rows import value_of

COMPUTED = [
    name for name in TABLE_METRICS if not issubclass(TABLE_METRICS[name], CustomMetricValue)
]


def test_weights_are_refused_where_a_metric_has_none() -> None:
    rows = rows_of([1, 2], [1.0, 2.0], [1.0, 2.0])
    assert table_metric_of("kendall").refusal(rows) == "kendall has no weights"
    assert table_metric_of("pearson").refusal(rows) is None
    for name in ("kendall_weighted", "adjusted_rand"):
        assert table_metric_of(name).refusal(rows) == f"{name} has no weights"


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
        (
            "mae",
            ["number", "number"],
            "mae looks at one column: make each column an objective, or take mae_mean",
        ),
        ("mae_mean", ["number", "number"], None),
        (
            "mae_mean",
            ["number", "text"],
            "mae_mean needs number or integer or boolean, and the column c1 is text",
        ),
        ("accuracy_mean", ["category", "integer"], None),
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


def test_there_is_no_standard_error_of_weighted_ranks() -> None:
    found = table_metric_of("kendall_weighted").measure(rows_of([1, 2, 3], [1.0, 3.0, 2.0]))
    assert found.moves is None


@pytest.mark.parametrize(
    "name", ["mae", "mse", "rmse", "smape", "r2", "pearson", "gini_normalized", "kendall_weighted"]
)
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


def test_ids_of_means_over_columns() -> None:
    for name in ("r2_mean", "f1_binary_30_mean", "rmse_mean"):
        metric = metric_of(name)
        assert metric == metric_for(name, task="table", ranks=True)
        assert metric.id == name
        assert metric.formula_in_full.startswith("mean over columns of: ")
        assert kinds_of_task(name) == ("table",)
    assert kinds_of_task("f1_macro_mean") == ("table", "label-sets")
    assert not table_metric_of("auc_mean").is_column_mean
    assert table_metric_of("own_mean") == CustomMetricNumber("mean")
    for wrong in ("r2_mean_mean", "mcrmse_mean_mean", "auc_mean_mean"):
        with pytest.raises(ValueError, match="looks at several columns itself"):
            table_metric_of(wrong)
    with pytest.raises(
        ValueError, match="rmse_mean is a metric of the task table, and the task is rating"
    ):
        metric_for("rmse_mean", task="rating", ranks=True)
    with pytest.raises(ValueError, match="unknown metric 'precision_mean'"):
        metric_for("precision_mean", task="table", ranks=True)


def test_a_column_whose_error_is_unknown_leaves_the_mean_of_columns_without_one() -> None:
    truth = {"a": [1, 2, 3], "b": [1, 2, 4]}
    rows = rows_of(truth, {"a": [1.0, 3.0, 2.0], "b": [5.0] * 3})
    found = table_metric_of("pearson_mean").measure(rows)
    assert (found.values, found.moves) == ({ALL: Fraction(1, 4)}, None)


def test_notes_of_columns_are_added_up() -> None:
    masks = {"a": ["1 4", "2 2"], "b": ["1 1", "1 1"]}
    rows = rows_of(masks, {"a": ["1 4", "0 1"], "b": ["x", "2"]})
    found = table_metric_of("dice_rle_mean").measure(rows)
    assert found.values == {ALL: Fraction(1, 4)}
    assert found.notes == {"unreadable_masks": {ALL: 3}}


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
