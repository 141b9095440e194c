"""Which scores a ladder shows, and what it leaves of boards and finals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from app.domain.ladder import is_step_up, widest_error
from app.domain.ranking import Entry, best_shown
from app.domain.selection import finals
from app.domain.visibility import Sight, sight_of

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("score", "error", "is_shown"),
    [
        ("0.76", 0.25, True),
        ("0.75", 0.25, False),  # Exactly one standard error is not more than it.
        ("0.5", 0.0, False),
        ("0.50001", 0.0, True),
        ("0.4", 0.0, False),
        ("1", None, False),
    ],
)
def test_a_step_is_higher_than_the_standard_error(
    score: str, error: float | None, is_shown: bool
) -> None:
    assert is_step_up(Fraction(score), Fraction(1, 2), error) is is_shown


def test_an_error_of_a_rating_task_steps_towards_zero() -> None:
    # Scores of errors are negative: 0.8 after 0.9 is a step of 0.1.
    assert is_step_up(Fraction("-0.8"), Fraction("-0.9"), 0.05)
    assert not is_step_up(Fraction("-1"), Fraction("-0.9"), 0.05)


def test_both_errors_together_are_the_widest_error_of_a_difference() -> None:
    assert widest_error(0.25, 0.5) == 0.75
    assert widest_error(None, 0.5) is None


def entry(name: str, score: str, minute: int, *, is_shown: bool = True) -> Entry:
    at = START + timedelta(minutes=minute)
    return Entry(name, "team", Fraction(score), at, minute, is_shown)


HELD = entry("held", "0.9", 2, is_shown=False)
LOW, HIGH = entry("low", "0.1", 0), entry("high", "0.5", 1)


def test_a_team_stands_with_what_it_was_shown() -> None:
    assert best_shown([LOW, HELD, HIGH], 5) == HIGH
    assert best_shown([HELD], 5) is None


def test_free_places_are_filled_with_shown_scores_only() -> None:
    assert finals([LOW, HIGH, HELD], chosen=set(), places=3, decimals=5) == [HIGH, LOW]


def test_whoever_chose_what_was_held_back_keeps_it() -> None:
    assert finals([LOW, HIGH, HELD], chosen={"held"}, places=2, decimals=5) == [HELD, HIGH]


def test_a_team_of_which_nothing_shown_is_left_has_a_final_all_the_same() -> None:
    assert finals([HELD], chosen=set(), places=2, decimals=5) == [HELD]


def sight(
    *, is_organizer: bool = False, is_revealed: bool = False, is_frozen: bool = False
) -> Sight:
    return sight_of(
        is_organizer=is_organizer,
        submitted_at=START,
        frozen_at=START if is_frozen else None,
        revealed_at=START if is_revealed else None,
        objective_scores="always",
        is_held_back=True,
    )


def test_what_is_held_back_shows_neither_score_nor_objectives() -> None:
    assert sight() == Sight(False, False, False, False, is_held_back=True)


def test_after_a_freeze_nobody_is_told_what_the_ladder_has_decided() -> None:
    assert sight(is_frozen=True) == Sight(False, False, False, False, is_held_back=False)


def test_the_reveal_ends_what_a_ladder_holds_back() -> None:
    assert sight(is_revealed=True) == Sight(True, True, True, True, is_held_back=False)


def test_organizers_see_the_score_and_that_it_is_held_back() -> None:
    assert sight(is_organizer=True) == Sight(True, True, True, True, is_held_back=True)
