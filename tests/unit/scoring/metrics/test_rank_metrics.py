"""Every rank metric describes itself, and a wrong id names none."""

from __future__ import annotations

import pytest

from podium.scoring.metrics import RANK_METRICS, metric_of
from tests.builders.scoring.queries import id_at

NAMES = sorted(RANK_METRICS)


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_says_what_it_is(name: str) -> None:
    metric = RANK_METRICS[name]
    assert metric.key == name
    assert metric.formula
    assert metric.source
    assert ">>> " in (metric.__doc__ or ""), "its docstring has an example"
    for average in metric.averages:
        again = metric(None if metric.takes_k == "never" else 7, average)
        assert metric_of(again.id) == again
        assert hash(metric_of(again.id)) == hash(again)


@pytest.mark.parametrize("name", NAMES)
def test_an_average_without_a_meaning_is_refused(name: str) -> None:
    if "micro" not in RANK_METRICS[name].averages:
        with pytest.raises(ValueError, match="no micro average"):
            metric_of(id_at(name, 5, "micro"))


@pytest.mark.parametrize(
    "wrong", ["ndcg", "ndcg@0", "ndcg@05", "ndcg@1001", "ndcg@20:mean", "magic@20", "@20", "NDCG@5"]
)
def test_an_id_that_names_no_metric_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"metric|name@K"):
        metric_of(wrong)
