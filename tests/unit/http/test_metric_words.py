"""The names of metrics on pages."""

from __future__ import annotations

import pytest

from podium.competitions.schemas.metrics import metric_definitions
from podium.http.html.texts import METRIC_WORDS, metric_words


@pytest.mark.parametrize("name", [each.name for each in metric_definitions()])
def test_every_metric_has_a_name_that_people_say(name: str) -> None:
    words = metric_words(f"{name}@10")
    assert words.endswith("@10")
    assert words.removesuffix("@10") in METRIC_WORDS.values()
    assert "_" not in words


def test_there_are_names_of_metrics_alone() -> None:
    known = {each.name.removesuffix("_90").removesuffix("_95") for each in metric_definitions()}
    assert {metric_words(name) for name in known} == set(METRIC_WORDS.values())
