"""Loads the module of a metric from its file."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from podium.custom_metric_runner.imports import THE_LIST
from podium.custom_metric_runner.package import Package
from podium.custom_metric_runner.packages import PROVIDED
from podium.custom_metric_runner.problems import MetricRefused, place_of, said_by
from podium.custom_metric_runner.values import CodeProblem


def compiled(package: Package) -> None:
    """Compiles every Python file without running any. Raises `MetricRefused` with the lines of all
    syntax errors."""
    problems = []
    for path in package.sources:
        name = path.relative_to(package.folder).as_posix()
        try:
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = error.lineno if isinstance(error, SyntaxError) else None
            problem = CodeProblem(
                code="syntax", detail=said_by(error), line=line, file=package.named(name)
            )
            problems.append(problem)
    if problems:
        raise MetricRefused(problems)


def loaded(package: Package) -> ModuleType:
    """Loads the module by running its code once. Raises `MetricRefused`."""
    for name in PROVIDED:
        sys.modules[name] = importlib.import_module(f"podium.custom_metric_runner.modules.{name}")
    if str(package.folder) not in sys.path:
        sys.path.append(str(package.folder))
    spec = importlib.util.spec_from_file_location(package.module, package.file)
    assert spec is not None, "a file of Python has a loader"
    assert spec.loader is not None, "a file of Python has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[package.module] = module
    try:
        spec.loader.exec_module(module)
    except MemoryError:
        raise
    except BaseException as error:
        # Anything that the file raises while it is imported, SystemExit included.
        file, line = place_of(error, package.folder)
        detail = said_by(error)
        if isinstance(error, ModuleNotFoundError) and THE_LIST not in detail:
            detail += f". A metric may import {THE_LIST}"
        raise MetricRefused.because(
            "import", detail, line=line, file=package.named(file)
        ) from error
    return module
