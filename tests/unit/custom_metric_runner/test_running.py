"""Runs of metrics of either shape: what they are handed, and what they may answer."""

from __future__ import annotations

import math

import polars as pl
import pytest

from tests.builders.custom_metric_runner.bench import MEAN, MetricBench


def kaggle(body: str, head: str = "") -> str:
    """A metric of pandas frames whose function does this."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"{head}\ndef score(solution, submission, row_id_column_name: str) -> float:\n{lines}\n"


def test_a_kaggle_metric_scores_rows_in_the_solutions_order(bench: MetricBench) -> None:
    bench.tables({"id": [5, 9], "y": [3.0, 1]}, {"p": [100.0, 1, 3]}, places=[2, 1])

    assert bench.score(MEAN) == 0.0


def test_frames_are_as_pandas_reads_them_from_csv(bench: MetricBench) -> None:
    bench.tables(
        {
            "id": ["a", "b"],
            "place_name": ["x", None],
            "whole": [1, 2],
            "holed": [1, None],
            "flag": [True, False],
            "half": [True, None],
            "nothing": pl.Series([None, None], dtype=pl.String),
            "Usage": ["Public", "Public"],
        },
        {"p": [0.5, None], "label": ["yes", None]},
    )
    body = """
import pandas as pd, io
read = pd.read_csv(io.StringIO(
    "id,place_name,whole,holed,flag,half,nothing\\na,x,1,1,True,True,\\nb,,2,,False,,\\n"
))
pd.testing.assert_frame_equal(solution, read)
answers = pd.read_csv(io.StringIO("id,p,label\\na,0.5,yes\\nb,,\\n"))
pd.testing.assert_frame_equal(submission, answers)
assert isinstance(solution.index, pd.RangeIndex) and isinstance(submission.index, pd.RangeIndex)
return 1.0
"""

    assert bench.score(kaggle(body)) == 1.0


def test_ids_are_whole_numbers_of_64_bits(bench: MetricBench) -> None:
    ids = pl.Series([5, 9], dtype=pl.Int32)
    bench.tables({"id": ids, "y": [1, 1]}, {"p": [1.0, 1.0]})

    assert bench.score(kaggle("return solution['id'].dtype.itemsize + submission['id'][1]")) == 17


def test_a_metric_may_change_the_frames_that_it_gets(bench: MetricBench) -> None:
    bench.small()
    source = """
    def score(solution, submission, row_id_column_name: str) -> float:
        del solution[row_id_column_name]
        del submission[row_id_column_name]
        submission["p"] = submission["p"] * 0 + solution["y"]
        solution.loc[:, "y"] -= submission["p"]
        return float(solution["y"].sum())

    def per_row(solution, submission, row_id_column_name: str):
        assert list(submission.columns) == [row_id_column_name, "p"]
        return (solution["y"] - submission["p"]) * 0
    """

    assert bench.score(source) == 0.0


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("0.1", 0.1),
        ("3", 3.0),
        ("-0.0", -0.0),
        ("np.float32(0.5)", 0.5),
        ("np.int64(-2)", -2.0),
        ("np.array(0.25)", 0.25),
        ("np.longdouble(2)", 2.0),
    ],
)
def test_real_numbers_are_taken(bench: MetricBench, answer: str, number: float) -> None:
    bench.small()

    score = bench.score(kaggle(f"return {answer}", "import numpy as np"))

    assert score == number
    assert math.copysign(1, score) == math.copysign(1, number)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("True", "score is bool, not a number"),
        ("np.True_", "score is bool, not a number"),
        ("None", "score is NoneType, not a number"),
        ("'0.5'", "score is str, not a number"),
        ("float('nan')", "score is nan, which is not a finite number"),
        ("np.float32('inf')", "score is inf, which is not a finite number"),
        ("10 ** 400", "score is too large an integer"),
        ("np.array([0.5])", "score is an array of shape (1,), not one number"),
        ("1j", "score is complex, not a number"),
        ("np.complex64(1)", "score is complex64, not a number"),
        ("solution['y']", "score is Series, not a number"),
        ("[0.5]", "score is list, not a number"),
    ],
)
def test_anything_else_has_failed(bench: MetricBench, answer: str, words: str) -> None:
    bench.small()

    run = bench.run(kaggle(f"return {answer}", "import numpy as np"))

    assert (run.outcome, run.report, run.score) == ("failed", words, None)


def test_the_number_of_a_float_is_the_one_that_it_holds(bench: MetricBench) -> None:
    bench.small()
    head = """
