"""Runs a metric on the tables of one split, and reports the result."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from podium.custom_metric_runner.answers import cleaned, cleaned_check
from podium.custom_metric_runner.frames import Tables
from podium.custom_metric_runner.imports import only_listed, require_listed, unlisted
from podium.custom_metric_runner.loading import compiled, loaded
from podium.custom_metric_runner.modules.podium_metric import ParticipantVisibleError, Result
from podium.custom_metric_runner.numbers import NoNumber, plain, plain_rows
from podium.custom_metric_runner.output import caught
from podium.custom_metric_runner.package import unpacked
from podium.custom_metric_runner.packages import installed, processor
from podium.custom_metric_runner.problems import (
    CODE,
    MetricRefused,
    in_lines,
    place_of,
    report_of,
    said_by,
)
from podium.custom_metric_runner.signature import SCORE, Function, Functions, functions_of
from podium.custom_metric_runner.terms import (
    Floats,
    check_mean,
    error_of_resamples,
    error_of_rows,
    resampled,
    shuffled,
)
from podium.custom_metric_runner.values import (
    CodeProblem,
    MetricCall,
    MetricChecked,
    MetricRun,
)

_NAME_OF, _MRO_OF = type.__dict__["__name__"].__get__, type.__dict__["__mro__"].__get__


def check(metric: Path, folder: Path) -> MetricChecked:
    """Loads a metric below the folder, checks its functions, and runs its examples."""
    # The module that runs examples is slow to import, and scoring does not need it.
    from podium.custom_metric_runner.examples import run_examples

    functions: Functions | None = None
    count = 0
    problems: tuple[CodeProblem, ...] = ()
    with caught() as printed:
        try:
            package = unpacked(metric, folder / CODE)
            compiled(package)
            require_listed(package)
            with only_listed(package):
                module = loaded(package)
                functions = functions_of(module)
                count, failing = run_examples(module, package)
            problems = tuple(failing)
        except MemoryError:
            raise
        except MetricRefused as refused:
            problems = refused.problems
        except BaseException as error:  # noqa: BLE001 - doctests that cannot be read, odd classes
            file, line = place_of(error, folder / CODE)
            detail = said_by(error)
            problems = (CodeProblem(code="check", detail=detail, line=line, file=file),)
    checked = MetricChecked(
        problems=problems,
        shape=None if functions is None else functions.shape,
        arguments=functions.arguments if functions else (),
        has_per_row=functions is not None and functions.per_row is not None,
        doctests=count,
        description=functions.description if functions else "",
        packages=installed(),
        output=str(printed),
    )
    return cleaned_check(checked)


def run(call: MetricCall, folder: Path, terms_to: Path) -> MetricRun:
    """Scores one split with a metric that is unpacked below the folder. An exception of the metric
    is a result; only errors that are not the fault of its code are raised."""
    with caught() as printed:
        ended = _ended(call, folder, terms_to)
    return cleaned(replace(ended, output=str(printed), processor=processor()))


def _ended(call: MetricCall, folder: Path, terms_to: Path) -> MetricRun:
    tables = Tables.read(call.solution, call.columns, call.id_column)
    if call.shuffled_by is not None:
        tables = shuffled(tables, call.shuffled_by)
    rows = tables.count
    try:
        package = unpacked(call.metric, folder / CODE, is_lenient=call.is_lenient)
        with only_listed(package, is_lenient=call.is_lenient) as others:
            functions = functions_of(loaded(package))
            metric = _Metric(functions, functions.values(call.arguments), call.id_column)
            measured = _measured(metric, call, tables, terms_to)
        return replace(measured, warnings=(*package.warnings, *map(unlisted, others)))
    except MemoryError:
        raise
    except MetricRefused as refused:
        return MetricRun(outcome="failed", rows=rows, report=in_lines(refused.problems))
    except NoNumber as error:
        return MetricRun(outcome="failed", rows=rows, report=str(error))
    except BaseException as error:  # noqa: BLE001 - SystemExit, and panics of Polars
        if is_visible(error):
            return MetricRun(outcome="refused", rows=rows, text=text_of(error))
        report = report_of(error, folder / CODE)
        return MetricRun(outcome="failed", rows=rows, report=report)


@dataclass(frozen=True, slots=True)
class _Metric:
    """The functions of a metric, with the values of their arguments."""

    functions: Functions
    values: Mapping[str, Any]
    id_column: str

    def result(self, tables: Tables) -> Result:
        """Calls `score` for these rows."""
        answer = self._called(self.functions.score, tables)
        if self.functions.shape == "kaggle":
            return Result(plain(answer, SCORE))
        if not isinstance(answer, Result):
            raise NoNumber(f"{SCORE} answers {type(answer).__qualname__}, not Result")
        return replace(answer, score=plain(answer.score, SCORE))

    def per_row(self, tables: Tables, result: Result) -> Floats | None:
        """Computes a number for each row, if the metric provides them."""
        values = result.per_row
        if values is None and self.functions.per_row is not None:
            values = self._called(self.functions.per_row, tables)
        return None if values is None else plain_rows(values, tables.count)

    def score(self, tables: Tables) -> float:
        """Computes the number that ranks."""
        return self.result(tables).score

    def _called(self, function: Function, tables: Tables) -> Any:  # noqa: ANN401 - any answer
        is_kaggle = self.functions.shape == "kaggle"
        frames = tables.as_pandas() if is_kaggle else tables.as_polars()
        places = (*frames, self.id_column) if function.takes_id_column else frames
        given = {name: value for name, value in self.values.items() if name in function.names}
        return function.call(*places, **given)


def _measured(metric: _Metric, call: MetricCall, tables: Tables, terms_to: Path) -> MetricRun:
    result = metric.result(tables)
    numbers = _numbers(result.numbers, call.numbers)
    terms = metric.per_row(tables, result)
    kind: Literal["rows", "resamples", "none"] = "none"
    error: float | None = None
    if terms is not None:
        check_mean(terms, result.score)
        clusters = tables.solution[call.cluster_column] if call.cluster_column else None
        kind, error = "rows", error_of_rows(terms, clusters)
    elif call.resamples > 0:
        terms = resampled(
            tables,
            metric.score,
            count=call.resamples,
            seed=call.seed,
            cluster_column=call.cluster_column,
        )
        error = error_of_resamples(terms)
        kind = "none" if error is None else "resamples"
    if kind != "none" and terms is not None:
        _write(terms, terms_to)
    return MetricRun(
        outcome="measured",
        score=result.score.hex(),
        numbers=numbers,
        standard_error=error,
        terms=kind,
        rows=tables.count,
    )


def _numbers(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """Selects the further numbers by the permitted names; those that are not finite are dropped."""
    found = {}
    for name in names:
        if name in values:
            with suppress(NoNumber):
                found[name] = plain(values[name], name).hex()
    return found


def _write(terms: Floats, path: Path) -> None:
    """Writes a new file: a metric may have left anything under its name."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(terms.astype("<f8").tobytes())


def is_visible(error: BaseException) -> bool:
    """True for an exception that refuses a submission: one whose class, or a base class of it, has
    the name, in any module. A metaclass cannot interfere."""
    return any(_NAME_OF(each) == ParticipantVisibleError.__name__ for each in _MRO_OF(type(error)))


def text_of(error: BaseException) -> str:
    """Returns the text of an exception, computed once; empty where its class fails to provide
    it."""
    try:
        return str.__str__(str(error))
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - a class of the metric's own tells it
        return ""
