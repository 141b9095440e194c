"""Metrics of answers and of readers, worked by hand: F1, R-precision, precision over answers, RBP,
ERR, ARHR, average precision of whole lists; their ids, and what is kept for them."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import formula_of, nearest_metric, task_of
from podium.errors import InvalidInput
from podium.scoring.engine import judge
from podium.scoring.engine.lists import hits_of
from podium.scoring.hits import Hits
from podium.scoring.lists import reading
from podium.scoring.metrics import RankMetric, metric_for, metric_of, rank_metric_of
from podium.scoring.task import MAX_K, Objective, Task
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import WHOLE
from tests.builders.scoring.queries import Judged, Query, judged

A = Query({1: 1, 2: 1}, [1, 9, 2])
"""Hits at ranks 1 and 3 of two relevant items."""

GRADED = Query({1: 2, 2: 1, 3: 3}, [2, 9, 1, 1])
"""Relevance 1 at rank 1 and 2 at rank 3, of a greatest one of 3."""

COUNTING = ["precision_answered@2", "mean_f1"]
"""Metrics that need the lengths of lists."""


@pytest.mark.parametrize(
    ("metric", "query", "value"),
    [
        ("f1@1", A, 2 * 1 / (1 + 2)),
        ("f1@3", A, 2 * 2 / (3 + 2)),
        ("f1@10", A, 2 * 2 / (10 + 2)),
        ("r_precision", A, 1 / 2),
        ("r_precision", Query({1: 1, 2: 1, 3: 1}, [9, 1, 2, 3]), 2 / 3),
        ("r_precision", Query({1: 1}, [9, 1]), 0.0),
        ("precision_answered@2", A, 1 / 2),
        ("precision_answered@3", A, 2 / 3),
        ("precision_answered@99", A, 2 / 3),
        ("precision_answered@9", Query({1: 1}, [1, 1]), 1 / 2),
        ("precision_answered@9", Query({1: 1}, []), 0.0),
        ("mean_f1", A, 2 * 2 / (3 + 2)),
        ("mean_f1", Query({1: 1}, [1, 1]), 2 / 3),
        ("mean_f1", Query({1: 1}, []), 0.0),
        # At p = 0.8: 0.2 · (1 + 0.64).
        ("rbp@3", A, 0.328),
        ("rbp_80@3", A, 0.328),
        ("rbp_50@3", A, 0.625),
        ("rbp_05@3", A, 0.95 * (1 + 0.0025)),
        ("rbp_50@2", A, 0.5),
        ("arhr@3", A, 1 + 1 / 3),
        ("arhr@2", A, 1.0),
        # Each hit satisfies with chance 1/2: 1/2 + (1/2)(1/2)(1/3).
        ("err@3", A, 1 / 2 + 1 / 12),
        # R = 1/8 and 3/8: 1/8 + (7/8)(3/8)/3.
        ("err@9", GRADED, 1 / 8 + 7 / 64),
        ("map", A, (1 + 2 / 3) / 2),
        ("map", Query({1: 1}, [*range(2, 1001), 1]), 1 / 1000),
        ("map", Query({1: 1}, [*range(2, 1002), 1]), 0.0),
    ],
)
def test_a_value_is_that_worked_by_hand(
    tmp_path: Path, metric: str, query: Query, value: float
) -> None:
    graded = max(query.relevant.values()) > 1
    split = judged(tmp_path, [query], [metric], graded=graded).scored.splits["all"]
    assert float(split.values[""]) == pytest.approx(value, rel=1e-14)


def test_the_greatest_relevance_is_that_of_the_whole_ground_truth(tmp_path: Path) -> None:
    # The query alone has R = 3/4; beside a relevance of 5, found or not, 3/32.
    alone, beside = Query({1: 2}, [1]), Query({7: 5}, [8])
    for queries, value in (([alone], 3 / 4), ([alone, beside], 3 / 32)):
        found = judged(tmp_path, queries, ["err@1"], graded=True).values(metric_at("err@1"))
        assert found[0] == value


def test_relevances_of_a_thousand_leave_the_range_of_no_number(tmp_path: Path) -> None:
    queries = [Query({1: 1000, 2: 1}, [1]), Query({1: 1000, 2: 1}, [2])]
    found = judged(tmp_path, queries, ["err@1"], graded=True).values(metric_at("err@1"))
    assert found == [1.0, 2.0**-999 - 2.0**-1000]


def test_no_p_brings_a_list_of_hits_above_one() -> None:
    relevant = dict.fromkeys(range(MAX_K), 1)
    for percent in range(1, 100):
        value = rank_metric_of(f"rbp_{percent:02}@{MAX_K}").of_one(range(MAX_K), relevant)
        assert value <= 1
        assert value == pytest.approx(1 - (percent / 100) ** MAX_K, rel=1e-12)


def test_micro_f1_is_that_of_both_micro_averages(tmp_path: Path) -> None:
    queries = [A, Query({1: 1}, [9, 8, 1]), Query({5: 1, 6: 1}, [])]
    names = ["f1@2:micro", "precision@2:micro", "recall@2:micro"]
    split = judged(tmp_path, queries, names).scored.splits["all"]
    precision, recall = (split.diagnostics[name][""] for name in names[1:])
    assert (precision, recall) == (Fraction(1, 6), Fraction(1, 5))
    assert split.values[""] == 2 * precision * recall / (precision + recall) == Fraction(2, 11)


def test_standard_errors_are_those_of_the_mean(tmp_path: Path) -> None:
    queries = [A, Query({1: 1}, [9, 8]), Query({1: 1}, [1])]
    split = judged(tmp_path, queries, ["mean_f1", "precision_answered@3"]).scored.splits["all"]
    for values, error in (
        ([4 / 5, 0, 1], split.standard_error),
        ([2 / 3, 0, 1], split.diagnostic_errors["precision_answered@3"]),
    ):
        mean = sum(values) / 3
        spread = math.fsum((value - mean) ** 2 for value in values)
        assert error == pytest.approx(math.sqrt(spread / 2 / 3), rel=1e-12)


def metric_at(metric_id: str) -> RankMetric:
    return rank_metric_of(metric_id)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("recall", "the metric recall needs a K: recall@20"),
        ("rbp", "needs a K"),
        ("r_precision@5", "takes no K: write r_precision"),
        ("mean_f1@5", "takes no K"),
        ("mean_f1:micro", "no micro average"),
        ("rbp@5:micro", "no micro average"),
        ("precision_answered@5:micro", "no micro average"),
        ("rbp_00@5", "01 to 99"),
        ("rbp_8@5", "unknown metric 'rbp_8'"),
        ("rbp_100@5", "unknown metric 'rbp_100'"),
        ("ndcg_80@5", "unknown metric 'ndcg_80'"),
        ("mred@20", "scores by segments have it"),
        ("map@1001", "K from 1 to 1000"),
    ],
)
def test_an_id_that_says_too_much_or_too_little_is_refused(wrong: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        metric_of(wrong)


@pytest.mark.parametrize("metric", ["f1@20", "r_precision", "rbp_95@20", "map", "map@3", "mean_f1"])
def test_settings_take_an_id_as_it_is_written(metric: str) -> None:
    settings = CompetitionSettings.model_validate({"metric": metric, "diagnostics": [metric]})
    task = task_of(settings)
    assert {*task.metrics} == {metric}
    assert metric_for(metric, task="ranking", ranks=True).id == metric
    name, _, k = metric.partition("@")
    in_full = {"name": name, "k": int(k) if k else None}
    assert CompetitionSettings.model_validate({"metric": in_full}).metric.id == metric


def test_a_formula_tells_the_numbers_of_its_metric() -> None:
    formulas = {
        "rbp_95@20": "(1 − p) Σ p^(rank − 1) over the hits among the first 20 items, p = 0.95",
        "map": "Σ precision at each hit among the first 1000 items / relevant items",
    }
    for metric, formula in formulas.items():
        settings = CompetitionSettings.model_validate({"metric": metric})
        assert formula in formula_of(settings.metric, settings.task)


@pytest.mark.parametrize(
    "metric", ["sampled_hit_rate@10", "hit_rate_sampled@10", "sampled_mrr@10", "hit_rate_sample@1"]
)
def test_metrics_over_sampled_candidates_are_refused_with_the_reason(metric: str) -> None:
    with pytest.raises(ValueError, match=r"Krichene & Rendle 2020.*rank all items.*task rerank"):
        metric_of(metric)
    with pytest.raises(InvalidInput, match="Krichene & Rendle 2020"):
        task_of(CompetitionSettings.model_validate({"metric": metric}))


def test_other_words_with_sample_in_them_are_unknown() -> None:
    with pytest.raises(ValueError, match="unknown metric 'resampled'"):
        metric_of("resampled@10")
    assert nearest_metric("r_precison") == "Did you mean r_precision?"


def test_metrics_without_k_read_lists_as_deep_as_any() -> None:
    for metric in ("map", "r_precision", "mean_f1"):
        assert Task((Objective("", Decimal(1), metric),)).depth == MAX_K
    assert Task((Objective("", Decimal(1), "map@5"),), diagnostics=("f1@7",)).depth == 7


def some(folder: Path) -> Judged:
    queries = [A, Query({1: 1, 3: 1}, []), Query({}, [4, 5]), Query({2: 1}, [7, 8, 7, 2, 9])]
    return judged(folder, queries, COUNTING)


def test_lengths_are_kept_with_the_hits_for_metrics_that_count_them(tmp_path: Path) -> None:
    result = some(tmp_path)
    assert result.hits.lengths is not None
    assert result.hits.lengths.to_list() == [3, 0, 5]
    for metric, values in (("mean_f1", [4 / 5, 0, 2 / 6]), (COUNTING[0], [1 / 2, 0, 0])):
        assert result.values(metric_at(metric)) == values
    stored = pl.read_parquet(tmp_path / "hits")
    assert stored.filter(pl.col("item").is_null())["rank"].to_list() == [3, 0, 5]


def test_hits_of_other_tasks_hold_no_lengths(tmp_path: Path) -> None:
    result = judged(tmp_path, [A], ["recall@20", "f1@5", "map"])
    assert pl.read_parquet(tmp_path / "hits")["item"].null_count() == 0
    assert result.hits.lengths is None
    with pytest.raises(ValueError, match="without the lengths of lists"):
        metric_at("mean_f1").compute(result.hits, result.truth)


def test_lengths_outlive_another_version_of_the_truth(tmp_path: Path) -> None:
    result = some(tmp_path)
    fewer = replace(result.truth, frame=result.truth.frame.filter(pl.col("query") > 0))
    hits = Hits.read(tmp_path / "hits", fewer)
    assert hits.lengths is not None
    assert hits.lengths.to_list() == [0, 5]


@pytest.mark.parametrize("item_ids", ["integer", "string"])
@pytest.mark.parametrize("compiled", [True, False])
def test_lengths_are_the_same_for_every_reader_and_order_of_rows(
    tmp_path: Path, item_ids: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setattr(reading, "kernel", lambda: None)
    task = Task(
        (Objective("", Decimal(1), "mean_f1"),),
        diagnostics=("precision_answered@2",),
        id_column="user",
        item_ids=item_ids,  # type: ignore[arg-type] # as parametrized
    )
    truth_file, file = tmp_path / "truth.csv", tmp_path / "file.csv"
    truth_file.write_text("user,labels\n" + "".join(f"{n},{n} 9999\n" for n in range(3000)))
    truth, ids = read_ground_truth(truth_file, task=task, published=None, split=WHOLE)
    rows = [f"{n},{' '.join(str(n + place) for place in range(n % 7))}\n" for n in range(3000)]
    found = []
    for lines in (rows, rows[::-1], [*rows[1000:], *rows[:1000]]):
        file.write_text("user,labels\n" + "".join(lines))
        at_home = hits_of(file, truth, published=ids, scratch=tmp_path)
        assert at_home.lengths is not None
        assert at_home.lengths.to_list() == [n % 7 for n in range(3000)]
        scored = judge(file, task=task, published=ids, truth=truth, scratch=tmp_path)
        found.append(scored.splits["all"])
    assert found[0] == found[1] == found[2]


def test_none_is_an_item_of_its_own_where_ids_are_text(tmp_path: Path) -> None:
    # Kaggle's example of a submission, with a ground truth: None alone, beside others, missed.
    task = Task(
        (Objective("", Decimal(1), "mean_f1"),),
        id_column="order_id",
        labels_column="products",
        item_ids="string",
    )
    truth_file, file = tmp_path / "truth.csv", tmp_path / "file.csv"
    truth_file.write_text("order_id,products\n17,None\n34,None\n137,1 2 3\n182,39276 29259\n")
    file.write_text("order_id,products\n17,None\n34,None 1\n137,None\n182,29259 None 7\n")
    truth, ids = read_ground_truth(truth_file, task=task, published=None, split=WHOLE)
    scored = judge(file, task=task, published=ids, truth=truth, scratch=tmp_path)
    expected = Fraction(1) + Fraction(2, 3) + 0 + Fraction(2, 5)
    assert scored.splits["all"].values[""] == expected / 4
