"""The facts of a competition that `podium competitions show` prints."""

from __future__ import annotations

from typing import Any

import pytest

from podium.cli.participant.competitions import submitted_columns

PAIRS = {"id_column": "user", "item_column": "item", "labels_column": "score"}


@pytest.mark.parametrize(
    ("document", "columns"),
    [
        ({"task": "ranking", "objectives": {"a": 1, "b": 1}}, ["user", "score"]),
        ({"task": "rating", "objectives": {"a": 1}}, ["user", "item", "score"]),
        ({"task": "scores", "objectives": {"a": 1}, "item_column": ""}, ["user", "score"]),
        (
            {"task": "scores", "objectives": {"a": 1, "b": 1}, "context_column": "view"},
            ["user", "item", "view", "a", "b"],
        ),
    ],
)
def test_columns_are_those_of_a_submission(document: dict[str, Any], columns: list[str]) -> None:
    assert submitted_columns({**PAIRS, **document}) == columns
