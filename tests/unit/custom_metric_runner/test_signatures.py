"""Functions that are taken, and their arguments beside the tables."""

from __future__ import annotations

import pytest

from podium.custom_metric_runner.values import CustomArgument
from tests.builders.custom_metric_runner.bench import MetricBench


def test_further_arguments_have_types_and_defaults(bench: MetricBench) -> None:
    source = """
    from __future__ import annotations
    from typing import List, Optional, Union

    def score(
        solution, submission, row_id_column_name: str,
        needed: float,
        flag: bool = True,
        name: str | None = None,
        old: Optional[int] = 3,
        loose: str = None,
        either: Union[int, float] = 1,
        bare="uniform_average",
        many: List[str] = (),
        unknown: Nothing = None,
        *rest, **others,
    ) -> float: ...
    """

    checked = bench.check(source)

    assert checked.problems == ()
    assert checked.arguments == (
        CustomArgument(name="needed", type="float", is_required=True),
        CustomArgument(name="flag", type="bool", is_required=False, default="true"),
        CustomArgument(name="name", type="str", is_required=False, default="null"),
        CustomArgument(name="old", type="int", is_required=False, default="3"),
        CustomArgument(name="loose", type="str", is_required=False, default="null"),
        CustomArgument(name="either", type="float", is_required=False, default="1"),
        CustomArgument(name="bare", type="str", is_required=False, default='"uniform_average"'),
        CustomArgument(name="many", type="list[str]", is_required=False, default="[]"),
    )


def test_the_name_of_the_ids_may_be_called_otherwise(bench: MetricBench) -> None:
    bench.small()
    source = "def score(solution, submission, series_id_column_name: str) -> float:\n    return "

    assert bench.score(f"{source}float(series_id_column_name == 'id')") == 1.0


@pytest.mark.parametrize(
    ("source", "words", "line"),
    [
        ("x = 1", "there is no function score: it is score(solution", None),
        ("score = 3", "score is not a function: it is", None),
        ("def score(solution) -> float: ...", "score takes fewer than two tables: it is", 1),
        ("\ndef score(a, b) -> float: ...", "score takes no row_id_column_name and does not", 2),
        (
            "def score(a, b, row_id_column_name: str, k) -> float: ...",
            "k needs an annotation: bool, int, float, str, a list of one of these, or any of these",
            1,
        ),
        (
            "def score(a, b, row_id_column_name: str, k: list) -> float: ...",
            "k needs an annotation: bool, int, float, str, a list of one of these, or any of these",
            1,
        ),
    ],
)
def test_other_functions_are_problems(
    bench: MetricBench, source: str, words: str, line: int | None
) -> None:
    (problem,) = bench.check(source).problems

    assert problem.detail.startswith(words)
    assert problem.line == line


@pytest.mark.parametrize(
    ("source", "shape"),
    [
        ("from podium_metric import Result\ndef score(a, b) -> Result: ...", "podium"),
        ("import podium_metric as m\ndef score(a, b) -> 'm.Result': ...", "podium"),
        ("class Result: ...\ndef score(a, b, row_id_column_name: str) -> Result: ...", "kaggle"),
        ("def score(a, b, row_id_column_name: str) -> 'Result': ...", "kaggle"),
        ("def score(a, b, row_id_column_name): ...", "kaggle"),
    ],
)
def test_only_our_own_result_makes_the_other_shape(
    bench: MetricBench, source: str, shape: str
) -> None:
    checked = bench.check(source)

    assert (checked.problems, checked.shape) == ((), shape)
