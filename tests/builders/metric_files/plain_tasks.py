"""The tasks about tables and metric files on Polars frames of a few rows, run in the process of a
test. A test's own metric is run as it stands: nothing is isolated here."""

from __future__ import annotations

import ast
import io
import random
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import polars as pl

from podium.sandbox import FileProblem
from podium.sandbox.definitions.judging import Counts
from podium.sandbox.definitions.materials import SAMPLE, SampleWritten, WriteSample
from podium.sandbox.definitions.own_metrics import (
    CheckMetric,
    CodeProblem,
    MetricChecked,
    MetricRun,
    OwnArgument,
    RunMetric,
)
from podium.sandbox.definitions.tables import COLUMNS, ReadTable, TableRead
from podium.sandbox.registry import FileAtFault, registered

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


def read_table(_: Any, task: ReadTable) -> TableRead:
    """Reads CSV with numbers; the published ids are those of the sample."""
    found = pl.read_csv(task.file)
    if tuple(found.columns) != task.task.columns:
        detail = "Other columns than those of the competition."
        problem = {"code": "header-mismatch", "detail": detail, "line": 1}
        raise FileAtFault({**problem, "errors": [], "error_count": 1})
    ids = pl.read_parquet(task.published)
    kept = ids.join(found, on=task.task.id_column, maintain_order="left")
    kept.drop(task.task.id_column).cast(pl.Float64).write_parquet(Path.cwd() / COLUMNS)
    return TableRead(counts=Counts(rows=len(found), missing=0, empty=0), fingerprint=None)


def write_sample(_: Any, task: WriteSample) -> SampleWritten:
    """Zeros everywhere."""
    ids = pl.read_parquet(task.published)
    zeros = [pl.lit(0).alias(each.name) for each in task.task.table]
    ids.with_columns(zeros).write_csv(Path.cwd() / SAMPLE)
    return SampleWritten()


TASKS: Mapping[str, Callable[..., dict[str, Any]]] = dict(
    [
        registered(CheckMetric, check),
        registered(RunMetric, run),
        registered(ReadTable, read_table),
        registered(WriteSample, write_sample),
    ]
)

__all__ = ["PACKAGES", "TASKS", "FileProblem"]
