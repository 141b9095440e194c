"""Answers of a custom metric: which are numbers, and what is left of what it says."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from podium.judging.service.custom_runs import (
    CustomRun,
    FailedRun,
    MeasuredRun,
    RefusedRun,
    outcome_of,
)
from podium.sandbox import FailureReason, FileProblem, Rejected, Result
from podium.sandbox.definitions.custom_metrics import TERMS, MetricRun

OWN = CustomRun(
    version=1,
    metric_sha256="aa",
    arguments={},
    seconds=60,
    memory_bytes=1 << 30,
    numbers=("novelty",),
    resamples=3,
    seed=7,
    solutions={},
    splits=("public",),
    decimals=5,
    terms_sha256=None,
    is_lenient=False,
)

GOOD: dict[str, Any] = {
    "outcome": "measured",
    "score": (0.1).hex(),
    "numbers": {"novelty": (0.5).hex(), "leak": "nan"},
    "rows": 2,
}


def outcome(result: Result[MetricRun | Rejected]) -> MeasuredRun | RefusedRun | FailedRun:
    return outcome_of(result, OWN, published=4, seconds=0.5)


def answer(file: Path | None = None, **changed: Any) -> MeasuredRun | RefusedRun | FailedRun:
    files = {} if file is None else {TERMS: file}
    return outcome(Result(MetricRun(**GOOD | changed), files=files))


@pytest.mark.parametrize("error", [-1.0, float("nan")])
def test_a_standard_error_that_is_none_is_left_out(error: float) -> None:
    found = answer(standard_error=error, terms="rows")
    assert isinstance(found, MeasuredRun)
    assert (found.standard_error, found.terms, found.head.count) == (None, None, 0)


def test_numbers_are_exact_and_only_those_that_are_asked_for() -> None:
    found = answer()
    assert isinstance(found, MeasuredRun)
    assert found.head.exact == Fraction(0.1)
    assert found.numbers == {"novelty": Fraction(1, 2)}
    assert (found.head.terms, found.head.count, found.terms) == ("none", 0, None)


@pytest.mark.parametrize(("terms", "count"), [("rows", 2), ("resamples", 3)])
def test_terms_are_taken_where_there_are_as_many_as_there_must_be(
    tmp_path: Path, terms: str, count: int
) -> None:
    (tmp_path / TERMS).write_bytes(bytes(8 * count))
    found = answer(tmp_path / TERMS, terms=terms)
    assert isinstance(found, MeasuredRun)
    assert (found.head.count, found.terms) == (count, tmp_path / TERMS)
    (tmp_path / TERMS).write_bytes(bytes(8 * count + 1))
    assert isinstance(answer(tmp_path / TERMS, terms=terms), FailedRun)
    assert isinstance(answer(None, terms=terms), FailedRun)


@pytest.mark.parametrize(
    ("changed", "report"),
    [
        ({"score": "nan"}, "The score is not a finite number."),
        ({"score": "-inf"}, "not a finite number"),
        ({"score": "0x1.8p+9999"}, "not a finite number"),
        ({"score": "1.5"}, "not a finite number"),
        ({"score": None}, "not a finite number"),
        ({"score": (1e300).hex()}, "with 5 decimals a board holds"),
        ({"numbers": {"novelty": "nan"}}, "told no finite number novelty"),
        ({"numbers": None}, "told no finite number novelty"),
        ({"rows": 5}, "told of 5 rows; 4 are published"),
        ({"rows": 0}, "0 rows"),
    ],
)
def test_what_is_no_number_has_failed(changed: dict[str, Any], report: str) -> None:
    found = answer(**changed)
    assert isinstance(found, FailedRun)
    assert report in found.note["report"]
    assert found.note["outcome"] == "failed"


@pytest.mark.parametrize(
    "failure",
    [
        FailureReason.MEMORY,
        FailureReason.WALL_TIME,
        FailureReason.CPU_TIME,
        FailureReason.FILE_SIZE,
        FailureReason.CRASH,
        FailureReason.NO_ANSWER,
        FailureReason.OUR_ERROR,
    ],
)
def test_an_end_without_an_answer_is_the_metrics_own(failure: FailureReason) -> None:
    found = outcome(Result(failure=failure, report="last\x00words"))
    assert isinstance(found, FailedRun)
    assert found.note["report"] == f"The code ended the process that ran it: {failure}. lastwords"


def test_an_answer_to_another_task_has_failed() -> None:
    problem = FileProblem(code="bad-id", detail="no", line=1, errors=(), error_count=1)
    assert isinstance(outcome(Result(Rejected(problem=problem))), FailedRun)


def test_text_for_the_participant_is_one_short_clean_line() -> None:
    found = answer(outcome="refused", text="bad\x1b[31m column\n\u202e" + "x" * 400)
    assert isinstance(found, RefusedRun)
    assert found.text.startswith("bad[31m column xxx")
    assert len(found.text) == 280
    silent = answer(outcome="refused", text="\x00\ud800")
    assert isinstance(silent, RefusedRun)
    assert silent.text == "The metric gave no reason."


def test_reports_hold_nothing_that_a_database_or_a_terminal_minds() -> None:
    found = answer(outcome="failed", report="a\x00b\ud800\n\x1bc", output="y" * (1 << 20))
    assert isinstance(found, FailedRun)
    assert found.note["report"] == "ab\nc"
    assert len(found.note["output"]) < 65 << 10
