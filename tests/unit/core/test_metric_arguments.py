"""Values of a custom metric's arguments in settings: which are taken, and which are not."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from podium.core.competition_settings.metric_arguments import argument_problems
from podium.core.competition_settings.tables import CustomMetric
from podium.custom_metric_runner.values import ONE_KIND


def problems(type_: str, value: Any, default: str | None = None) -> list[str]:
    """The problems of a value for an argument of this type."""
    wanted = {"name": "k", "type": type_, "is_required": default is None, "default": default}
    return [words for _, words in argument_problems({"k": value}, [wanted])]


@pytest.mark.parametrize(
    ("type_", "good", "bad", "words"),
    [
        ("bool", True, 1, "true or false"),
        ("int", 3, 2.5, "a whole number"),
        ("float", 3, True, "a number"),
        ("str", "a", 1, "a text"),
        ("list[bool]", (True, False), (1,), "a list of at most 1,000 truth values"),
        ("list[int]", (1, 2), (0.5,), "a list of at most 1,000 whole numbers"),
        ("list[float]", (1, 0.5), ("a",), "a list of at most 1,000 numbers"),
        ("tuple[str, ...]", ("a", "b"), "a", "a list of at most 1,000 texts"),
        ("tuple[float, float]", (1, 2), (1, 2, 3), "a list of 2 numbers"),
    ],
)
def test_a_value_has_the_type_of_its_argument(type_: str, good: Any, bad: Any, words: str) -> None:
    assert problems(type_, good) == []
    assert problems(type_, bad) == [f"The argument “k” is {words}."]


def test_nothing_is_a_value_where_it_is_the_default() -> None:
    assert problems("list[float]", None, "null") == []
    assert problems("list[float]", None, "[]") == [
        "The argument “k” is a list of at most 1,000 numbers."
    ]


def test_a_type_of_an_earlier_version_takes_anything() -> None:
    assert problems("Decimal", (1, 2)) == []


def test_arrays_of_settings_are_kept_as_they_are() -> None:
    given = {"version": 1, "arguments": {"weights": [3, 0.5], "names": ["a"], "none": [], "k": 2}}

    own = CustomMetric.model_validate(given)

    assert own.arguments == {"weights": (3, 0.5), "names": ("a",), "none": (), "k": 2}
    assert own.model_dump(mode="json")["arguments"] == given["arguments"]


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ([1, "a"], f"this takes {ONE_KIND}"),
        ([[1]], f"this takes {ONE_KIND}"),
        ([{}], f"this takes {ONE_KIND}"),
        ([float("nan")], "this takes an array of finite numbers"),
        ([float("inf")], "this takes an array of finite numbers"),
        ([1] * 1_001, "this takes an array of at most 1,000 elements, not 1,001"),
    ],
)
def test_other_arrays_are_refused_with_one_reason(array: list[Any], words: str) -> None:
    with pytest.raises(ValidationError) as refused:
        CustomMetric.model_validate({"version": 1, "arguments": {"k": array}})

    (found,) = refused.value.errors()
    assert found["loc"] == ("arguments", "k")
    assert str(found["ctx"]["error"]) == words
