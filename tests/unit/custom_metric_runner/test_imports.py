"""The packages that a metric may import: what a file names, and what its code asks for."""

from __future__ import annotations

import sys

import pytest

from tests.builders.custom_metric_runner.bench import MetricBench

SCORE = "def score(solution, submission, row_id_column_name: str) -> float:\n"
GOOD = f"{SCORE}    return 0.5\n"

LIST = (
    "A metric may import the standard library, numpy, pandas, polars, scipy, scikit-learn,"
    " kaggle_metric_utilities, podium_metric"
)


@pytest.mark.parametrize("name", ["requests", "fastapi", "sqlalchemy", "podium", "joblib"])
@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("import {name}\n" + GOOD, 1),
        ("import json, {name}.inner as inner\n" + GOOD, 1),
        ("from {name}.inner import thing\n" + GOOD, 1),
        (SCORE + "    import {name}\n    return 0.5\n", 2),
        (SCORE + "    def inner():\n        from {name} import x\n    return 0.5\n", 3),
        ("if True:\n    import {name}\n" + GOOD, 2),
        ("try:\n    import {name}\nexcept ValueError:\n    pass\n" + GOOD, 2),
    ],
)
def test_an_import_that_is_not_on_the_list_is_a_problem_with_its_line(
    bench: MetricBench, name: str, source: str, line: int
) -> None:
    (problem,) = bench.check(source.replace("{name}", name)).problems

    assert (problem.code, problem.line) == ("import", line)
    assert problem.detail == f"{name} is not on the list of packages. {LIST}"


def test_all_of_them_are_told(bench: MetricBench) -> None:
    source = f"import requests\nimport fastapi\n{SCORE}    import psutil\n    return 0.5\n"

    problems = bench.check(source).problems

    assert sorted((each.line, each.detail.partition(" ")[0]) for each in problems) == [
        (1, "requests"),
        (2, "fastapi"),
        (4, "psutil"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "import os.path, json\nimport numpy as np\nimport pandas.api.types\nimport polars\n",
        "from scipy.stats import rankdata\nfrom sklearn.metrics import roc_auc_score\n",
        "import kaggle_metric_utilities\nfrom podium_metric import Result\n",
        "try:\n    import psutil\nexcept ImportError:\n    psutil = None\n",
        "try:\n    import psutil\nexcept (KeyError, ModuleNotFoundError):\n    psutil = None\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import psutil\n",
        "import typing\nif typing.TYPE_CHECKING:\n    import psutil\n",
    ],
)
def test_others_are_none(bench: MetricBench, source: str) -> None:
    assert bench.check(source + GOOD).problems == ()


def test_what_a_metric_can_do_without_it_does_without(bench: MetricBench) -> None:
    """The package is there, but the score shall not depend on the machine."""
    bench.small()
    source = (
        "try:\n    import psutil\nexcept ImportError:\n    psutil = None\n"
        f"{SCORE}    return 0.25 if psutil is None else 1.0\n"
    )

    assert bench.score(source) == 0.25


@pytest.mark.parametrize(
    "asks",
    [
        "__import__('psutil')",
        "import importlib; importlib.import_module('psutil')",
        "from importlib import import_module; import_module('psutil._common')",
    ],
)
def test_what_is_asked_for_by_a_name_fails_as_it_runs(bench: MetricBench, asks: str) -> None:
    bench.small()
    body = "".join(f"    {each}\n" for each in asks.split("; "))

    run = bench.run(f"{SCORE}{body}    return 0.5\n")

    assert run.outcome == "failed"
    assert f"ModuleNotFoundError: psutil is not on the list of packages. {LIST}" in run.report


def test_libraries_import_what_they_like(bench: MetricBench) -> None:
    bench.small()
    sys.modules.pop("joblib", None)
    source = f"{SCORE}    import sklearn.utils.parallel\n    return 0.5\n"

    assert bench.score(source) == 0.5


def test_imports_are_as_before_when_a_run_has_ended(bench: MetricBench) -> None:
    before = __import__
    bench.small()

    bench.score(GOOD)
    bench.check("import requests\n")

    assert __import__ is before


def test_a_version_that_goes_on_imports_what_it_did_and_is_told(bench: MetricBench) -> None:
    bench.small()
    source = f"import psutil\n{SCORE}    import joblib, psutil\n    return 0.5\n"

    run = bench.run(source, is_lenient=True)

    assert (run.outcome, run.score) == ("measured", (0.5).hex())
    assert run.warnings == tuple(
        f"{name} is not on the list of packages. {LIST}" for name in ("psutil", "joblib")
    )
    assert bench.run(source).outcome == "failed"
