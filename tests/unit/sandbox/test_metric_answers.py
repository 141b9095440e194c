"""Answers of children that have run an organizer's code, cleaned."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from podium.core.competition_settings.texts import readable
from podium.custom_metric_runner.answers import cleaned, cleaned_check, visible
from podium.custom_metric_runner.boards import Board
from podium.custom_metric_runner.values import CodeProblem, CustomArgument, MetricChecked, MetricRun
from podium.sandbox import FailureReason, FileProblem, Rejected, Result
from podium.sandbox.metric_answers import OF_THE_MACHINE, check_of, run_of

BOARD = Board((), 5)

MEASURED = MetricRun(outcome="measured", score=(0.5).hex(), numbers={}, rows=3)


def test_a_plain_run_stays_what_it_is() -> None:
    run = replace(
        MEASURED, numbers={"most": (1.0).hex()}, standard_error=0.25, terms="rows", output="ok\n"
    )

    assert cleaned(run) == run


@pytest.mark.parametrize(
    "score", [None, "nan", "inf", "0x1p+99999", "0.5", "0x1.0p+1\n", "0x" + "f" * 10_000]
)
def test_a_score_that_is_no_finite_number_has_failed(score: str | None) -> None:
    run = cleaned(replace(MEASURED, score=score, text="hidden", standard_error=0.1, terms="rows"))

    assert (run.outcome, run.score, run.standard_error) == ("failed", None, None)
    assert (run.terms, run.text, run.report) == ("none", "", "The score is not a finite number.")


@pytest.mark.parametrize("error", [math.nan, math.inf, -0.1])
def test_a_standard_error_that_is_none_is_left_out_with_its_terms(error: float) -> None:
    run = cleaned(replace(MEASURED, standard_error=error, terms="rows"))

    assert (run.outcome, run.standard_error, run.terms) == ("measured", None, "none")


def test_numbers_are_finite_and_have_names() -> None:
    numbers = {"good": (2.0).hex(), "bad": "nan", "no name": (1.0).hex(), "x" * 500: (1.0).hex()}

    assert cleaned(replace(MEASURED, numbers=numbers)).numbers == {"good": (2.0).hex()}


def test_the_text_for_participants_is_one_short_line_that_hides_nothing() -> None:
    assert visible("a\x1b[31m b\r\n\u202ec\u2028 d\ud800") == "a[31m b c d"
    assert len(visible("word " * 100_000)) <= 280
    assert len(visible(" " * 10_000 + "late")) == 0


def test_reports_are_texts_that_archives_bring_back() -> None:
    run = cleaned(replace(MEASURED, outcome="failed", report="1\u00a0000\u3000\x85rows\n\tend"))

    assert readable(run.report) == "1 000 rows\n\tend"


def test_each_outcome_keeps_its_own_members_alone() -> None:
    everything = replace(
        MEASURED, text="for all", report="for few", standard_error=0.1, terms="rows"
    )

    refused = cleaned(replace(everything, outcome="refused"))
    failed = cleaned(replace(everything, outcome="failed"))

    assert (refused.text, refused.report, refused.score) == ("for all", "", None)
    assert (failed.text, failed.report, failed.score) == ("", "for few", None)
    assert cleaned(everything).text == cleaned(everything).report == ""


def test_reports_and_output_keep_their_end_and_their_lines() -> None:
    long = "x\n" * 100_000 + "\x07the end\n"

    run = cleaned(replace(MEASURED, outcome="failed", report=long, output=long, rows=-1))

    assert run.report.endswith("x\nthe end\n")
    assert run.output.endswith("x\nthe end\n")
    assert (len(run.report) <= 16_000, len(run.output) <= 66_000, run.rows) == (True, True, 0)


def test_what_is_known_of_a_file_is_bounded() -> None:
    problem = CodeProblem(code="doctest", detail="\u202e" + "d" * 9_000, line=-3, file="a\nb")
    argument = CustomArgument(name="k\x00", type="int", is_required=False, default="3")
    checked = MetricChecked(
        problems=(problem,) * 90,
        shape="kaggle",
        arguments=(argument,),
        has_per_row=False,
        doctests=-1,
        description="about\x1b",
        packages={"numpy": "2\n"},
        output="",
    )

    clean = cleaned_check(checked)

    assert len(clean.problems) == 50
    assert clean.problems[0].detail == "d" * 1_999
    assert (clean.problems[0].line, clean.problems[0].file) == (None, "a b")
    assert (clean.doctests, clean.description, clean.packages) == (0, "about", {"numpy": "2"})
    assert clean.arguments[0].name == "k"


REJECTED = Rejected(
    problem=FileProblem(code="bad-id", detail="no", line=1, errors=(), error_count=1)
)


def test_an_end_without_an_answer_is_that_of_the_code_with_its_last_words_cleaned() -> None:
    died: Result[Any] = Result(failure=FailureReason.MEMORY, report="last\x00 \x1b[31mwords\n")

    told = "The code ended the process that ran it: memory. last [31mwords"
    assert (run_of(died, BOARD).outcome, run_of(died, BOARD).report) == ("failed", told)
    assert [(each.code, each.detail) for each in check_of(died).problems] == [("no-answer", told)]


def test_code_that_speaks_as_if_a_file_were_at_fault_has_failed_itself() -> None:
    other = "The code ended the process that ran it: an answer to another task."

    assert run_of(Result(REJECTED), BOARD).report == other
    assert check_of(Result(REJECTED)).problems[0].detail == other


def test_what_the_installation_forbids_is_no_fault_of_the_code() -> None:
    assert FailureReason.NOT_ALLOWED in OF_THE_MACHINE
    # Code may say itself that the fault is ours.
    assert FailureReason.OUR_ERROR not in OF_THE_MACHINE


@pytest.mark.parametrize(
    ("score", "numbers", "decimals", "report"),
    [
        (4.6e13, {}, 5, None),
        (-4.6e13, {}, 5, None),
        (
            4.7e13,
            {},
            5,
            "The score is 4.7e+13: with 5 decimals a board holds numbers below",
        ),
        (
            -1e300,
            {},
            0,
            "The score is -1e+300: with 0 decimals a board holds numbers below",
        ),
        (1.0, {"gain": 1e7}, 12, "Gain is 1e+07: with 12 decimals a board holds numbers below"),
        (1.0, {"other": 1.0}, 5, "The metric told no finite number gain, which is one of the"),
        (1.0, {"gain": 1.0, "other": 1e300}, 5, None),
    ],
)
def test_what_a_board_cannot_hold_is_a_failure_with_the_bound(
    score: float, numbers: dict[str, float], decimals: int, report: str | None
) -> None:
    told = {name: number.hex() for name, number in numbers.items()}
    run = replace(MEASURED, score=score.hex(), numbers=told)
    board = Board(["gain"] if numbers else [], decimals)

    held = run_of(Result(run), board)

    if report is None:
        assert (held.outcome, held.score, held.report) == ("measured", score.hex(), "")
    else:
        assert (held.outcome, held.score, held.numbers) == ("failed", None, None)
        assert held.report.startswith(report)
        assert "holds" not in report or f" {2**62 / 10**decimals:.4g}. " in held.report
