"""Scores of two classes: exact counts and placements, beside an obvious way and scikit-learn."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from podium.scoring.kernel.ranks import pair_columns, placements

EXTREMES = (0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1e100, -1e100, 1.0, math.nextafter(1.0, 2.0))

SCORES: dict[str, Callable[[random.Random], float]] = {
    "any": lambda dice: dice.random(),
    "both signs": lambda dice: dice.gauss(0, 1),
    "ties": lambda dice: round(dice.random(), 1),
    "three kinds": lambda dice: float(dice.randrange(3)),
    "extremes": lambda dice: dice.choice(EXTREMES),
    "constant": lambda _: 0.5,
    "far apart": lambda dice: dice.choice((-1, 1)) * 10.0 ** dice.randint(-300, 100),
}

Given = tuple[pl.Series, pl.Series, pl.Series]
Rows = tuple[list[float], list[bool], list[int]]


def drawn(dice: random.Random, *, most: int) -> tuple[Rows, int]:
    """Scores, classes and groups of some rows, and how many groups there are."""
    count, size = dice.choice((0, 1, 2, 5, 40, most)), dice.choice((1, 1, 2, 3, 20, 300))
    score, share = dice.choice(list(SCORES.values())), dice.choice((0, 0.05, 0.5, 0.95, 1))
    scores = [score(dice) for _ in range(count)]
    return (
        scores,
        [dice.random() < share for _ in scores],
        [dice.randrange(size) for _ in scores],
    ), size


def columns(rows: Rows, kind: type[pl.UInt8] | type[pl.UInt32] = pl.UInt32) -> Given:
    scores, positives, groups = rows
    return (
        pl.Series(scores, dtype=pl.Float64),
        pl.Series(positives, dtype=pl.Boolean),
        pl.Series(groups, dtype=kind),
    )


def obvious(rows: Rows, size: int) -> tuple[list[tuple[int, int, int]], list[str]]:
    """The counts and the placements, pair by pair."""
    scores, positives, groups = rows
    counts, shares = [], [math.nan] * len(scores)
    for group in range(size):
        mine = [row for row, each in enumerate(groups) if each == group]
        above = [row for row in mine if positives[row]]
        below = [row for row in mine if not positives[row]]

        def twice(one: int, other: int) -> int:
            return 2 * (scores[one] > scores[other]) + (scores[one] == scores[other])

        counts.append((sum(twice(p, n) for p in above for n in below), len(above), len(below)))
        for row in above if below else ():
            shares[row] = sum(twice(row, n) for n in below) / (2 * len(below))
        for row in below if above else ():
            shares[row] = sum(twice(p, row) for p in above) / (2 * len(above))
    return counts, list(map(repr, shares))


@pytest.mark.parametrize("seed", range(8))
def test_counts_and_placements_are_those_of_all_pairs(seed: int) -> None:
    for number in range(250):
        dice = random.Random(f"{seed}/{number}")
        rows, size = drawn(dice, most=200)
        given = columns(rows, pl.UInt8 if size < 256 and dice.random() < 0.5 else pl.UInt32)
        counts, shares = obvious(rows, size)
        threads = dice.choice((1, 2, 3))
        assert pair_columns(*given, size=size, threads=threads).rows() == counts
        assert list(map(repr, placements(*given, size=size, threads=threads))) == shares


@pytest.mark.parametrize("seed", range(4))
def test_without_compiled_functions_the_same_is_found(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.scoring.kernel.ranks.kernel", lambda: None)
    for number in range(100):
        rows, size = drawn(random.Random(f"{seed}/{number}"), most=200)
        given, (counts, shares) = columns(rows), obvious(rows, size)
        assert pair_columns(*given, size=size).rows() == counts
        assert list(map(repr, placements(*given, size=size))) == shares


@pytest.mark.parametrize("kind", SCORES)
def test_compiled_functions_and_polars_find_the_same_among_many_rows(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(kind)
    for share, size in ((0.02, 1), (0.5, 1), (0.98, 3), (0.3, 5000)):
        scores = [SCORES[kind](dice) for _ in range(100_000)]
        positives = [dice.random() < share for _ in scores]
        given = columns((scores, positives, [dice.randrange(size) for _ in scores]))
        found, shares = pair_columns(*given, size=size), placements(*given, size=size)
        assert pair_columns(*given, size=size, threads=3).equals(found)
        assert placements(*given, size=size, threads=3).equals(shares)
        with monkeypatch.context() as without:
            without.setattr("podium.scoring.kernel.ranks.kernel", lambda: None)
            assert pair_columns(*given, size=size).equals(found)
            assert placements(*given, size=size).equals(shares)


@pytest.mark.parametrize("kind", ["any", "ties", "three kinds", "both signs", "constant"])
def test_the_area_under_the_curve_is_that_of_scikit_learn(kind: str) -> None:
    dice = random.Random(kind)
    for _ in range(400):
        scores = [SCORES[kind](dice) for _ in range(dice.randint(2, 300))]
        positives = [True, False, *(dice.random() < 0.3 for _ in scores[2:])]
        given = columns((scores, positives, [0] * len(scores)), pl.UInt8)
        ((twice, above, below),) = pair_columns(*given, size=1).rows()
        area = roc_auc_score(positives, scores)
        assert twice / (2 * above * below) == pytest.approx(area, rel=1e-12, abs=1e-15)
        shares = placements(*given, size=1)
        for side in (shares.filter(given[1]), shares.filter(~given[1])):
            assert side.mean() == pytest.approx(area, rel=1e-12, abs=1e-15)


def test_the_order_of_rows_and_chunks_mean_nothing() -> None:
    dice = random.Random("order")
    scores, size = [round(dice.random(), 2) for _ in range(3000)], 7
    rows = scores, [dice.random() < 0.2 for _ in scores], [dice.randrange(size) for _ in scores]
    given = columns(rows)
    counts, shares = pair_columns(*given, size=size).rows(), placements(*given, size=size)
    order = pl.Series(dice.sample(range(3000), 3000), dtype=pl.UInt32)
    moved = [column.gather(order) for column in given]
    assert pair_columns(*moved, size=size).rows() == counts
    assert placements(*moved, size=size).equals(shares.gather(order))
    torn = [
        pl.concat([column[:at], column[at:]], rechunk=False)
        for column, at in zip(given, (1, 1500, 2999), strict=True)
    ]
    assert pair_columns(*torn, size=size).rows() == counts
    assert placements(*torn, size=size).equals(shares)
    numbered = given[0], given[1].cast(pl.UInt8), given[2]
    assert pair_columns(*numbered, size=size).rows() == counts


def test_zeros_of_both_signs_are_one_score_and_neighbors_are_two() -> None:
    zeros = columns(([0.0, -0.0], [True, False], [0, 0]))
    assert pair_columns(*zeros, size=1).rows() == [(1, 1, 1)]
    assert placements(*zeros, size=1).to_list() == [0.5, 0.5]
    tiny = columns(([5e-324, -0.0, -5e-324], [True, False, True], [0, 0, 0]))
    assert pair_columns(*tiny, size=1).rows() == [(2, 2, 1)]
    assert placements(*tiny, size=1).to_list() == [1.0, 0.5, 0.0]


def test_a_group_of_one_class_has_no_pairs_and_no_placements() -> None:
    given = columns(([0.2, 0.3, 0.4], [True, True, False], [0, 0, 2]))
    assert pair_columns(*given, size=4).rows() == [(0, 2, 0), (0, 0, 0), (0, 0, 1), (0, 0, 0)]
    assert all(map(math.isnan, placements(*given, size=4)))


def test_groups_that_there_are_not_and_columns_that_do_not_fit_are_refused() -> None:
    scores, positives, groups = columns(([0.2, 0.3], [True, False], [0, 2]))
    for function in (pair_columns, placements):
        with pytest.raises(ValueError, match="there is not"):
            function(scores, positives, groups, size=2)
        with pytest.raises(ValueError, match="lengths"):
            function(scores, positives[:1], groups, size=3)
