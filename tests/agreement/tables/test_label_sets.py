"""Metrics of sets of labels, as scikit-learn computes them, and what each row moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl
import pytest
from sklearn import metrics as sklearn
from sklearn.preprocessing import MultiLabelBinarizer

from podium.scoring.kinds.label_sets import LABEL_SETS
from podium.scoring.metrics import row_metric_of
from podium.scoring.metrics.rows import ROW_METRICS, is_custom
from podium.scoring.metrics.rows.targets import rows_of
from podium.scoring.splits import ALL

AVERAGES = ("micro", "macro", "samples")

SCORES: dict[str, Callable[..., Any]] = {
    "precision": sklearn.precision_score,
    "recall": sklearn.recall_score,
    "f1": sklearn.f1_score,
    "jaccard": sklearn.jaccard_score,
}

LIBRARY: dict[str, Callable[..., Any]] = {
    f"{name}_{average}": partial(score, average=average, zero_division=0)
    for name, score in SCORES.items()
    for average in AVERAGES
}
LIBRARY |= {"hamming_loss": sklearn.hamming_loss, "subset_accuracy": sklearn.accuracy_score}


def sets(dice: random.Random, count: int, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """The true labels of some rows, and answers that are about half right; either may be empty."""
    true, given = [], []
    for _ in range(count):
        wanted = [label for label in labels[:-1] if dice.random() < 0.3]
        kept = [label for label in wanted if dice.random() < 0.7]
        kept += [label for label in labels if label not in wanted and dice.random() < 0.1]
        true.append(" ".join(wanted))
        given.append(" ".join(sorted(kept)))
    true[0] = true[0] or labels[0]
    return true, given


def test_every_metric_of_label_sets_is_looked_at() -> None:
    known = ROW_METRICS[LABEL_SETS.key]
    assert set(LIBRARY) == {name for name in known if not is_custom([name])}


@pytest.mark.parametrize("metric", LIBRARY)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_agrees(metric: str, seed: int) -> None:
    dice = random.Random(f"{metric} {seed}")
    for case in range(100):
        labels = [f"l{n}" for n in range(dice.randint(2, 8))]
        true, given = sets(dice, dice.randint(1, 40), labels)
        if len({label for text in (*true, *given) for label in text.split()}) < 2:
            # One column is not a case of several labels there.
            continue
        weights = [dice.uniform(0.1, 3) for _ in true] if case % 2 else None
        binarizer = MultiLabelBinarizer().fit([text.split() for text in (*true, *given)])
        both = [binarizer.transform([text.split() for text in part]) for part in (true, given)]
        expected = LIBRARY[metric](*both, sample_weight=weights)
        if metric == "hamming_loss":
            # Labels that are nowhere true make no row longer.
            expected *= len(binarizer.classes_) / int(both[0].any(axis=0).sum())
        found = row_metric_of(metric, LABEL_SETS.key).example_value(true, given, weights)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", LIBRARY)
def test_a_row_moves_by_the_derivative_by_its_weight(metric: str) -> None:
    dice = random.Random(metric)
    true, given = sets(dice, 40, ["a", "b", "c", "d", "e"])
    weights = [dice.uniform(0.5, 2) for _ in true]
    rows, measured = rows_of(true, given, weights), row_metric_of(metric, LABEL_SETS.key).measure
    found = measured(rows).moves
    assert found is not None
    assert sum(found) == pytest.approx(0, abs=1e-9)
    for place in range(0, 40, 3):
        ends = []
        for step in (1e-4, -1e-4):
            moved = [w * (1 + step * (n == place)) for n, w in enumerate(weights)]
            part = replace(rows, weights=pl.Series(moved))
            ends.append(float(measured(part).values[ALL]))
        slope = (ends[0] - ends[1]) / 2e-4
        assert found[place] == pytest.approx(slope, rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("metric", LIBRARY)
def test_no_order_of_rows_and_no_order_of_labels_changes_a_value(metric: str) -> None:
    dice = random.Random(metric)
    true, given = sets(dice, 60, ["a", "b", "c", "d", "e"])
    weights = [dice.uniform(0.5, 2) for _ in true]
    measured = row_metric_of(metric, LABEL_SETS.key).example_value
    places = dice.sample(range(60), 60)
    turned = [" ".join(reversed(given[n].split())) for n in places]
    shuffled = measured([true[n] for n in places], turned, [weights[n] for n in places])
    assert shuffled == measured(true, given, weights)
