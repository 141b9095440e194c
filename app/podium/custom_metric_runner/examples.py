"""Runs the examples in the docstrings of a custom metric."""

from __future__ import annotations

import doctest
import re
from types import ModuleType, TracebackType

from podium.custom_metric_runner.package import Package
from podium.custom_metric_runner.problems import said_by
from podium.custom_metric_runner.values import CodeProblem

ExceptionInformation = tuple[type[BaseException], BaseException, TracebackType]

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
"""Options of doctest: past metrics for Kaggle write `0.948...`."""

SCALAR = re.compile(r"\bnp\.(?:float|int|uint|bool|str)\w*\(([^()]*)\)")
"""A scalar as NumPy 2 prints it; NumPy 1 printed only its value."""

EXCEPTION = re.compile(r"^(?:[^\W\d]\w*\.)+([^\W\d]\w*(?::|$))")
"""The class of an exception with its module, which a script run by itself omits. No part of a name
begins with a digit, so `0.5` does not match."""


class _Checker(doctest.OutputChecker):
    """Accepts equivalent output of older versions of NumPy, and of a file that is run as a
    script."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        forms = [(want, got), (SCALAR.sub(r"\1", want), SCALAR.sub(r"\1", got))]
        forms += [
            (EXCEPTION.sub(r"\1", before), EXCEPTION.sub(r"\1", after)) for before, after in forms
        ]
        check = super().check_output
        return any(check(before, after, optionflags) for before, after in forms)


class _Runner(doctest.DocTestRunner):
    """Collects failed examples, with their lines."""

    def __init__(self, file: str | None) -> None:
        super().__init__(checker=_Checker(), verbose=False, optionflags=FLAGS)
        self.problems: list[CodeProblem] = []
        self._file = file

    def report_failure(
        self, out: object, test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        self._add(test, example, f"got {_short(got)}")

    def report_unexpected_exception(
        self,
        out: object,
        test: doctest.DocTest,
        example: doctest.Example,
        exc_info: ExceptionInformation,
    ) -> None:
        self._add(test, example, f"it raised {said_by(exc_info[1])}")

    def _add(self, test: doctest.DocTest, example: doctest.Example, found: str) -> None:
        expected = example.exc_msg or example.want
        detail = f"{_short(example.source)}: expected {_short(expected) or 'nothing'}, {found}"
        line = None if test.lineno is None else test.lineno + example.lineno + 1
        self.problems.append(CodeProblem(code="doctest", detail=detail, line=line, file=self._file))


def run_examples(module: ModuleType, package: Package) -> tuple[int, list[CodeProblem]]:
    """Runs the examples, and returns their number and the problems of those that fail."""
    file = package.named(package.file.relative_to(package.folder).as_posix())
    runner = _Runner(file)
    count = 0
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, package.module, module):
        count += len(test.examples)
        runner.run(test, out=lambda _: None)
    return count, sorted(runner.problems, key=lambda problem: problem.line or 0)


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 300 else f"{text[:300]}…"
