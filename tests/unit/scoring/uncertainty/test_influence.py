"""The influence of each session on a score, and the standard errors that follow."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import polars as pl
import pytest

from podium.scoring.hits import Hits
from podium.scoring.scores.list_scores import measured_score
from podium.scoring.splits import ALL, IGNORED, PRIVATE, PUBLIC
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.uncertainty import Influence, influence, standard_errors
from tests.builders.scoring.sessions import Counts, hits_of, random_counts, task_of, truth_of

OTTO_WEIGHTS = ("0.1", "0.3", "0.6")
SHARES = (0.97, 0.3, 0.2)


def moved_by(hits: Hits, truth: GroundTruth) -> Influence:
    """The influence of sessions on the score; its standard errors are those of a judging."""
    values, terms = measured_score(hits, truth)
    moved = influence(terms, values, truth)
    assert standard_errors(terms, values, truth) == moved.standard_errors()
    return moved


def influence_of(
    counts: Counts, *weights: str, metric: str = "recall_capped@20:micro"
) -> Influence:
    truth = truth_of(counts, task_of(*weights, metric=metric))
    return moved_by(hits_of(counts, truth), truth)


def test_a_micro_recall_of_three_sessions_by_hand() -> None:
    # R = 2/4: z = (1 - 1/2)/4, (1 - 2/2)/4, (0 - 1/2)/4.
    moved = influence_of([[(1, 1)], [(1, 2)], [(0, 1)]], "1")
    assert moved.z.to_list() == [0.125, 0.0, -0.125]
    assert moved.standard_errors() == {ALL: pytest.approx(math.sqrt(3 / 2 * 2 / 64), rel=1e-15)}


def test_a_macro_recall_has_the_standard_error_of_a_mean() -> None:
    moved = influence_of([[(1, 1)], [(1, 2)], [(0, 1)]], "1", metric="recall@20")
    assert moved.standard_errors() == {ALL: pytest.approx(0.5 / math.sqrt(3), rel=1e-15)}


def test_a_session_moves_the_score_through_all_its_objectives_at_once() -> None:
    # a: R = 1/2 of D = 2; b: R = 1/4 of D = 4, of the first and the third session.
    moved = influence_of([[(1, 1), (1, 3)], [(0, 1), (0, 0)], [(0, 0), (0, 1)]], "0.25", "0.75")
    first = 0.25 / 2 * (1 - 0.5) + 0.75 / 4 * (1 - 3 / 4)
    second, third = 0.25 / 2 * -0.5, 0.75 / 4 * (0 - 1 / 4)
    assert moved.z.to_list() == pytest.approx([first, second, third], abs=1e-17)


def test_a_recall_is_cut_at_the_k_of_the_metric() -> None:
    # With K = 2 the three hits of the first session are two of two.
    moved = influence_of([[(3, 5)], [(0, 1)]], "1", metric="recall_capped@2:micro")
    assert moved.z.to_list() == pytest.approx([(2 - 2 * 2 / 3) / 3, (0 - 2 / 3) / 3])


@pytest.mark.parametrize("metric", ["recall_capped@20:micro", "recall@3", "ndcg@5", "map@20"])
@pytest.mark.parametrize("seed", range(5))
def test_what_sessions_move_adds_up_to_nothing(seed: int, metric: str) -> None:
    rng = random.Random(seed)
    moved = influence_of(random_counts(rng, 300, SHARES), *OTTO_WEIGHTS, metric=metric)
    assert abs(math.fsum(moved.z)) < 1e-14
    assert moved.standard_errors()[ALL] > 0  # type: ignore[operator]


def test_splits_are_apart_and_ignored_sessions_move_nothing() -> None:
    counts = [[(1, 1)], [(0, 1)], [(1, 1)], [(1, 1)], [(1, 2)], [(0, 9)]]
    sides = [PUBLIC, PUBLIC, PUBLIC, PRIVATE, PRIVATE, IGNORED]
    truth = truth_of(counts, task_of("1"), sides)
    moved = moved_by(hits_of(counts, truth), truth)
    errors = moved.standard_errors()
    assert errors[PUBLIC] == pytest.approx(math.sqrt(3 / 2 * (1 + 4 + 1) / 81))
    assert errors[PRIVATE] == pytest.approx(math.sqrt(2 * 2 * (1 / 9) ** 2))
    assert moved.z.filter(moved.split == IGNORED).to_list() == [0.0]


def test_a_single_session_says_nothing_about_its_error() -> None:
    assert influence_of([[(1, 2)]], "1").standard_errors() == {ALL: None}


def test_a_perfect_file_has_no_error_left() -> None:
    assert influence_of([[(2, 2)], [(1, 1)], [(3, 3)]], "1").standard_errors() == {ALL: 0.0}


def test_errors_of_huge_and_of_tiny_influences_are_finite() -> None:
    split = pl.Series([ALL, ALL], dtype=pl.UInt8)
    for size in (1e300, 1e-310):
        errors = Influence(pl.Series([size, -size]), split).standard_errors()
        assert errors == {ALL: pytest.approx(2 * size)}


def test_the_chunks_of_ranks_change_no_bit() -> None:
    counts = random_counts(random.Random(1), 500, SHARES)
    truth = truth_of(counts, task_of(*OTTO_WEIGHTS, metric="ndcg@20"))
    hits = hits_of(counts, truth)
    chunked = Hits(pl.concat([hits.ranks[:7], hits.ranks[7:]], rechunk=False), truth)
    first, second = moved_by(hits, truth), moved_by(chunked, truth)
    assert first.z.equals(second.z)
    assert first.standard_errors() == second.standard_errors()


def test_objectives_may_have_different_metrics() -> None:
    counts = [[(1, 1), (1, 2)], [(0, 1), (2, 2)], [(1, 2), (0, 0)]]
    task = task_of("0.5", "0.5")
    mixed = type(task)(
        (task.objectives[0], type(task.objectives[1])("b", task.objectives[1].weight, "recall@20"))
    )
    truth = truth_of(counts, mixed)
    values, terms = measured_score(hits_of(counts, truth), truth)
    assert values == {(ALL, 0): Fraction(2, 4), (ALL, 1): Fraction(3, 4)}
    expected = [
        0.5 / 4 * (1 - 0.5) + 0.5 / 2 * (0.5 - 0.75),
        0.5 / 4 * (0 - 0.5) + 0.5 / 2 * (1 - 0.75),
        0.5 / 4 * (1 - 1.0),
    ]
    moved = influence(terms, values, truth)
    assert moved.z.to_list() == pytest.approx(expected, abs=1e-16)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """2,000 times 2,000 sessions drawn from a population whose recall is known."""
    rng = random.Random(5)
    population = random_counts(rng, 4000, (1.0,))
    exact = Fraction(sum(s[0][0] for s in population), sum(s[0][1] for s in population))
    patterns = pl.DataFrame(
        [s[0] for s in population], schema=["above", "below"], orient="row"
    ).cast(pl.Float64)
    inside = naive = 0
    times, n = 2000, 2000
    for seed in range(times):
        drawn = patterns.sample(n, with_replacement=True, seed=seed)
        total = float(drawn["below"].sum())
        value = float(drawn["above"].sum()) / total
        z = (drawn["above"] - value * drawn["below"]) / total
        error = Influence(z, pl.repeat(ALL, n, dtype=pl.UInt8, eager=True)).standard_errors()[ALL]
        assert error is not None
        inside += abs(value - exact) < 1.96 * error
        naive += abs(value - exact) < 1.96 * math.sqrt(value * (1 - value) / total)
    assert 0.94 < inside / times < 0.96
    # Labels of one session hit together: to count them one by one claims too much.
    assert naive / times < 0.92
