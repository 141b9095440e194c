"""The order of boards, and the shown values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from podium.standings.rules import (
    BoardEntry,
    best_shown,
    finals,
    is_ranked,
    private_key,
    public_key,
    shown_number,
    shown_units,
)

START = datetime(2026, 1, 1, tzinfo=UTC)


def entry(name: str, score: str, minute: int, sequence: int | None = None) -> BoardEntry:
    at = START + timedelta(minutes=minute)
    return BoardEntry(name, "team", Fraction(score), at, minute if sequence is None else sequence)


@pytest.mark.parametrize(
    ("score", "decimals", "shown"),
    [
        (Fraction(1, 3), 5, "0.33333"),
        (Fraction(2, 3), 5, "0.66667"),
        (Fraction("0.571225"), 5, "0.57122"),
        (Fraction("0.571235"), 5, "0.57124"),
        (Fraction("0.57122500000000000000001"), 5, "0.57123"),
        (Fraction(1), 5, "1.00000"),
        (Fraction(0), 3, "0.000"),
        (Fraction(999999, 1000000), 5, "1.00000"),
        (Fraction(1, 2), 0, "0"),
        (Fraction(-1, 3), 2, "-0.33"),
    ],
)
def test_the_shown_value_is_rounded_from_the_exact_one(
    score: Fraction, decimals: int, shown: str
) -> None:
    units = shown_units(score, decimals)
    assert str(shown_number(units, decimals, of_errors=False)) == shown


def test_an_error_is_a_negative_score_and_displayed_as_what_it_is() -> None:
    assert str(shown_number(shown_units(Fraction(-1, 3), 2), 2, of_errors=True)) == "0.33"


def test_a_team_is_shown_with_the_earliest_of_those_that_show_the_same() -> None:
    better_below_the_last_digit = entry("late", "0.571234", 2)
    first = entry("early", "0.571230", 1)
    assert best_shown([better_below_the_last_digit, first], 5) == first


def test_a_better_shown_value_beats_an_earlier_one() -> None:
    assert best_shown([entry("a", "0.1", 1), entry("b", "0.2", 2)], 5) == entry("b", "0.2", 2)


def test_without_submissions_there_is_no_best() -> None:
    assert best_shown([], 5) is None


def test_the_public_order_tells_nothing_below_the_last_digit() -> None:
    board = [entry("late", "0.1234499", 2), entry("early", "0.1233501", 1)]
    ordered = sorted(board, key=lambda e: public_key(e, 4))
    assert [e.submission_id for e in ordered] == ["early", "late"]


def test_the_private_order_is_exact() -> None:
    board = [entry("early", "0.1234451", 1), entry("late", "0.1234452", 2)]
    assert [e.submission_id for e in sorted(board, key=private_key)] == ["late", "early"]


def test_equal_moments_are_ordered_by_the_sequence_of_acceptance() -> None:
    board = [entry("second", "0.5", 1, 12), entry("first", "0.5", 1, 11)]
    assert [e.submission_id for e in sorted(board, key=private_key)] == ["first", "second"]
    assert min(board, key=lambda e: public_key(e, 5)).submission_id == "first"


@pytest.mark.parametrize(
    ("tags", "disqualified", "ranked"),
    [
        ([], False, True),
        (["organizer"], False, False),
        (["baseline"], False, False),
        (["hidden"], False, False),
        ([], True, False),
    ],
)
def test_organizers_baselines_and_disqualified_teams_hold_no_rank(
    tags: list[str], disqualified: bool, ranked: bool
) -> None:
    assert is_ranked(tags, is_disqualified=disqualified) is ranked


SCORED = [entry("a", "0.1", 1), entry("b", "0.3", 2), entry("c", "0.2", 3)]


def final_ids(chosen: set[str], places: int) -> list[str]:
    return [e.submission_id for e in finals(SCORED, chosen=chosen, places=places, decimals=5)]


def test_free_places_are_filled_with_the_best_public_ones() -> None:
    assert final_ids(set(), 2) == ["b", "c"]
    assert final_ids({"a"}, 2) == ["a", "b"]


def test_a_full_choice_is_left_alone() -> None:
    assert final_ids({"a", "c"}, 2) == ["c", "a"]


def test_a_choice_that_was_not_scored_leaves_its_place_free() -> None:
    assert final_ids({"rejected", "a"}, 2) == ["a", "b"]


def test_of_too_many_chosen_the_best_public_ones_stay() -> None:
    assert final_ids({"a", "b", "c"}, 2) == ["b", "c"]
