"""The tasks about metric files on Polars frames of a few rows, run in the process of a test. A
test's own metric is run as it stands: nothing is isolated here."""

from __future__ import annotations

import ast
import io
import random
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Any

import polars as pl

from podium.sandbox.definitions.own_metrics import (
    CheckMetric,
    CodeProblem,
    MetricChecked,
    MetricRun,
    OwnArgument,
    RunMetric,
)
from podium.sandbox.registry import registered

PACKAGES = {"polars": pl.__version__}


def check(_: Any, task: CheckMetric) -> MetricChecked:
    """Parses the file, and looks at the arguments of `score` after the third."""
    problems, arguments, description = [], [], ""
    try:
        tree = ast.parse(task.metric.read_bytes().decode())
    except SyntaxError as error:
        problems.append(CodeProblem(code="syntax", detail=str(error.msg), line=error.lineno))
    else:
        found = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
        if not found:
            problems.append(CodeProblem(code="unfinished", detail="There is no function score."))
        else:
            description = ast.get_docstring(found[0]) or ""
            arguments = [_argument(found[0], place) for place in range(3, len(found[0].args.args))]
    return MetricChecked(
        problems=tuple(problems),
        shape=None if problems else "podium",
        arguments=tuple(arguments),
        has_per_row=False,
        doctests=0,
        description=description,
        packages=PACKAGES,
        output="",
    )


def _argument(function: ast.FunctionDef, place: int) -> OwnArgument:
    found = function.args.args[place]
    first = len(function.args.args) - len(function.args.defaults)
    default = None if place < first else ast.unparse(function.args.defaults[place - first])
    kind = ast.unparse(found.annotation) if found.annotation else "float"
    return OwnArgument(name=found.arg, type=kind, is_required=default is None, default=default)


def run(_: Any, task: RunMetric) -> MetricRun:
    """Scores the rows of the split."""
    solution = pl.read_parquet(task.solution)
    if task.shuffled_by is not None:
        solution = solution.sample(fraction=1, shuffle=True, seed=task.shuffled_by)
    answers = pl.read_parquet(task.columns)[solution["place"].to_list()]
    random.seed(task.hash_seed)
    printed, code = io.StringIO(), task.metric.read_text()
    within: dict[str, Any] = {}
    try:
        with redirect_stdout(printed):
            exec(compile(code, "metric.py", "exec"), within)  # noqa: S102 - a test's own metric
            score = within["score"](
                solution.drop("place"), answers, task.id_column, **dict(task.arguments)
            )
        return MetricRun(
            outcome="measured",
            score=float(score).hex(),
            numbers=dict.fromkeys(task.numbers, float(len(answers)).hex()),
            rows=len(answers),
            output=printed.getvalue(),
            processor="a test's",
        )
    except Exception as error:  # noqa: BLE001 - whatever a test's metric raises
        is_visible = type(error).__name__ == "ParticipantVisibleError"
        return MetricRun(
            outcome="refused" if is_visible else "failed",
            text=str(error) if is_visible else "",
            report="" if is_visible else "".join(traceback.format_exception(error)),
            output=printed.getvalue(),
        )


TASKS: Mapping[str, Callable[..., dict[str, Any]]] = dict(
    [
        registered(CheckMetric, check),
        registered(RunMetric, run),
    ]
)