class Liar(float):
    def __float__(self): return 1e9
    def hex(self): return "0x1.0p+900"
    def __pos__(self): return 7.0
    def __eq__(self, other): return True
"""

    assert bench.score(kaggle("return Liar(0.25)", head)) == 0.25


def test_a_visible_error_is_known_by_its_name_and_asked_once(bench: MetricBench) -> None:
    bench.small()
    head = """
class ParticipantVisibleError(Exception):
    asked = 0
class Special(ParticipantVisibleError):
    def __str__(self):
        ParticipantVisibleError.asked += 1
        return f"Column p is odd {self.asked}"
"""

    run = bench.run(kaggle("raise Special()", head))

    assert (run.outcome, run.text, run.report) == ("refused", "Column p is odd 1", "")


def test_a_visible_error_that_cannot_tell_its_text_still_refuses(bench: MetricBench) -> None:
    bench.small()
    head = """
class ParticipantVisibleError(Exception):
    def __str__(self): raise SystemExit(3)
"""

    run = bench.run(kaggle("raise ParticipantVisibleError('x')", head))

    assert (run.outcome, run.text) == ("refused", "")


@pytest.mark.parametrize("name", ["kaggle_metric_utilities", "podium_metric"])
def test_the_modules_of_our_own_have_the_visible_error(bench: MetricBench, name: str) -> None:
    bench.small()

    run = bench.run(kaggle("raise m.ParticipantVisibleError('Too bad')", f"import {name} as m"))

    assert (run.outcome, run.text) == ("refused", "Too bad")


@pytest.mark.parametrize("body", ["raise SystemExit(0)", "raise KeyboardInterrupt", "1 / 0"])
def test_every_other_exception_has_failed_and_is_reported_from_the_metrics_first_line(
    bench: MetricBench, body: str
) -> None:
    bench.small()

    run = bench.run(kaggle(body))

    assert run.outcome == "failed"
    assert run.report.splitlines()[1].startswith('  File "metric.py", line 3, in score')
    assert run.text == ""


def test_a_metric_that_cannot_be_loaded_has_failed(bench: MetricBench) -> None:
    bench.small()

    run = bench.run("import no_such_thing\n")

    assert run.outcome == "failed"
    told = "line 1: ModuleNotFoundError: no_such_thing is not on the list of packages. A metric may"
    assert run.report.startswith(told)


def test_arguments_are_handed_over_by_name(bench: MetricBench) -> None:
    bench.small()
    source = """
    from typing import Optional

    def score(
        solution, submission, row_id_column_name: str, power: float, name: Optional[str] = None,
        *, twice: bool = False,
    ) -> float:
        return power * (2 if twice else 1) + len(name or "")
    """

    score = bench.score(source, arguments={"power": 3, "twice": True, "name": "four"})

    assert score == 10.0


def test_wrong_arguments_have_failed(bench: MetricBench) -> None:
    bench.small()
    source = "def score(solution, submission, row_id_column_name: str, k: int) -> float: return k"

    run = bench.run(source, arguments={"k": "3", "extra": 1})

    assert run.outcome == "failed"
    assert run.report == ("score has no further argument extra; it has k\nk takes int, not '3'")


PODIUM = """
    import polars as pl
    from podium_metric import Result

    def score(solution: pl.DataFrame, submission: pl.DataFrame) -> Result:
        off = (solution["y"] - submission["p"]).abs()
        return Result(off.mean(), {"most": off.max(), "least": float("nan"), "secret": 1}, off)
