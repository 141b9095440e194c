"""Metrics of scored pairs, as scikit-learn and slow, obvious computations have them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise, product
from statistics import fmean

import pytest
from scipy import stats
from sklearn import metrics as sklearn

from podium.scoring.metrics import pair_metric_of
from podium.scoring.splits import ALL
from tests.builders.scoring.pairs import EVERY, Case, random_case, scored_of, value

Reference = Callable[[Case], float]


def units_of(case: Case) -> list[tuple[list[float], list[int]]]:
    """Numbers and targets of each unit that has both classes."""
    parts: dict[int, tuple[list[float], list[int]]] = {}
    for number, target, unit in zip(*case, strict=True):
        numbers, targets = parts.setdefault(unit, ([], []))
        numbers.append(number)
        targets.append(target)
    return [each for each in parts.values() if len(set(each[1])) == 2]


def mean_area(case: Case, *, weighted: bool) -> float:
    parts = units_of(case)
    weights = [len(numbers) if weighted else 1 for numbers, _ in parts]
    areas = [sklearn.roc_auc_score(targets, numbers) for numbers, targets in parts]
    return math.fsum(a * w for a, w in zip(areas, weights, strict=True)) / sum(weights)


def log_loss(case: Case) -> float:
    # A wrong certainty has another ε there.
    given = zip(*case[:2], strict=True)
    numbers = [max(number, 1e-15) if positive else number for number, positive in given]
    return float(sklearn.log_loss(case[1], numbers))


def base_loss(case: Case) -> float:
    return float(sklearn.log_loss(case[1], [fmean(case[1])] * len(case[1])))


def straight_lines(case: Case) -> float:
    precision, recall, _ = sklearn.precision_recall_curve(case[1], case[0])
    return float(sklearn.auc(recall, precision))


def decided(case: Case, threshold: float) -> list[bool]:
    return [number >= threshold for number in case[0]]


def calibration(case: Case) -> float:
    bins: dict[int, float] = {}
    for number, target in zip(*case[:2], strict=True):
        place = min(math.floor(number * 10), 9)
        bins[place] = bins.get(place, 0.0) + number - target
    return math.fsum(map(abs, bins.values())) / len(case[0])


def above_rate(case: Case, least: float) -> float:
    """Kaggle's script of ISIC 2024, which undoes the standardization."""
    most = 1 - least
    targets, numbers = [1 - y for y in case[1]], [-n for n in case[0]]
    scaled = sklearn.roc_auc_score(targets, numbers, max_fpr=most)
    return float(most**2 / 2 + (most - most**2 / 2) / 0.5 * (scaled - 0.5))


LIBRARY: dict[str, Reference] = {
    "auc_max_fpr": lambda case: sklearn.roc_auc_score(case[1], case[0], max_fpr=0.5),
    "auc_max_fpr_10": lambda case: sklearn.roc_auc_score(case[1], case[0], max_fpr=0.1),
    "auc_min_tpr_80": lambda case: above_rate(case, 0.8),
    "gini_binary": lambda case: stats.somersd(case[1], case[0]).statistic,
    "auc": lambda case: sklearn.roc_auc_score(case[1], case[0]),
    "gauc": lambda case: mean_area(case, weighted=False),
    "gauc_weighted": lambda case: mean_area(case, weighted=True),
    "average_precision": lambda case: sklearn.average_precision_score(case[1], case[0]),
    "pr_auc": straight_lines,
    "log_loss": log_loss,
    "normalized_entropy": lambda case: log_loss(case) / base_loss(case),
    "rce": lambda case: (1.0 - log_loss(case) / base_loss(case)) * 100.0,
    "brier": lambda case: sklearn.brier_score_loss(case[1], case[0]),
    "ece": calibration,
    "accuracy": lambda case: sklearn.accuracy_score(case[1], decided(case, 0.5)),
    "f1_binary": lambda case: sklearn.f1_score(case[1], decided(case, 0.5)),
    "f1_binary_30": lambda case: sklearn.f1_score(case[1], decided(case, 0.3)),
    "f2_binary": lambda case: sklearn.fbeta_score(case[1], decided(case, 0.5), beta=2),
    "f05_binary_70": lambda case: sklearn.fbeta_score(case[1], decided(case, 0.7), beta=0.5),
    "precision_binary_70": lambda case: sklearn.precision_score(
        case[1], decided(case, 0.7), zero_division=0
    ),
    "recall_binary": lambda case: sklearn.recall_score(case[1], decided(case, 0.5)),
}


def wins(numbers: list[float], targets: list[int]) -> float:
    positives = [n for n, y in zip(numbers, targets, strict=True) if y]
    negatives = [n for n, y in zip(numbers, targets, strict=True) if not y]
    points = [(p > n) + (p == n) / 2 for p, n in product(positives, negatives)]
    return math.fsum(points) / len(points)


def steps(case: Case) -> list[tuple[float, float, float]]:
    """Precision, that of the point before, and the gain of recall at each different score."""
    numbers, targets, _ = case
    found, before, recall = [], 1.0, 0.0
    for threshold in sorted(set(numbers), reverse=True):
        hits = [y for n, y in zip(numbers, targets, strict=True) if n >= threshold]
        now = sum(hits) / sum(targets)
        found.append((fmean(hits), before, now - recall))
        before, recall = fmean(hits), now
    return found


