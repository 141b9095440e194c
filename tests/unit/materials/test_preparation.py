"""The rules by which raw sessions and interactions are prepared, and what a version keeps of
them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from podium.materials.service.interactions import InteractionRecipe
from podium.materials.service.preparations import Recipe, recipe_from
from podium.materials.service.raw_sessions import SessionRecipe
from podium.preparation.clickstreams import Columns
from podium.preparation.options import ColumnChoice, Options

OPTIONS = Options(
    source=ColumnChoice(user="who", type="event", separator="::", header=False),
    threshold=3.5,
    protocol="share",
    share=0.25,
    objectives={"view": "next", "order": "all"},
)


@pytest.mark.parametrize(
    ("stored", "preparation"),
    [
        ({"days": 7, "columns": None}, SessionRecipe(7, None)),
        (
            {"days": 1.5, "columns": ["who", "what", "when", None, "iso", True]},
            SessionRecipe(1.5, Columns("who", "what", "when", None, "iso", text_ids=True)),
        ),
    ],
)
def test_rules_of_sessions_are_read_again(
    stored: dict[str, Any], preparation: SessionRecipe
) -> None:
    assert recipe_from(stored) == preparation
    assert preparation.stored() == stored


@pytest.mark.parametrize("recipe", [InteractionRecipe(Options()), InteractionRecipe(OPTIONS)])
def test_rules_of_interactions_are_read_again_after_they_were_json(recipe: Recipe) -> None:
    stored = json.loads(json.dumps(recipe.stored()))
    assert stored["recipe"] == "interactions"
    assert recipe_from(stored) == recipe
