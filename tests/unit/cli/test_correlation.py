"""Coefficients and pictures of pairs of scores, with figures from hand."""

from __future__ import annotations

import pytest

from podium.cli.history.correlation import coefficients, drawing, scatter

PAIRS = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0)]
"""Deviations (-1, 0, 1) and (-1/3, -4/3, 5/3): products sum to 2, squares to 2 and 14/3, so that
r = 2 / sqrt(28/3) = 0.654654. The ranks are (1, 2, 3) and (2, 1, 3): 1 - 6·2 / (3·8) = 0.5."""


def test_the_coefficients_are_those_of_the_textbook() -> None:
    found = coefficients(PAIRS)
    assert found["pearson"] == pytest.approx(0.6546536707)
    assert found["spearman"] == pytest.approx(0.5)


def test_equal_scores_share_the_mean_of_their_ranks() -> None:
    # Ranks (1, 2.5, 2.5, 4) and (1, 2, 3, 4): deviations multiply to 4.5, squares 4.5 and 5.
    found = coefficients([(1, 1), (5, 2), (5, 3), (9, 4)])
    assert found["spearman"] == pytest.approx(4.5 / (4.5 * 5) ** 0.5)


def test_a_curve_that_only_rises_has_rank_correlation_one() -> None:
    found = coefficients([(1, 1), (2, 10), (3, 100)])
    assert found["spearman"] == 1
    assert found["pearson"] is not None
    assert found["pearson"] < 1


@pytest.mark.parametrize("pairs", [[], [(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]])
def test_where_nothing_varies_there_is_no_coefficient(pairs: list[tuple[float, float]]) -> None:
    assert coefficients(pairs) == {"pearson": None, "spearman": None}


def test_two_pairs_are_too_few_for_a_coefficient() -> None:
    assert coefficients([(1.0, 1.0), (2.0, 3.0)]) == {"pearson": None, "spearman": None}


def test_the_picture_has_the_lowest_pair_at_the_left_and_the_highest_at_the_top() -> None:
    first, *rows, bottom, last = scatter([(0, 0), (1, 1), (1, 1)]).splitlines()
    assert (first, last) == ("public 0 to 1", " local 0 to 1")
    assert rows[0] == "│" + " " * 55 + "2"
    assert rows[-1] == "│•"
    assert all(row == "│" for row in rows[1:-1])
    assert bottom == "└" + "─" * 56


def test_more_than_nine_pairs_that_fall_together_are_still_one_character() -> None:
    assert scatter([(0.0, 0.0)] * 12).count("9") == 1


def test_the_drawing_has_a_point_a_pair_and_is_safe_to_open() -> None:
    svg = drawing(PAIRS, names=["a", "<script>", "c"], title="local & public")
    assert svg.count("<circle") == 3
    # The second pair: local 2 lies halfway between 60 and 580; public 1 is the lowest.
    assert '<circle cx="320.0" cy="360.0" r="5"><title>&lt;script&gt;: local 2, public 1' in svg
    assert "<script>" not in svg
    assert "<title>local &amp; public</title>" in svg