def loss(case: Case) -> float:
    return fmean(-math.log(max(n if y else 1 - n, 1e-15)) for n, y in zip(*case[:2], strict=True))


def entropy(case: Case) -> float:
    rate = fmean(case[1])
    return -rate * math.log(rate) - (1 - rate) * math.log(1 - rate)


def hits(case: Case, threshold: float) -> int:
    return sum(n >= threshold and y for n, y in zip(*case[:2], strict=True))


def harmonic(case: Case, threshold: float, beta: float = 1) -> float:
    missed, square = sum(case[1]) - hits(case, threshold), beta * beta
    above = (1 + square) * hits(case, threshold)
    false = sum(decided(case, threshold)) - hits(case, threshold)
    return above / (above + false + square * missed)


def rates(case: Case) -> list[tuple[float, float]]:
    """False and true positive rates of what scores at least as much, for each threshold."""
    negatives, points = [1 - y for y in case[1]], [(0.0, 0.0)]
    for threshold in sorted(set(case[0]), reverse=True):
        chosen = decided(case, threshold)
        points.append(
            tuple(  # type: ignore[arg-type]
                sum(y for y, taken in zip(side, chosen, strict=True) if taken) / sum(side)
                for side in (negatives, case[1])
            )
        )
    return points


def area_up_to(points: list[tuple[float, float]], most: float) -> float:
    area = 0.0
    for (x, y), (end, top) in pairwise(points):
        if x < most and end > x:
            share = min(1.0, (most - x) / (end - x))
            area += share * (end - x) * (y + share * (top - y) / 2)
    return area


def standardized(case: Case, most: float) -> float:
    least = most**2 / 2
    return 0.5 * (1 + (area_up_to(rates(case), most) - least) / (most - least))


OBVIOUS: dict[str, Reference] = {
    "auc_max_fpr": lambda case: standardized(case, 0.5),
    "auc_max_fpr_10": lambda case: standardized(case, 0.1),
    "auc_min_tpr_80": lambda case: area_up_to([(1 - y, 1 - x) for x, y in rates(case)][::-1], 0.2),
    "gini_binary": lambda case: 2 * wins(*case[:2]) - 1,
    "auc": lambda case: wins(*case[:2]),
    "gauc": lambda case: fmean(wins(*part) for part in units_of(case)),
    "gauc_weighted": lambda case: (
        sum(len(part[0]) * wins(*part) for part in units_of(case))
        / sum(len(part[0]) for part in units_of(case))
    ),
    "average_precision": lambda case: math.fsum(p * gain for p, _, gain in steps(case)),
    "pr_auc": lambda case: math.fsum((p + q) / 2 * gain for p, q, gain in steps(case)),
    "log_loss": loss,
    "normalized_entropy": lambda case: loss(case) / entropy(case),
    "rce": lambda case: 100 - 100 * loss(case) / entropy(case),
    "brier": lambda case: fmean((n - y) ** 2 for n, y in zip(*case[:2], strict=True)),
    "ece": calibration,
    "accuracy": lambda case: fmean((n >= 0.5) == y for n, y in zip(*case[:2], strict=True)),
    "f1_binary": lambda case: harmonic(case, 0.5),
    "f1_binary_30": lambda case: harmonic(case, 0.3),
    "f2_binary": lambda case: harmonic(case, 0.5, beta=2),
    "f05_binary_70": lambda case: harmonic(case, 0.7, beta=0.5),
    "precision_binary_70": lambda case: hits(case, 0.7) / max(1, sum(decided(case, 0.7))),
    "recall_binary": lambda case: hits(case, 0.5) / sum(case[1]),
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("reference", [LIBRARY, OBVIOUS], ids=["scikit-learn", "obvious"])
def test_others_agree_on_random_pairs_with_ties(name: str, reference: dict[str, Reference]) -> None:
    dice = random.Random(name)
    for _ in range(100):
        case = random_case(dice)
        if reference is LIBRARY and any(n == 1 and not y for n, y in zip(*case[:2], strict=True)):
            continue
        assert value(name, *case) == pytest.approx(reference[name](case), rel=1e-11, abs=1e-11)


def test_where_each_unit_has_one_pair_the_standard_error_is_that_of_delong() -> None:
    dice = random.Random(7)
    for _ in range(100):
        numbers, targets, _ = random_case(dice, most=60)
        if min(sum(targets), len(targets) - sum(targets)) < 2:
            continue
        scored = scored_of(numbers, targets)
        moves = pair_metric_of("auc").measure(scored).moves
        assert moves is not None
        positives = [n for n, y in zip(numbers, targets, strict=True) if y]
        negatives = [n for n, y in zip(numbers, targets, strict=True) if not y]
        area = wins(numbers, targets)
        above = [fmean((p > n) + (p == n) / 2 for n in negatives) for p in positives]
        below = [fmean((p > n) + (p == n) / 2 for p in positives) for n in negatives]
        variance = sum(
            sum((share - area) ** 2 for share in shares) / len(shares) ** 2
            for shares in (above, below)
        )
        assert float((moves * moves).sum()) == pytest.approx(variance, rel=1e-12)
        assert scored.splits == (ALL,)
