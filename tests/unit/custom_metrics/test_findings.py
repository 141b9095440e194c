"""Problems of custom metrics in the order of lines, and lines of tracebacks."""

from __future__ import annotations

from podium.custom_metrics.rules.findings import line_of, problem_of
from podium.sandbox.definitions.custom_metrics import CodeProblem


def test_problems_are_told_by_line_those_without_one_last() -> None:
    found = problem_of(
        [
            CodeProblem(code="unfinished", detail="There is no score."),
            CodeProblem(code="syntax", detail="later", line=9),
            CodeProblem(code="syntax", detail="first", line=2, file="m/a.py"),
        ]
    )
    assert found["detail"] == "Line 9: later"
    errors = found["errors"]
    assert isinstance(errors, list)
    assert [(each["line"], each["column"]) for each in errors] == [
        (9, None),
        (2, "m/a.py"),
        (None, None),
    ]


def test_at_most_ten_are_named_and_all_are_counted() -> None:
    many = [CodeProblem(code="syntax", detail="x", line=line) for line in range(1, 31)]
    found = problem_of(many)
    assert (len(found["errors"]), found["error_count"]) == (10, 30)  # type: ignore[arg-type]


def test_the_line_is_that_of_the_metric_and_not_of_a_library() -> None:
    report = (
        'Traceback (most recent call last):\n  File "metric.py", line 3, in score\n'
        '  File "metric.py", line 12, in helper\n'
        '  File "/x/lib/python3.13/site-packages/pandas/core/frame.py", line 99, in f\nKeyError'
    )
    assert line_of(report) == 12
    assert line_of("The run ended the process that did it (memory).") is None
