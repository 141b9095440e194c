"""Runs a custom metric at home, in children of the sandbox."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from podium.cli.extras import Extra, require, require_linux
from podium.cli.offline.custom_metrics.tables import (
    Solution,
    SubmissionFiles,
    TableForm,
    described,
    read_solution,
)
from podium.cli.offline.truths import unusable
from podium.custom_metric_runner.boards import Board
from podium.custom_metric_runner.values import value_of
from podium.errors import NotConfigured
from podium.former_settings import value_in
from podium.sandbox import Limits, Rejected
from podium.sandbox.definitions.custom_metrics import CheckMetric, RunMetric
from podium.sandbox.definitions.tables import COLUMNS, ReadTable
from podium.sandbox.metric_answers import OF_THE_MACHINE, check_of, run_of
from podium.sandbox.outputs import scratch_folder
from podium.scoring.problems import FileRejected

if TYPE_CHECKING:
    from podium.custom_metric_runner.values import Argument, MetricChecked, MetricRun
    from podium.sandbox import FileProblem, Result, SandboxTask

Answer = TypeVar("Answer")

Arguments = Annotated[
    list[str] | None,
    typer.Option(
        "--metric-argument",
        metavar="NAME=VALUE",
        help="With a custom metric: the value of a further argument of its function, such as"
        " power=2 or 'weights=[3, 1]'. Repeat it for several.",
    ),
]

SECONDS = 600
MEMORY_BYTES = 4 << 30
FILE_BYTES = 1 << 30
"""Limits of a child at home, unless settings say otherwise."""


@dataclass(slots=True)
class MetricAtHome:
    """A custom metric, with an empty folder for its children."""

    file: Path
    folder: Path
    form: TableForm | None = None
    _count: int = field(default=0, init=False)
    _checked: MetricChecked | None = field(default=None, init=False)

    def check(self) -> MetricChecked:
        """Checks the file, only once. Raises `NotConfigured` if the child gives no answer."""
        if self._checked is None:
            result = self._run(CheckMetric(metric=self._file))
            if result.failure in OF_THE_MACHINE:
                raise NotConfigured(f"{self.file} cannot be checked: {_failure(result)}")
            self._checked = check_of(result)
        return self._checked

    def canonical(self, submission: Path, published: Path) -> Path | FileProblem:
        """Returns the canonical columns of a submission, or its problem."""
        assert self.form is not None, "it is described before a file is read"
        task = ReadTable(file=submission.resolve(), task=self.form.task, published=published)
        result = self._run(task)
        if isinstance(result.answer, Rejected):
            return result.answer.problem
        if COLUMNS not in result.files:
            raise NotConfigured(f"{submission} cannot be read: {_failure(result)}")
        return result.files[COLUMNS]

    def run(
        self,
        columns: Path,
        solution: Path,
        arguments: Mapping[str, Argument],
        *,
        hash_seed: int | None = None,
        shuffled_by: int | None = None,
    ) -> MetricRun:
        """Scores one split. Raises `NotConfigured` if this machine cannot run the child."""
        assert self.form is not None, "it is described before a file is read"
        task = self.form.task
        board = Board([name.removeprefix("own_") for name in task.diagnostics], self.form.decimals)
        wanted = RunMetric(
            metric=self._file,
            arguments=arguments,
            columns=columns,
            solution=solution,
            id_column=task.id_column,
            cluster_column=task.cluster_column,
            numbers=tuple(board.numbers),
            resamples=self.form.run.resamples if self.form.run is not None else 0,
            hash_seed=hash_seed,
            shuffled_by=shuffled_by,
        )
        result = self._run(wanted)
        if result.failure in OF_THE_MACHINE:
            raise NotConfigured(f"{self.file} cannot be run: {_failure(result)}")
        return run_of(result, board)

    @property
    def _file(self) -> Path:
        return self.file.resolve()

    def _run(self, task: SandboxTask[Answer]) -> Result[Answer | Rejected]:
        # Imported here, because files are also scored on systems that have no sandbox.
        from podium.sandbox.children import ChildSandbox

        self._count += 1
        scratch = self.folder / f"child-{self._count}"
        scratch.mkdir()
        run = None if self.form is None else self.form.run
        limits = Limits(
            memory_bytes=MEMORY_BYTES if run is None else run.memory_bytes,
            wall_seconds=SECONDS if run is None else run.seconds,
            file_bytes=FILE_BYTES,
        )
        # Without isolation only if the environment says so.
        is_trusted = value_in(os.environ, "PODIUM_CUSTOM_METRICS") == "on-unsandboxed"
        sandbox = ChildSandbox(threads=1, custom_metrics="on-unsandboxed" if is_trusted else "on")
        return sandbox.run(task, limits=limits, scratch=scratch)


@contextmanager
def metric_at_home(file: Path, command: str) -> Iterator[MetricAtHome]:
    """Yields a custom metric for the duration of a command. Raises `NotConfigured` if it cannot
    run."""
    require_linux(command)
    require(Extra.METRICS, command)
    with scratch_folder(None) as folder:
        yield MetricAtHome(file, folder)


def solution_at_home(
    metric: MetricAtHome,
    files: SubmissionFiles,
    preset: str | None,
    columns: str | None,
    named: list[str],
) -> Solution:
    """Reads the solution, with the form of its table; `columns` are those of a submission if an
    option names them, and `named` are the requested metrics. Raises `InvalidInput` with the lines
    of its problems."""
    form = described(preset, files.truth, files.submission, columns)
    if named:
        form = replace(form, task=replace(form.task, diagnostics=tuple(map(_own, named))))
    metric.form = form
    try:
        return read_solution(files.truth, form.task, metric.folder, files.ids)
    except FileRejected as refusal:
        raise unusable(files.truth, refusal, form.task) from None


def arguments_at_home(metric: MetricAtHome, given: list[str] | None) -> dict[str, Argument]:
    """Returns the values of the settings and the given ones, converted to the types of the
    function's annotations. Raises `NotConfigured`."""
    run = None if metric.form is None else metric.form.run
    values: dict[str, Argument] = {} if run is None else dict(run.arguments)
    if not given:
        return values
    types = {argument.name: argument.type for argument in metric.check().arguments}
    for each in given:
        name, equals, text = each.partition("=")
        if not equals or name not in types:
            known = ", ".join(types) or "none"
            raise NotConfigured(
                f"--metric-argument {each}: write NAME=VALUE; the file's further arguments are"
                f" {known}."
            )
        values[name] = value_of(text, types[name])
    return values


def _own(metric: str) -> str:
    """Returns the id of a number that a custom metric reports. Raises `NotConfigured` for any
    other."""
    if not metric.startswith("own_") or metric == "own_error":
        raise NotConfigured(
            f"--metric {metric}: with --metric-file it names a further number of the file, as"
            " own_NAME."
        )
    return metric


def _failure(result: Result[Answer | Rejected]) -> str:
    """Describes the failure of a child that gave no answer."""
    return " ".join(filter(None, (f"the process ended ({result.failure}).", result.report)))
