"""Formats problems of a custom metric for a refusal, and finds lines in tracebacks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from podium.errors import problem_entry
from podium.errors.codes import ErrorCode
from podium.sandbox.definitions.custom_metrics import CodeProblem

MAX_SHOWN = 10
"""Problems that a refusal lists."""

_FRAME = re.compile(r'^\s*File "([^"\n]*)", line (\d+)', re.MULTILINE)

_IS_LIBRARY = re.compile(r"^<|/site-packages/|/lib/python3|/podium/")


def problem_of(found: Sequence[CodeProblem]) -> dict[str, object]:
    """Returns the problem document of a file with these problems, sorted by line, those without a
    line last."""
    in_order = sorted(found, key=lambda each: (each.line is None, each.file or "", each.line or 0))
    first = in_order[0]
    place = "" if first.line is None else f"Line {first.line}: "
    return {
        "code": ErrorCode.BAD_METRIC_FILE,
        "detail": f"{place}{first.detail}",
        "errors": [
            problem_entry(each.code, each.detail, line=each.line, column=each.file)
            for each in in_order[:MAX_SHOWN]
        ],
        "error_count": len(in_order),
    }


def line_of(report: str) -> int | None:
    r"""Returns the line of the custom metric at which a traceback ends: that of the last frame
    outside of installed libraries.

    >>> line_of('  File "metric.py", line 7, in score\n  File "<string>", line 9, in f\n')
    7
    """
    own = [line for name, line in _FRAME.findall(report) if not _IS_LIBRARY.search(name)]
    return int(own[-1]) if own else None
