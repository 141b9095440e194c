"""Every metric has a page, and what it says about numbers is what the code finds."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from podium.http.html.markdown import unshown_parts
from podium.scoring.metrics import REGISTRY
from podium.scoring.metrics.pages import (
    MalformedPage,
    MetricDescription,
    page_of,
    pages_folder,
    read_page,
    short_name,
)
from tests.unit.scoring.metrics.examples import numbers, value_of

METRICS: dict[str, Any] = {
    name: metric for known in reversed(REGISTRY.values()) for name, metric in known.items()
}

KEYS = sorted(path.stem for path in pages_folder().glob("*.md"))


def test_every_metric_has_a_page_and_every_page_a_metric() -> None:
    assert sorted(METRICS) == KEYS, "write docs/metrics/<key>.md, as the others are"
    titles = [page_of(name).title for name in KEYS]
    assert len(set(titles)) == len(titles)


def test_a_metric_has_a_name_that_people_say() -> None:
    names = [page_of(name).short for name in KEYS]
    assert [name for name in names if "_" in name or name[0].islower()] == []
    ids = ("rmsle", "f1_macro", "ndcg@10", "recall_capped@20:micro", "f1_binary_30", "pinball_90")
    names = ["RMSLE", "F1 (macro)", "NDCG@10", "Recall@20", "F1", "Pinball loss"]
    assert list(map(short_name, ids)) == names
    assert short_name("own_novelty") == "own_novelty"


@pytest.mark.parametrize("name", KEYS)
def test_the_example_is_what_the_scoring_code_finds(name: str) -> None:
    example = page_of(name).example
    assert example.metric.split("@")[0] == name
    assert round(value_of(page_of(name)), 5) == example.value
    assert example.steps[-1].endswith(f"= {example.value:g}"), "five decimals at most"


SCIKIT_LEARN = {
    "auc": "roc_auc_score",
    "average_precision": "average_precision_score",
    "pr_auc": "precision_recall_curve",
    "log_loss": "log_loss",
    "brier": "brier_score_loss",
    "accuracy": "accuracy_score",
    "f1_binary": "f1_score",
    "mae": "mean_absolute_error",
    "rmse": "root_mean_squared_error",
}
"""Names of its functions for the same."""


def _by_scikit_learn(name: str, targets: Any, answers: Any) -> float:
    # Importing it takes a second, and all workers collect this module.
    from sklearn import metrics

    function = getattr(metrics, SCIKIT_LEARN[name])
    if name == "pr_auc":
        precision, recall, _ = function(targets, answers)
        return float(metrics.auc(recall, precision))
    return float(
        function(targets, answers >= 0.5 if name in ("accuracy", "f1_binary") else answers)
    )


@pytest.mark.parametrize("name", SCIKIT_LEARN)
def test_scikit_learn_finds_the_example_s_value(name: str) -> None:
    example = page_of(name).example
    targets, answers = (np.array(numbers(text)) for _, text in example.given)
    assert round(_by_scikit_learn(name, targets, answers), 5) == example.value


@pytest.mark.parametrize("name", KEYS)
def test_the_formula_can_be_shown(name: str) -> None:
    assert unshown_parts(f"$$\n{page_of(name).tex}\n$$").formulas == ()


@pytest.mark.parametrize("name", KEYS)
def test_range_direction_and_averages_are_those_of_the_metric(name: str) -> None:
    about, metric = page_of(name), METRICS[name]
    assert about.direction == ("higher" if metric.higher_is_better else "lower")
    assert re.findall("higher|lower", about.value_range) == [about.direction]
    perfect = re.search("a perfect (list|answer) reaches 1", about.value_range)
    assert (perfect is not None) == metric.is_bounded
    assert ("macro:" in about.average, "micro" in about.average) == (
        "macro" in metric.averages and metric.is_mean,
        "micro" in metric.averages,
    )


@pytest.mark.parametrize("name", KEYS)
def test_nothing_is_left_empty(name: str) -> None:
    about = page_of(name)
    assert all((about.symbols, about.standard_error, about.used_by, about.relatives, about.cases))
    sentences = [about.definition, about.average, about.value_range, about.standard_error]
    sentences += [text for _, text in (*about.cases, *about.relatives)]
    assert [text for text in sentences if not text.endswith(".")] == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("---\n", "", "does not begin with front matter"),
        ("short: RMSE\n", "", "missing 1 required keyword-only argument: 'short'"),
        ("short: RMSE\n", "short: RMSE\nshrot: RMSE\n", "unexpected keyword argument 'shrot'"),
        ("## Used by\n", "## Users\n", "the sections are Formula, Example"),
        ("## Example: `rmse`\n", "## Example\n", "the sections are Formula, Example"),
        ("- **Average:** ", "- **Mean:** ", "the section Value has Range, Average"),
        ("- **A perfect file:** ", "- A perfect file: ", "does not begin with a name"),
    ],
)
def test_a_page_that_is_written_otherwise_is_refused(old: str, new: str, told: str) -> None:
    text = (pages_folder() / "rmse.md").read_text()
    assert isinstance(read_page(text), MetricDescription)
    with pytest.raises(MalformedPage, match=re.escape(told)):
        read_page(text.replace(old, new))
