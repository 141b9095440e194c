"""The bootstrap: what is drawn, and what becomes of it."""

from __future__ import annotations

import math
import statistics

import pytest

from tests.builders.custom_metric_runner.bench import MEAN, MetricBench


def test_the_error_is_the_standard_deviation_of_the_resamples(bench: MetricBench) -> None:
    count = 200
    bench.tables(
        {"id": list(range(count)), "y": [0.0] * count}, {"p": [float(n % 7) for n in range(count)]}
    )

    run = bench.run(MEAN, resamples=300, seed=4)

    scores = bench.terms()
    assert (run.terms, len(scores)) == ("resamples", 300)
    assert run.standard_error == pytest.approx(statistics.stdev(scores), rel=1e-12)
    # A mean of 200 numbers whose standard deviation is 2.
    assert run.standard_error == pytest.approx(2 / math.sqrt(count), rel=0.2)


def test_draws_are_the_same_for_every_submission(bench: MetricBench) -> None:
    known = {"id": list(range(20)), "y": [0.0] * 20}
    bench.tables(known, {"p": [float(n) for n in range(20)]})
    bench.run(MEAN, resamples=5, seed=9)
    first = bench.terms()
    bench.tables(known, {"p": [n + 1.0 for n in range(20)]})
    bench.run(MEAN, resamples=5, seed=9)
    second = bench.terms()
    bench.run(MEAN, resamples=5, seed=10)

    assert second == pytest.approx([score + 1 for score in first])
    assert bench.terms() != second


def test_draws_stay_what_they_are(bench: MetricBench) -> None:
    bench.tables({"id": [0, 1, 2, 3], "y": [0.0] * 4}, {"p": [0.0, 1, 10, 100]})

    bench.run(MEAN, resamples=3, seed=1)

    # Two of the last row and one of the one before it, and so on.
    assert [4 * score for score in bench.terms()] == [210.0, 103.0, 120.0]


JOINING = """
    def score(solution, submission, row_id_column_name: str) -> float:
        both = solution.merge(submission, on=row_id_column_name)
        assert len(both) == len(solution) and solution[row_id_column_name].is_unique
        return float(both.groupby("user")["p"].sum().mean())
"""


@pytest.mark.parametrize("names", [[1, 2, 3, 4, 5, 6], list("abcdef")])
def test_what_is_drawn_twice_counts_as_two(bench: MetricBench, names: list[int | str]) -> None:
    users = [names[0], names[0], names[1], names[1], names[2], names[2]]
    bench.tables({"id": names, "user": users}, {"p": [1.0, 1, 1, 1, 1, 1]})

    run = bench.run(JOINING, resamples=50, cluster_column="user")

    # Each user has two rows, whatever is drawn, and however often.
    assert run.terms == "resamples"
    assert set(bench.terms()) == {2.0}
    assert run.standard_error == 0.0


FAILS_WHERE = """
    def score(solution, submission, row_id_column_name: str) -> float:
        if {condition}:
            raise ValueError("not defined")
        return 0.5
"""


def test_few_resamples_without_a_score_are_missing(bench: MetricBench) -> None:
    bench.tables({"id": list(range(6)), "y": list(range(6))}, {"p": [1.0] * 6})
    # Of 6⁶ resamples 936 have fewer than three different rows, and 11,736 fewer than four.
    few, many = (FAILS_WHERE.format(condition=f"solution.y.nunique() < {n}") for n in (3, 4))

    run = bench.run(few, resamples=500, seed=2)
    missing = sum(map(math.isnan, bench.terms()))

    assert (run.terms, run.standard_error) == ("resamples", 0.0)
    assert 2 < missing < 30
    run = bench.run(many, resamples=500, seed=2)
    assert (run.outcome, run.terms, run.standard_error) == ("measured", "none", None)
