"""Metrics of scored pairs: values by hand, perfect and constant answers, edges, groups, names."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from podium.scoring.metrics import metric_for, pair_metric_of
from podium.scoring.splits import ALL
from tests.builders.scoring.pairs import (
    EVERY,
    answers_of,
    random_case,
    scored_of,
    value,
)

LN = math.log

NUMBERS, TARGETS, UNITS = [0.8, 0.4, 0.4, 0.1, 0.6], [1, 1, 0, 0, 0], [0, 1, 0, 0, 1]

BY_HAND = {
    # 0.8 beats 3; 0.4 ties with one, beats 0.1, loses to 0.6.
    "auc": (3 + 1.5) / 6,
    # Unit 0: 0.8 above 0.4 and 0.1. Unit 1: 0.4 below 0.6.
    "gauc": 1 / 2,
    "gauc_weighted": 3 / 5,
    # Precision 1 at 0.8, 1/2 at 0.6, 2/4 at 0.4.
    "average_precision": 0.5 * 1 + 0.5 * 0.5,
    "pr_auc": 0.5 * (1 + 1) / 2 + 0.5 * (0.5 + 0.5) / 2,
    "log_loss": -(LN(0.8) + LN(0.4) + LN(0.6) + LN(0.9) + LN(0.4)) / 5,
    "normalized_entropy": (LN(0.8) + 2 * LN(0.4) + LN(0.6) + LN(0.9)) / (2 * LN(0.4) + 3 * LN(0.6)),
    "rce": 100 - 100 * (LN(0.8) + 2 * LN(0.4) + LN(0.6) + LN(0.9)) / (2 * LN(0.4) + 3 * LN(0.6)),
    "brier": (0.04 + 0.36 + 0.16 + 0.01 + 0.36) / 5,
    # 0.8 alone, 0.4 twice with one positive, 0.1 and 0.6 alone.
    "ece": (0.2 + 0.2 + 0.1 + 0.6) / 5,
    # Decided to be positive: 0.8, 0.6.
    "accuracy": 3 / 5,
    "f1_binary": 2 * 1 / (2 + 2),
    # 0.8, 0.6, 0.4, 0.4.
    "f1_binary_30": 2 * 2 / (4 + 2),
    "f2_binary": 5 * 1 / (5 * 1 + 1 + 4 * 1),
    "f05_binary_70": 1.25 * 1 / (1.25 * 1 + 0 + 0.25 * 1),
    "precision_binary_70": 1 / 1,
    "recall_binary": 1 / 2,
    # 1/2 up to a false positive rate of 1/3, then to 5/6 of the tie at 0.4.
    "auc_max_fpr": (1 + (1 / 2 * 1 / 3 + 1 / 6 * (1 / 2 + 1 / 8) - 1 / 8) / (3 / 8)) / 2,
    "auc_max_fpr_10": (1 + (0.05 - 0.005) / (0.1 - 0.005)) / 2,
    # Above 0.8: the tie's last 0.4 of its width, and a third.
    "auc_min_tpr_80": 0.2 * (1 / 3 + 0.4 / 3 / 2),
    "gini_binary": 2 * (3 + 1.5) / 6 - 1,
}


@pytest.mark.parametrize("name", EVERY)
def test_values_by_hand(name: str) -> None:
    assert value(name, NUMBERS, TARGETS, UNITS) == pytest.approx(BY_HAND[name], rel=1e-14)


@pytest.mark.parametrize("name", EVERY)
def test_a_perfect_answer_reaches_the_best_value_exactly(name: str) -> None:
    best = {
        "auc_min_tpr_80": 0.2,
        "log_loss": 0,
        "normalized_entropy": 0,
        "brier": 0,
        "ece": 0,
        "rce": 100,
    }
    assert value(name, [1, 0, 1, 0, 0, 1], [1, 0, 1, 0, 0, 1], [0, 0, 0, 1, 1, 1]) == best.get(
        name, 1
    )


def test_a_constant_answer_says_nothing() -> None:
    dice = random.Random(4)
    numbers, targets, units = random_case(dice)
    rate = sum(targets) / len(targets)
    same = [rate] * len(numbers)
    for name in ("auc", "gauc", "gauc_weighted", "auc_max_fpr_10"):
        assert value(name, same, targets, units) == pytest.approx(0.5, abs=1e-15)
    assert value("gini_binary", same, targets, units) == 0
    assert value("auc_min_tpr_80", same, targets, units) == pytest.approx(0.02)
    assert value("average_precision", same, targets, units) == pytest.approx(rate)
    assert value("normalized_entropy", same, targets, units) == pytest.approx(1)
    assert value("rce", same, targets, units) == pytest.approx(0, abs=1e-10)
    assert value("ece", same, targets, units) == pytest.approx(0)


def test_an_area_is_exact() -> None:
    found_ = pair_metric_of("auc").measure(scored_of([3, 2, 2, 1], [1, 0, 1, 0])).values[ALL]
    assert found_ == Fraction(7, 8)


def test_targets_above_zero_are_positive_whatever_they_count() -> None:
    counts = [3.5, 200, 0, 0, 0]
    for name in EVERY:
        counted, ones = (value(name, NUMBERS, each, UNITS) for each in (counts, TARGETS))
        assert counted == ones


def test_a_wrong_certainty_costs_the_logarithm_of_epsilon_and_no_more() -> None:
    for numbers in ([0, 1], [1e-300, 1], [1e-16, 1]):
        assert value("log_loss", numbers, [1, 0]) == pytest.approx(-LN(1e-15))
    assert value("rce", [0, 1], [1, 0]) == pytest.approx(100 + 100 * LN(1e-15) / LN(2))


def test_units_of_one_class_are_left_out_and_counted() -> None:
    numbers, targets = [0.9, 0.1, 0.3, 0.4, 0.7], [1, 0, 1, 1, 0]
    for name in ("gauc", "gauc_weighted"):
        measured = pair_metric_of(name).measure(scored_of(numbers, targets, [0, 0, 1, 1, 2]))
        assert measured.values == {ALL: Fraction(1)}
        assert measured.notes == {"units_of_one_class": {ALL: 2}}


def test_probabilities_at_the_edge_of_a_bin_or_of_a_decision() -> None:
    assert value("accuracy", [0.5, 0.4999], [1, 0]) == 1
    assert value("f1_binary", [0.5, 0.4999], [1, 0]) == 1
    # Bins 2, 3 and 9: 0.3 is the first of bin 3, and 1 is in the last bin.
    assert value("ece", [0.29, 0.3, 1.0], [1, 0, 1]) == pytest.approx((0.71 + 0.3) / 3)


@pytest.mark.parametrize("name", EVERY)
def test_the_mean_over_groups_is_that_of_each_group_alone(name: str) -> None:
    dice = random.Random(name)
    first, second = random_case(dice), random_case(dice)
    groups = [0] * len(first[0]) + [1] * len(second[0])
    numbers, targets, units = first[0] + second[0], first[1] + second[1], first[2] + second[2]
    both = pair_metric_of(name).measure(answers_of(numbers, targets, units, groups=groups).rows(0))
    alone = [pair_metric_of(name).measure(scored_of(*case)) for case in (first, second)]
    assert both.values[ALL] == (alone[0].values[ALL] + alone[1].values[ALL]) / 2
    if name == "ece":
        assert both.moves is None
        return
    # A unit that has pairs in both groups moves both.
    moved: dict[int, float] = {}
    for case, each in zip((first, second), alone, strict=True):
        assert each.moves is not None
        for unit, z in zip(sorted(set(case[2])), each.moves, strict=True):
            moved[unit] = moved.get(unit, 0) + z / 2
    assert both.moves is not None
    assert both.moves.to_list() == pytest.approx([moved[unit] for unit in sorted(moved)])


def test_where_nothing_is_decided_positive_decisions_have_0() -> None:
    for name in ("precision_binary", "recall_binary", "f1_binary", "f2_binary", "f05_binary"):
        measured = pair_metric_of(name).measure(scored_of([0.4, 0.1], [1, 0]))
        assert measured.values == {ALL: 0}
        assert measured.moves is not None
        assert measured.moves.to_list() == [0, 0]


def test_names_with_a_threshold() -> None:
    assert pair_metric_of("f1_binary_50") == pair_metric_of("f1_binary")
    assert pair_metric_of("f1_binary_05").id == "f1_binary_05"
    assert pair_metric_of("precision_binary_05").id == "precision_binary_05"
    for wrong in ("f1_binary_00", "f1_binary_5", "f1_binary_100", "f1_binary@50", "auc@5"):
        with pytest.raises(ValueError, match=r"f1_binary|auc"):
            pair_metric_of(wrong)
    with pytest.raises(ValueError, match="can only be a diagnostic"):
        metric_for("ece", task="scores", ranks=True)
    assert metric_for("ece", task="scores", ranks=False).id == "ece"
    for name in ("precision", "recall@5", "f1"):
        binary = f"{name.partition('@')[0]}_binary looks at decisions"
        for task in ("scores", "table"):
            with pytest.raises(ValueError, match=f"the task is {task}: {binary}"):
                metric_for(name, task=task, ranks=True)
    with pytest.raises(ValueError, match=r"ranking, and the task is rating$"):
        metric_for("precision", task="rating", ranks=True)
    with pytest.raises(ValueError, match="the task is rating"):
        metric_for("auc", task="rating", ranks=True)
