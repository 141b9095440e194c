"""Values of further arguments: their types by annotation and default, and what each type takes."""

from __future__ import annotations

import math
from typing import Any

import pytest

from podium.custom_metric_runner.values import (
    MAX_ELEMENTS,
    NAMED,
    ONE_KIND,
    elements_of,
    value_of,
)
from tests.builders.custom_metric_runner.bench import MetricBench

ANNOTATED = {
    "list[float]": "list[float]",
    "List[float]": "list[float]",
    "Optional[List[float]]": "list[float]",
    "list[float] | None": "list[float]",
    "list[int | float]": "list[float]",
    "List[Union[int, float]]": "list[float]",
    "Sequence[int]": "list[int]",
    "typing.Sequence[bool]": "list[bool]",
    "Iterable[str]": "list[str]",
    "Collection[str]": "list[str]",
    "tuple[str, ...]": "tuple[str, ...]",
    "Tuple[int, ...]": "tuple[int, ...]",
    "tuple[float, float]": "tuple[float, float]",
    "Optional[Tuple[int, int, int]]": "tuple[int, int, int]",
}
"""Annotations, and the types that they have for people."""

HEAD = """
import typing
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Dict, List, Optional, Tuple, Union

"""


def given(annotation: str, default: str | None = "None") -> str:
    """A metric with one further argument, which it prints."""
    rest = "" if default is None else f" = {default}"
    note = annotation and f": {annotation}"
    return (
        f"{HEAD}def score(solution, submission, row_id_column_name: str, k{note}{rest}):\n"
        "    print(repr(k))\n"
        "    return 0.5\n"
    )


@pytest.mark.parametrize("annotation", ANNOTATED)
def test_annotations_of_lists_and_tuples_are_types_of_arguments(
    bench: MetricBench, annotation: str
) -> None:
    optional, required = bench.check(given(annotation)), bench.check(given(annotation, None))

    found = [(each.type, each.default) for each in optional.arguments + required.arguments]
    assert found == [(ANNOTATED[annotation], "null"), (ANNOTATED[annotation], None)]


@pytest.mark.parametrize(
    ("annotation", "default", "type_", "shown"),
    [
        ("", "[3, 1]", "list[int]", "[3, 1]"),
        ("", "(0.5, 1)", "tuple[float, ...]", "[0.5, 1]"),
        ("list", '["a"]', "list[str]", '["a"]'),
        ("List", "[True]", "list[bool]", "[true]"),
        ("list[float]", "()", "list[float]", "[]"),
        ("Sequence[float]", "(1, 2)", "list[float]", "[1, 2]"),
    ],
)
def test_a_default_is_shown_and_tells_the_type_where_no_annotation_does(
    bench: MetricBench, annotation: str, default: str, type_: str, shown: str
) -> None:
    (found,) = bench.check(given(annotation, default)).arguments

    assert (found.type, found.default) == (type_, shown)


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        ("", "[]"),
        ("", "[1, 'a']"),
        ("list", "None"),
        ("list", "(1, 2)"),
        ("list[Any]", "None"),
        ("List[List[float]]", "None"),
        ("list[Optional[float]]", "None"),
        ("tuple[int, str]", "None"),
        (f"tuple[{', '.join(['int'] * 17)}]", "None"),
        ("Dict[str, float]", "None"),
        ("set[int]", "None"),
        ("float | list[float]", "None"),
        ("list[float]", "{}"),
        ("list[float]", "[[1.0]]"),
        ("list[float]", f"[0.0] * {MAX_ELEMENTS + 1}"),
    ],
)
def test_an_argument_of_any_other_type_keeps_its_default(
    bench: MetricBench, annotation: str, default: str
) -> None:
    checked = bench.check(given(annotation, default))

    assert (checked.problems, checked.arguments) == ((), ())


@pytest.mark.parametrize(
    ("annotation", "value", "passed"),
    [
        ("list[float]", (3, 1.5), "[3.0, 1.5]"),
        ("Sequence[int]", (3, 2.0), "[3, 2]"),
        ("tuple[str, ...]", ("a", "b"), "('a', 'b')"),
        ("tuple[int, int]", (1, 2), "(1, 2)"),
        ("list[bool]", (True,), "[True]"),
        ("list[str]", (), "[]"),
        ("Optional[List[float]]", None, "None"),
    ],
)
def test_the_function_gets_a_list_or_a_tuple_of_its_type(
    bench: MetricBench, annotation: str, value: Any, passed: str
) -> None:
    bench.small()

    run = bench.run(given(annotation), arguments={"k": value})

    assert (run.outcome, run.output) == ("measured", f"{passed}\n")


@pytest.mark.parametrize(
    ("annotation", "value", "words"),
    [
        ("list[float]", (1, "a"), f"k takes {ONE_KIND}"),
        ("list[float]", ("a",), "k takes list[float], not 'a'"),
        ("list[int]", (1.5,), "k takes list[int], not 1.5"),
        ("list[float]", 1.0, "k takes list[float], an array of at most 1,000 values, not 1.0"),
        ("list[float]", (10**400,), "k takes list[float], not 1000"),
        ("float", (1.0,), "k takes float, not (1.0,)"),
        (
            "tuple[int, int]",
            (1, 2, 3),
            "k takes tuple[int, int], an array of at most 1,000 values, not (1, 2, 3)",
        ),
    ],
)
def test_other_values_have_failed(
    bench: MetricBench, annotation: str, value: Any, words: str
) -> None:
    bench.small()

    run = bench.run(given(annotation, None), arguments={"k": value})

    assert run.outcome == "failed"
    assert run.report.startswith(words)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ([1, "a"], ONE_KIND),
        ([1, True], ONE_KIND),
        ([[1]], ONE_KIND),
        ([None], ONE_KIND),
        ([1, math.nan], "an array of finite numbers"),
        ([-math.inf], "an array of finite numbers"),
        ([0] * 1_001, "an array of at most 1,000 elements, not 1,001"),
    ],
)
def test_an_array_is_flat_bounded_finite_and_of_one_type(array: list[Any], words: str) -> None:
    with pytest.raises(ValueError, match="^" + words):
        elements_of(array)


def test_a_long_array_of_numbers_of_both_kinds_is_taken() -> None:
    assert elements_of([0, 0.5] * 500) == (0, 0.5) * 500


def test_text_that_is_no_array_stays_text() -> None:
    assert value_of("3,1", "list[float]") == "3,1"
    assert value_of("[" * 100_000, "list[float]") == "[" * 100_000
    assert value_of("[1", "list[int]") == "[1"
    assert value_of('[1, "a"]', "list[int]") == '[1, "a"]'
    assert value_of("[NaN]", "list[float]") == "[NaN]"


def test_every_type_is_found_by_its_name() -> None:
    assert {name: str(each) for name, each in NAMED.items()} == {name: name for name in NAMED}
    assert len(NAMED) == 4 * (1 + 1 + 17)
