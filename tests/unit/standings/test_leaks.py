"""The bits of the public split that an answer tells, worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import labelled_rows
from podium.standings.rules import leaks
from podium.standings.rules.leaks import NumberRange, RevealedBits

DIGIT = math.log2(10)


def settings(**members: Any) -> CompetitionSettings:
    return CompetitionSettings.model_validate(members)


def pairs(metric: str, **members: Any) -> CompetitionSettings:
    given = {"task": "scores", "objectives": {"like": 1}, "metric": metric, **members}
    return settings(**given)


def test_a_bounded_number_tells_log2_of_how_many_could_be_shown() -> None:
    share = NumberRange(Fraction(0), Fraction(1))
    assert share.bits(0, 0) == 1.0
    assert share.bits(50000, 5) == math.log2(100_001)
    assert NumberRange(Fraction(-1), Fraction(1)).bits(0, 1) == math.log2(21)


@pytest.mark.parametrize(
    ("units", "bits"),
    [
        (91250, 6 * DIGIT + 1),
        (0, 6 * DIGIT + 1),
        (1_291_250, 7 * DIGIT + 3),
        (123_491_250, 9 * DIGIT + 5),
    ],
)
def test_a_number_without_a_bound_tells_its_digits_and_how_many_they_are(
    units: int, bits: float
) -> None:
    assert NumberRange(Fraction(0), None).bits(units, 5) == pytest.approx(bits)
    assert NumberRange(None, Fraction(0)).bits(-units, 5) == pytest.approx(bits)
    assert NumberRange(None, None).bits(-units, 5) == pytest.approx(bits + 1)


def test_a_weighted_score_has_the_range_of_its_parts() -> None:
    assert NumberRange.of_score(settings()) == NumberRange(Fraction(0), Fraction(1))
    of_errors = NumberRange.of_score(pairs("log_loss"))
    assert of_errors == NumberRange(None, Fraction(0))
    mixed = pairs(
        "auc", objectives={"like": 2, "reply": {"weight": 1, "metric": "log_loss"}}, unit="user"
    )
    assert NumberRange.of_score(mixed) == NumberRange(None, Fraction(2))


def test_counts_of_hits_tell_no_more_than_there_are_counts() -> None:
    truth = {
        "objectives": {
            "clicks": {"public": {"denominator": 3, "queries": 3}},
            "carts": {"public": {"denominator": 1, "queries": 1}},
            "orders": {"public": {"denominator": 7, "queries": 5}},
        }
    }
    assert leaks.counted_bits(settings(), truth) == 2 + 1 + 3
    assert leaks.counted_bits(settings(metric="ndcg@20"), truth) == math.inf
    assert leaks.counted_bits(settings(metric="recall_capped@20"), truth) == math.inf
    assert leaks.counted_bits(settings(), {}) == math.inf
    assert labelled_rows(truth["objectives"], settings(), "public") == 9
    two = {name: {"public": {"queries": 40}} for name in ("like", "reply")}
    assert labelled_rows(two, pairs("auc", objectives={"like": 1, "reply": 1}), "public") == 40


def test_the_next_verdict_tells_at_most_all_that_could_be_shown() -> None:
    number = math.log2(100_001)
    assert leaks.most_bits(settings()) == number
    assert leaks.most_bits(settings(board="ladder")) == number + 1
    shown = settings(objective_scores="always", diagnostics=["mrr@20"])
    assert leaks.most_bits(shown) == pytest.approx(5 * number)
    beside = settings(diagnostics=["mrr@20", "mrr@5"], board_diagnostics=["mrr@5"])
    assert leaks.most_bits(beside) == pytest.approx(2 * number)
    # Six digits before the point, and five behind.
    assert leaks.most_bits(pairs("log_loss")) == pytest.approx(11 * DIGIT + 5)
    assert leaks.most_bits(own()) == 2 + 8 * (4 * 280 + 1)


def own() -> CompetitionSettings:
    return settings(
        task="table",
        objectives={"y": 1},
        metric="own",
        id_column="id",
        table_columns=[{"name": "y"}],
        own_metric={"version": 1},
    )


def test_an_only_objective_of_weight_one_is_the_score_itself() -> None:
    assert leaks.objective_ranges(pairs("auc")) == {}
    assert set(leaks.objective_ranges(pairs("auc", objectives={"like": 2}))) == {"like"}
    assert set(leaks.objective_ranges(settings())) == {"clicks", "carts", "orders"}


def test_the_same_outcome_of_a_file_is_told_once_and_nothing_becomes_less() -> None:
    assert leaks.grown([RevealedBits("a", 5, None, 17), RevealedBits("b", 5, None, 17)]) == {
        "a": 17,
        "b": 0,
    }
    assert leaks.grown([RevealedBits("a", 5, None, 17), RevealedBits("b", 6, None, 17)]) == {
        "a": 17,
        "b": 17,
    }
    # With two more decimals the first tells what is new; with fewer, nothing.
    assert leaks.grown([RevealedBits("a", 5, 10, 17), RevealedBits("b", 5, 0, 17)]) == {
        "a": 17,
        "b": 0,
    }
    assert leaks.grown([RevealedBits("a", 5, 17, 10)]) == {"a": 17}
    # Held back at first, and shown later.
    assert leaks.grown([RevealedBits("a", 5, 1, 17)]) == {"a": 17}
