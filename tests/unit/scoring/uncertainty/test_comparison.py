"""Submissions side by side, in closed form and drawn anew."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from podium.scoring.analysis.comparison import (
    comparable,
    compare,
    error_of_difference,
    ties_with_first,
)
from podium.scoring.engine import read_kept
from podium.scoring.pairs.truth import TruePairs
from podium.scoring.scores.pair_answers import Answers
from podium.scoring.splits import ALL
from podium.scoring.task import Objective, Task
from podium.scoring.uncertainty import bootstrap
from tests.builders.scoring.sessions import Counts, hits_of, random_counts, task_of, truth_of

OTTO_WEIGHTS = ("0.1", "0.3", "0.6")
SHARES = (0.97, 0.3, 0.2)
LARGE = [[(1, 1)]] * 1000 + [[(1, 2)]] * 1000 + [[(0, 1)]] * 1000


def compared(*submissions: Counts, metric: str = "recall_capped@20:micro") -> dict[str, Any]:
    """The comparison on the only split; labels are those of the first."""
    task = task_of("1", metric=metric) if len(submissions[0][0]) == 1 else task_of(*OTTO_WEIGHTS)
    truth = truth_of(submissions[0], task)
    return compare([hits_of(counts, truth) for counts in submissions], truth)["all"]  # type: ignore[no-any-return]


def worse(rng: random.Random, counts: Counts, share: float = 0.05) -> Counts:
    """The same sessions with some hits lost."""
    return [
        [(sum(rng.random() >= share for _ in range(hits)), labels) for hits, labels in session]
        for session in counts
    ]


def test_a_paired_difference_by_hand() -> None:
    # A macro recall: in every third session A has one hit of two more, elsewhere both are equal.
    other = [[(1, 1)]] * 1000 + [[(0, 2)]] * 1000 + [[(0, 1)]] * 1000
    document = compared(LARGE, other, metric="recall@20")
    assert document["method"] == "closed-form"
    assert [s["score"]["value"] for s in document["submissions"]] == [0.5, 1 / 3]
    score = document["pairs"][0]["score"]
    assert score["value"] == pytest.approx(1 / 6, rel=1e-15)
    # The variance of 1/2 with probability 1/3.
    error = math.sqrt((1 / 12 - 1 / 36) / 2999)
    assert score["standard_error"] == pytest.approx(error, rel=1e-12)
    truth = truth_of(LARGE, task_of("1", metric="recall@20"))
    of_both = error_of_difference(hits_of(LARGE, truth), hits_of(other, truth), truth, split="all")
    assert of_both == pytest.approx(error, rel=1e-12)
    assert score["interval"] == pytest.approx([1 / 6 - 1.96 * error, 1 / 6 + 1.96 * error])
    assert score["better"] == "first"


def test_the_error_of_a_macro_difference_is_that_of_a_paired_t_test() -> None:
    from scipy import stats

    rng = random.Random(4)
    first = random_counts(rng, 2500, (1.0,))
    second = worse(rng, first)
    score = compared(first, second, metric="recall@20")["pairs"][0]["score"]
    values = [[h / m for ((h, m),) in counts] for counts in (first, second)]
    t = stats.ttest_rel(*values)
    assert score["value"] / score["standard_error"] == pytest.approx(t.statistic, rel=1e-9)
    assert score["p"] == pytest.approx(2 * stats.norm.sf(abs(t.statistic)), rel=1e-9)


def test_a_submission_does_not_differ_from_itself() -> None:
    counts = random_counts(random.Random(2), 3000, SHARES)
    document = compared(counts, counts)
    for figure in (document["pairs"][0]["score"], *document["pairs"][0]["objectives"].values()):
        assert (figure["value"], figure["standard_error"]) == (0.0, 0.0)
        assert (figure["p"], figure["better"]) == (1.0, None)


@pytest.mark.parametrize("sessions", [500, 3000])
def test_the_other_way_round_only_signs_change(sessions: int) -> None:
    rng = random.Random(3)
    counts = random_counts(rng, sessions, SHARES)
    other = worse(rng, counts)
    truth = truth_of(counts, task_of(*OTTO_WEIGHTS))
    one, two = hits_of(counts, truth), hits_of(other, truth)
    there = compare([one, two], truth)["all"]["pairs"][0]["score"]
    back = compare([two, one], truth)["all"]["pairs"][0]["score"]
    assert there["value"] == -back["value"]
    assert there["standard_error"] == pytest.approx(back["standard_error"], rel=0.05)
    if sessions == 3000:
        assert there["standard_error"] == back["standard_error"]
        assert (there["p"], there["better"], back["better"]) == (back["p"], "first", "second")


def test_a_paired_error_is_far_below_that_of_two_separate_scores() -> None:
    rng = random.Random(8)
    counts = random_counts(rng, 5000, SHARES)
    document = compared(counts, worse(rng, counts, 0.01))
    errors = [s["score"]["standard_error"] for s in document["submissions"]]
    assert document["pairs"][0]["score"]["standard_error"] < math.hypot(*errors) / 4


def test_all_pairs_of_three_are_compared_and_corrected_together() -> None:
    rng = random.Random(9)
    counts = random_counts(rng, 2500, (1.0,))
    document = compared(counts, worse(rng, counts, 0.004), worse(rng, counts, 0.002))
    pairs = document["pairs"]
    assert [(pair["first"], pair["second"]) for pair in pairs] == [(0, 1), (0, 2), (1, 2)]
    p_values = sorted(pair["score"]["p"] for pair in pairs)
    corrected = sorted(pair["score"]["p_holm"] for pair in pairs)
    assert corrected[0] == pytest.approx(3 * p_values[0])
    assert corrected[2] >= p_values[2]


def test_every_objective_is_compared_by_itself() -> None:
    rng = random.Random(10)
    counts = random_counts(rng, 3000, SHARES)
    other = [[session[0], (0, session[1][1]), session[2]] for session in counts]
    pair = compared(counts, other)["pairs"][0]
    assert pair["objectives"]["a"]["value"] == 0.0
    assert pair["objectives"]["b"]["better"] == "first"
    hits, labels = (sum(session[1][i] for session in counts) for i in (0, 1))
    assert pair["objectives"]["b"]["value"] == float(Fraction(hits, labels))


def test_diagnostics_have_intervals_and_differences_too() -> None:
    counts = random_counts(random.Random(11), 2500, (1.0,))
    task = replace(task_of("1"), diagnostics=("mrr@20", "coverage@20"))
    truth = truth_of(counts, task)
    document = compare([hits_of(counts, truth), hits_of(counts, truth)], truth)["all"]
    assert list(document["pairs"][0]["metrics"]) == ["mrr@20"]
    assert document["submissions"][0]["metrics"]["mrr@20"]["standard_error"] > 0


def test_diagnostics_of_the_predictions_are_not_compared() -> None:
    task = replace(task_of("1"), diagnostics=("mrr@20", "coverage@20", "ndcg@5"))
    assert comparable(task).diagnostics == ("mrr@20", "ndcg@5")


def test_small_splits_are_drawn_anew_and_the_method_is_told() -> None:
    counts = random_counts(random.Random(12), 300, SHARES)
    document = compared(counts, counts)
    assert (document["method"], document["replicates"]) == ("bootstrap", bootstrap.REPLICATES)
    assert document["sessions"] == sum(any(m for _, m in session) for session in counts)


def test_a_rare_objective_makes_a_large_split_small() -> None:
    rng = random.Random(13)
    counts = random_counts(rng, 2500, (1.0, 1.0, 0.02))
    assert compared(counts, counts)["method"] == "bootstrap"


@pytest.mark.parametrize("metric", ["recall_capped@20:micro", "recall@20", "ndcg@20"])
def test_the_bootstrap_agrees_with_the_closed_form(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(14)
    counts = random_counts(rng, 1900, (1.0,))
    other = worse(rng, counts)
    drawn = compared(counts, other, metric=metric)
    monkeypatch.setattr("podium.scoring.scores.redrawn_lists.SMALL_SESSIONS", 0)
    closed = compared(counts, other, metric=metric)
    assert (drawn["method"], closed["method"]) == ("bootstrap", "closed-form")
    for one, two in zip(
        [s["score"] for s in (*drawn["submissions"], *drawn["pairs"])],
        [s["score"] for s in (*closed["submissions"], *closed["pairs"])],
        strict=True,
    ):
        assert one["value"] == two["value"]
        assert one["standard_error"] == pytest.approx(two["standard_error"], rel=0.05)
        assert one["interval"] == pytest.approx(two["interval"], abs=0.2 * two["standard_error"])


def test_a_small_split_of_too_many_kinds_of_sessions_has_the_closed_form_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Two kinds of sessions: those that both files hit, and those that the second one missed.
    first, second = [[(1, 1)]] * 300, [[(1, 1)]] * 200 + [[(0, 1)]] * 100
    assert compared(first, second)["method"] == "bootstrap"
    monkeypatch.setattr("podium.scoring.uncertainty.bootstrap.MAX_PATTERNS", 1)
    document = compared(first, second)
    assert (document["method"], document["replicates"]) == ("closed-form", None)
    error = math.sqrt(1 / 3 * 2 / 3 / 299)
    assert document["pairs"][0]["score"]["standard_error"] == pytest.approx(error, rel=1e-12)


def test_an_objective_of_few_kinds_of_sessions_is_drawn_anew_where_the_score_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The first objective has ten kinds of sessions, the last one two.
    first = [[(number % 10, 10), (1, 1), (1, 1)] for number in range(300)]
    second = [[hits, (1, 1), (number % 3 and 1, 1)] for number, (hits, *_) in enumerate(first)]
    drawn = compared(first, second)["pairs"][0]
    monkeypatch.setattr("podium.scoring.uncertainty.bootstrap.MAX_PATTERNS", 5)
    document = compared(first, second)
    (pair,) = document["pairs"]
    assert document["method"] == "closed-form"
    assert pair["score"]["standard_error"] != drawn["score"]["standard_error"]
    assert pair["objectives"]["c"] == drawn["objectives"]["c"]


def test_a_single_session_decides_nothing() -> None:
    document = compared([[(1, 1)]], [[(0, 1)]])
    assert (document["method"], document["replicates"]) == ("closed-form", None)
    score = document["pairs"][0]["score"]
    assert (score["value"], score["standard_error"], score["interval"]) == (1.0, None, None)
    assert (score["p"], score["p_holm"], score["better"]) == (None, 1.0, None)


def test_the_same_sessions_are_drawn_every_time() -> None:
    rng = random.Random(15)
    counts = random_counts(rng, 400, SHARES)
    other = worse(rng, counts)
    assert compared(counts, other) == compared(counts, other)


def test_where_an_objective_is_often_not_drawn_nothing_is_said() -> None:
    # Each objective has one session, which more than a third of all draws leave out.
    counts = [[(0, 1), (0, 1), (0, 0)], [(0, 0), (0, 0), (0, 1)]]
    score = compared(counts, counts)["pairs"][0]["score"]
    assert (score["value"], score["standard_error"], score["interval"]) == (0.0, None, None)
    assert (score["p"], score["p_holm"], score["better"]) == (None, 1.0, None)


def test_of_errors_less_is_better() -> None:
    """Users with one rating each; the second file is off by 1 where the first is exact."""
    users = 60
    task = Task(
        (Objective("", Decimal(1), "rmse"),),
        kind="rating",
        diagnostics=("mae",),
        id_column="user",
        labels_column="rating",
    )
    numbers = pl.int_range(users, dtype=pl.UInt32, eager=True)
    ratings = pl.DataFrame({"pair": numbers, "unit": numbers}).with_columns(
        target0=pl.lit(3.0), split=pl.lit(ALL, dtype=pl.UInt8)
    )
    truth = TruePairs(ratings, task, users)
    worse = [Answers((pl.Series([5.0, 3 + off] * (users // 2)),), truth) for off in (0.0, 1.0)]
    document = compare(worse, truth)["all"]
    assert (document["sessions"], document["method"]) == (users, "closed-form")
    values = [each["score"]["value"] for each in document["submissions"]]
    assert values == pytest.approx([math.sqrt(2), math.sqrt(2.5)])
    mae = document["pairs"][0]["metrics"]["mae"]
    # Half of the users differ by 1: variance 1/4 over N - 1.
    assert (mae["value"], mae["better"]) == (-0.5, "first")
    assert mae["standard_error"] == pytest.approx(math.sqrt(0.25 / (users - 1)))
    assert document["pairs"][0]["score"]["better"] == "first"
    assert ties_with_first(worse[0], worse, truth, split="all") == [True, False]


def test_a_team_that_does_not_differ_from_the_first_is_tied() -> None:
    rng = random.Random(17)
    counts = random_counts(rng, 2500, (1.0,))
    truth = truth_of(counts, task_of("1"))
    shares = (0.0, 0.0005, 0.2)
    first, *others = (hits_of(worse(rng, counts, share), truth) for share in shares)
    assert ties_with_first(first, others, truth, split="all") == [True, False]


def test_stored_hits_say_the_same_as_fresh_ones(tmp_path: Any) -> None:
    counts = random_counts(random.Random(16), 2500, SHARES)
    truth = truth_of(counts, task_of(*OTTO_WEIGHTS))
    fresh = hits_of(counts, truth)
    fresh.write(tmp_path / "hits.parquet")
    stored = read_kept(tmp_path / "hits.parquet", truth)
    assert compare([stored, fresh], truth) == compare([fresh, fresh], truth)
