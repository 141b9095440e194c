"""The scores that a ladder shows, and its effect on boards and finals."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from podium.core.visibility import ScoreVisibility, visibility_of
from podium.standings.rules import BoardEntry, best_shown, finals, is_step_up, widest_error

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
    assert is_step_up(Fraction(score), Fraction(1, 2), error, before=1) is is_shown


def test_an_error_of_a_rating_task_steps_towards_zero() -> None:
    # Scores of errors are negative: 0.8 after 0.9 is a step of 0.1.
    assert is_step_up(Fraction("-0.8"), Fraction("-0.9"), 0.05, before=1)
    assert not is_step_up(Fraction("-1"), Fraction("-0.9"), 0.05, before=1)


def test_both_errors_together_are_the_widest_error_of_a_difference() -> None:
    assert widest_error(0.25, 0.5) == 0.75
    assert widest_error(None, 0.5) is None


def entry(name: str, score: str, minute: int, *, is_shown: bool = True) -> BoardEntry:
    at = START + timedelta(minutes=minute)
    return BoardEntry(name, "team", Fraction(score), at, minute, is_shown)


HELD = entry("held", "0.9", 2, is_shown=False)
LOW, HIGH = entry("low", "0.1", 0), entry("high", "0.5", 1)


def test_a_team_stands_with_what_it_was_shown() -> None:
    assert best_shown([LOW, HELD, HIGH], 5) == HIGH
    assert best_shown([HELD], 5) is None


def test_free_places_are_filled_with_shown_scores_only() -> None:
    assert finals([LOW, HIGH, HELD], chosen=set(), places=3, decimals=5) == [HIGH, LOW]


def test_a_team_that_chose_what_was_held_back_keeps_it() -> None:
    assert finals([LOW, HIGH, HELD], chosen={"held"}, places=2, decimals=5) == [HELD, HIGH]


def test_a_team_of_which_nothing_shown_is_left_has_a_final_all_the_same() -> None:
    assert finals([HELD], chosen=set(), places=2, decimals=5) == [HELD]


def visibility(
    *, is_organizer: bool = False, is_revealed: bool = False, is_frozen: bool = False
) -> ScoreVisibility:
    return visibility_of(
        is_organizer=is_organizer,
        submitted_at=START,
        frozen_at=START if is_frozen else None,
        revealed_at=START if is_revealed else None,
        objective_scores="always",
        is_held_back=True,
    )


def test_what_is_held_back_shows_neither_score_nor_objectives() -> None:
    assert visibility() == ScoreVisibility(False, False, False, False, is_held_back=True)


def test_after_a_freeze_no_team_is_told_what_the_ladder_has_decided() -> None:
    assert visibility(is_frozen=True) == ScoreVisibility(
        False, False, False, False, is_held_back=False, is_frozen=True
    )


def test_the_reveal_ends_what_a_ladder_holds_back() -> None:
    assert visibility(is_revealed=True) == ScoreVisibility(
        True, True, True, True, is_held_back=False
    )


def test_organizers_see_the_score_and_that_it_is_held_back() -> None:
    assert visibility(is_organizer=True) == ScoreVisibility(
        True, True, True, True, is_held_back=True
    )


def test_the_step_grows_with_the_files_that_a_team_has_tried() -> None:
    best = Fraction(1, 2)
    # √(1 + 2 ln 50) = 2.970
    assert not is_step_up(best + Fraction("0.2969"), best, 0.1, before=50)
    assert is_step_up(best + Fraction("0.2971"), best, 0.1, before=50)


def test_one_label_more_is_never_a_step() -> None:
    # One better session of n: the difference and its standard error are both exactly 1 / n.
    for sessions in (7, 49, 1000, 1_671_803):
        share = 1 / sessions
        error = math.sqrt((1 - share) / (sessions - 1) / sessions)
        assert not is_step_up(Fraction(1, sessions), Fraction(0), error, before=1)


SESSIONS, FILES = 4000, 450

Propose = Callable[[random.Random, list[int], int], list[int]]


def boosting(rng: random.Random, best: list[int], _: int) -> list[int]:
    return [rng.randrange(2) if rng.random() < 0.1 else choice for choice in best]


def in_groups(size: int) -> Propose:
    """The other candidate for the next so many sessions."""

    def propose(_: random.Random, best: list[int], number: int) -> list[int]:
        start = size * number % SESSIONS
        flipped = [1 - choice for choice in best[start : start + size]]
        return best[:start] + flipped + best[start + size :]

    return propose


def gained(propose: Propose, seed: int, *, is_ladder: bool) -> float:
    """An attack without any signal: 450 files that differ in last places, between two candidates
    that are as good as each other, kept where the board shows a better score. Answers what the last
    kept one has gained on the first, in SE(Δ) of the two."""
    rng = random.Random(seed)
    finds = [rng.choices((0, 1, None), (0.1, 0.1, 0.8))[0] for _ in range(SESSIONS)]
    best = first = [rng.randrange(2) for _ in finds]
    for number in range(FILES - 1):
        file = propose(rng, best, number)
        value, error = difference(file, best, finds)
        is_kept = value > 0
        if is_ladder:
            is_kept = is_step_up(value, Fraction(0), error, before=number + 1)
        if is_kept:
            best = file
    value, error = difference(best, first, finds)
    return float(value) / error if error else 0.0


def difference(one: list[int], other: list[int], finds: list[int | None]) -> tuple[Fraction, float]:
    """The paired difference of two scores and its standard error."""
    plus = sum(a == f != b for a, b, f in zip(one, other, finds, strict=True))
    minus = sum(a != f == b for a, b, f in zip(one, other, finds, strict=True))
    mean = (plus - minus) / SESSIONS
    squares = (plus + minus) - SESSIONS * mean**2
    return Fraction(plus - minus, SESSIONS), math.sqrt(squares / (SESSIONS - 1) / SESSIONS)


@pytest.mark.parametrize(
    "propose",
    [
        pytest.param(boosting, id="wacky boosting"),
        pytest.param(in_groups(8), id="group testing"),
        pytest.param(in_groups(1), id="single labels"),
    ],
)
def test_attacks_gain_much_on_an_exact_board_and_little_on_a_ladder(propose: Propose) -> None:
    assert gained(propose, 1, is_ladder=False) > 4
    assert gained(propose, 1, is_ladder=True) <= 3
