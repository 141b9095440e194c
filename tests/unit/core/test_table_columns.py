"""A described column has no bounds or values but those that its type allows."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from podium.core.competition_settings.tables import TableColumnChoice

ONLY_CATEGORIES = "a category, and nothing else, has values: name them"


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"type": "number", "minimum": -1, "maximum": 1}, None),
        ({"type": "integer", "minimum": 2, "maximum": 1}, "the minimum is above the maximum"),
        ({"type": "text", "minimum": 0}, "a text has no minimum or maximum"),
        ({"type": "labels", "maximum": 1}, "a labels has no minimum or maximum"),
        ({"type": "category"}, ONLY_CATEGORIES),
        ({"type": "category", "values": ["two words"]}, None),
        ({"type": "category", "values": ["a", "a"]}, "the same category twice"),
        ({"type": "integer", "values": ["1"]}, ONLY_CATEGORIES),
        ({"type": "labels"}, None),
        ({"type": "labels", "values": ["a", "b"]}, None),
        ({"type": "labels", "values": ["a\tb"]}, "a label is one word, without spaces"),
    ],
    ids=str,
)
def test_bounds_and_values_fit_the_type(given: dict[str, object], refusal: str | None) -> None:
    told = None
    try:
        TableColumnChoice.model_validate({"name": "x", **given})
    except ValidationError as refused:
        told = refused.errors()[0]["msg"].removeprefix("Value error, ")
    assert told == refusal
