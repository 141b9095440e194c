"""Standard errors of pairs beside what drawing other users, or other queries, does to a value."""

from __future__ import annotations

import math
import random

import pytest

from podium.scoring.metrics import pair_metric_of
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.splits import ALL, PUBLIC
from tests.builders.reranking.candidates import METRICS, queries_of
from tests.builders.scoring.pairs import WITH_ERRORS, drawn_users, scored_of

# One population, and samples of it, for all tests of this file.
pytestmark = pytest.mark.xdist_group("draws of users")

DRAWS, PEOPLE = 400, 500


@pytest.fixture(scope="module")
def population() -> TargetRows:
    return scored_of(*drawn_users(random.Random(0), 60_000))


@pytest.fixture(scope="module")
def samples() -> list[TargetRows]:
    dice = random.Random(1)
    return [scored_of(*drawn_users(dice, PEOPLE)) for _ in range(DRAWS)]


@pytest.mark.parametrize("name", WITH_ERRORS)
def test_intervals_hold_the_value_of_all_users_in_95_of_100_draws(
    name: str, population: TargetRows, samples: list[TargetRows]
) -> None:
    metric, held = pair_metric_of(name), 0
    true = float(metric.measure(population).values[ALL])
    for sample in samples:
        measured = metric.measure(sample)
        assert measured.moves is not None
        squares = float((measured.moves * measured.moves).sum())
        error = math.sqrt(PEOPLE / (PEOPLE - 1) * squares)
        held += abs(float(measured.values[ALL]) - true) <= 1.96 * error
    # 400 draws know the share to 1.1 %; longer simulations find 94 to 96 %.
    assert 0.92 <= held / DRAWS <= 0.98


@pytest.fixture(scope="module")
def drawn_queries() -> list[TargetRows]:
    dice = random.Random(2)

    def ranks() -> list[int]:
        return [rank for rank in range(1, 5) if dice.random() < 0.3]

    return [queries_of([ranks() for _ in range(300)]) for _ in range(600)]


@pytest.mark.parametrize("metric", METRICS)
def test_the_standard_error_is_that_of_drawing_other_queries(
    metric: str, drawn_queries: list[TargetRows]
) -> None:
    drawn = []
    for queries in drawn_queries:
        found = pair_metric_of(metric).measure(queries)
        assert found.moves is not None
        squares = float((found.moves**2).sum())
        drawn.append((float(found.values[PUBLIC]), math.sqrt(squares * 300 / 299)))
    mean = sum(value for value, _ in drawn) / len(drawn)
    spread = math.sqrt(sum((value - mean) ** 2 for value, _ in drawn) / (len(drawn) - 1))
    estimated = sum(error for _, error in drawn) / len(drawn)
    # 600 draws know the spread to 3 %.
    assert estimated == pytest.approx(spread, rel=0.12)