"""


def test_a_podium_metric_tells_numbers_and_rows(bench: MetricBench) -> None:
    bench.small()

    run = bench.run(PODIUM, numbers=("most", "least", "lacking"))

    assert run.score == (1.5).hex()
    assert run.numbers == {"most": (3.0).hex()}
    assert run.terms == "rows"
    assert bench.terms() == [0.0, 1.0, 2.0, 3.0]
    # The standard deviation is √(5/3), of four rows.
    assert run.standard_error == pytest.approx(math.sqrt(5 / 3 / 4), rel=1e-12)
    assert run.rows == 4


def test_a_podium_metric_must_answer_a_result(bench: MetricBench) -> None:
    bench.small()
    source = """
    from podium_metric import Result
    def score(solution, submission) -> Result: return 0.5
    """

    run = bench.run(source)

    assert (run.outcome, run.report) == ("failed", "score answers float, not Result")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("[0.0, 1, 2, 4]", "the mean of per_row is 1.75, and the score is 1.5"),
        ("[0.0, 1, 2]", "per_row has the shape (3,); one number for each of 4 rows is due"),
        ("[0, 1, 2, float('nan')]", "per_row has values that are not finite"),
        ("['a'] * 4", "per_row has values of the type <U1, not numbers"),
    ],
)
def test_rows_that_do_not_make_the_score_have_failed(
    bench: MetricBench, rows: str, words: str
) -> None:
    bench.small()
    source = (
        f"{MEAN}\n    def per_row(solution, submission, row_id_column_name: str): return {rows}"
    )

    run = bench.run(source)

    assert (run.outcome, run.report) == ("failed", words)


def test_rows_of_a_cluster_are_added_up(bench: MetricBench) -> None:
    bench.tables(
        {"id": [1, 2, 3, 4], "y": [0.0] * 4, "user": ["b", "a", "b", None]},
        {"p": [1.0, 2, 3, 6]},
    )

    run = bench.run(
        f"{MEAN}\n    def per_row(s, t, row_id_column_name): return t['p']", cluster_column="user"
    )

    # The mean is 3; the clusters b, a, and that without a name are off by −2, −1 and 3.
    assert run.standard_error == pytest.approx(math.sqrt(3 / 2 * (4 + 1 + 9) / 16), rel=1e-12)


def test_what_a_metric_prints_is_kept_to_its_end(bench: MetricBench) -> None:
    bench.small()
    body = """
import os, sys
for number in range(100_000):
    print("line", number)
print("to standard error", file=sys.stderr)
os.write(1, b"past Python")
return 0.5
"""

    run = bench.run(kaggle(body))

    assert run.outcome == "measured"
    assert "past Python" in run.output
    assert run.output.endswith("line 99999\n")
    assert "to standard error" in run.output
    assert run.output.startswith("[1,")
    assert len(run.output) < 66_000


def test_output_survives_a_metric_that_closes_its_descriptors(bench: MetricBench) -> None:
    bench.small()

    assert bench.score(kaggle("import os, sys\nsys.stdout = None\nos.close(1)\nreturn 0.5")) == 0.5


def test_a_shuffled_order_is_another_one_and_keeps_rows_together(bench: MetricBench) -> None:
    count = 50
    numbers = [float(number) for number in range(count)]
    bench.tables({"id": list(range(count)), "y": numbers}, {"p": numbers})
    body = "assert (solution['y'] == submission['p']).all()\nreturn float(solution['y'][0])"

    assert bench.score(kaggle(body)) == 0.0
    assert bench.score(kaggle(body), shuffled_by=1) != 0.0
    assert bench.score(kaggle(body), shuffled_by=1) == bench.score(kaggle(body), shuffled_by=1)
