"""Every metric has a page, and what it says about numbers is what the code finds."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sklearn

from podium.http.html.markdown import unshown_parts
from podium.scoring.metrics import REGISTRY
from podium.scoring.metrics.about import ABOUT

METRICS: dict[str, Any] = {
    name: metric for known in reversed(REGISTRY.values()) for name, metric in known.items()
}

WRITE = (
    "write what people ask about it as an AboutMetric, with an example worked out by hand, in its"
    " family's file in app/scoring/metrics/about, and name it in PAGES there; a new file is named"
    " in FAMILIES"
)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_has_a_page(name: str) -> None:
    assert name in ABOUT, f"the metric {name} has no page: {WRITE}"


def test_a_page_has_a_metric_and_a_metric_one_page() -> None:
    assert set(ABOUT) <= set(METRICS), "a page tells of a metric that is not in the registry"
    titles = [page.title for page in ABOUT.values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", ABOUT)
def test_the_example_is_what_the_scoring_code_finds(name: str) -> None:
    example = ABOUT[name].example
    assert example.metric.split("@")[0] == name
    assert round(example.compute(), 5) == example.value
    assert example.steps[-1].endswith(f"= {example.value:g}"), "the steps lead to the value"


def _area_of_lines(targets: Any, numbers: Any) -> float:
    precision, recall, _ = sklearn.precision_recall_curve(targets, numbers)
    return float(sklearn.auc(recall, precision))


SCIKIT_LEARN: dict[str, Any] = {
    "auc": sklearn.roc_auc_score,
    "average_precision": sklearn.average_precision_score,
    "pr_auc": _area_of_lines,
    "log_loss": sklearn.log_loss,
    "brier": sklearn.brier_score_loss,
    "accuracy": lambda targets, numbers: sklearn.accuracy_score(targets, numbers >= 0.5),
    "f1_binary": lambda targets, numbers: sklearn.f1_score(targets, numbers >= 0.5),
    "mae": sklearn.mean_absolute_error,
    "rmse": sklearn.root_mean_squared_error,
}


@pytest.mark.parametrize("name", SCIKIT_LEARN)
def test_scikit_learn_finds_the_example_s_value(name: str) -> None:
    example = ABOUT[name].example
    targets, numbers = (np.array(text.split(), dtype=float) for _, text in example.given)
    assert round(SCIKIT_LEARN[name](targets, numbers), 5) == example.value


@pytest.mark.parametrize("name", ABOUT)
def test_the_formula_can_be_shown(name: str) -> None:
    assert unshown_parts(f"$$\n{ABOUT[name].tex}\n$$").formulas == ()


@pytest.mark.parametrize("name", ABOUT)
def test_range_direction_and_averages_are_those_of_the_metric(name: str) -> None:
    about, metric = ABOUT[name], METRICS[name]
    assert ("higher" in about.value_range) == metric.higher_is_better
    assert ("lower" in about.value_range) == (not metric.higher_is_better)
    perfect = re.search("a perfect (list|answer) reaches 1", about.value_range)
    assert (perfect is not None) == metric.is_bounded
    assert ("macro:" in about.average, "micro" in about.average) == (
        "macro" in metric.averages and metric.is_mean,
        "micro" in metric.averages,
    )


@pytest.mark.parametrize("name", ABOUT)
def test_nothing_is_left_empty(name: str) -> None:
    about = ABOUT[name]
    assert all((about.symbols, about.standard_error, about.used_by, about.relatives, about.cases))
    sentences = [about.definition, about.average, about.value_range, about.standard_error]
    sentences += [text for _, text in (*about.cases, *about.relatives)]
    assert [text for text in sentences if not text.endswith(".")] == []
