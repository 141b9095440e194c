"""Problems of a metric file as a refusal tells them, and lines in tracebacks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from podium.errors import ProblemEntry
from podium.errors.codes import ErrorCode
from podium.sandbox.definitions.own_metrics import CodeProblem

MOST_SHOWN = 10
"""Problems that a refusal names."""

MOST_CHARACTERS = 1_000
"""Characters of a sentence about code of organizers."""

_FRAME = re.compile(r'^\s*File "([^"\n]*)", line (\d+)', re.MULTILINE)

_IS_LIBRARY = re.compile(r"^<|/site-packages/|/lib/python3|/podium/")

_KEPT = ("\n", "\t")


def cleaned(text: str, most: int = MOST_CHARACTERS) -> str:
    r"""A text that code of organizers has had a part in, without control characters.

    >>> cleaned("a\x1b[31mb"), cleaned("abc", 2)
    ('a[31mb', 'a…')
    """
    shown = "".join(
        each for each in text if each in _KEPT or not unicodedata.category(each).startswith("C")
    )
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def problem_of(found: Sequence[CodeProblem]) -> dict[str, object]:
    """The problem document of a file with these problems, by line, those without one last."""
    in_order = sorted(found, key=lambda each: (each.line is None, each.file or "", each.line or 0))
    first = in_order[0]
    place = "" if first.line is None else f"Line {first.line}: "
    return {
        "code": ErrorCode.BAD_METRIC_FILE,
        "detail": f"{place}{cleaned(first.detail)}",
        "errors": [_entry(each) for each in in_order[:MOST_SHOWN]],
        "error_count": len(in_order),
    }


def _entry(found: CodeProblem) -> ProblemEntry:
    return {
        "code": cleaned(found.code, 64),
        "line": found.line,
        "id": None,
        "column": None if found.file is None else cleaned(found.file, 200),
        "detail": cleaned(found.detail),
        "hint": None,
    }


def line_of(report: str) -> int | None:
    r"""The line of the metric file at which a traceback ends: that of the last frame that is not of
    an installed library.

    >>> line_of('  File "metric.py", line 7, in score\n  File "<string>", line 9, in f\n')
    7
    """
    own = [line for name, line in _FRAME.findall(report) if not _IS_LIBRARY.search(name)]
    return int(own[-1]) if own else None
