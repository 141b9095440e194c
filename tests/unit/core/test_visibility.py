"""The visibility of each part of a score."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from podium.core.visibility import ObjectiveScores, ScoreVisibility, visibility_of

SUBMITTED = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def visibility(
    *,
    is_organizer: bool = False,
    frozen: timedelta | None = None,
    is_revealed: bool = False,
    objective_scores: ObjectiveScores = "after_reveal",
) -> ScoreVisibility:
    return visibility_of(
        is_organizer=is_organizer,
        submitted_at=SUBMITTED,
        frozen_at=None if frozen is None else SUBMITTED + frozen,
        revealed_at=SUBMITTED + 10 * HOUR if is_revealed else None,
        objective_scores=objective_scores,
    )


def test_a_team_sees_its_public_score_and_nothing_else_before_the_reveal() -> None:
    assert visibility() == ScoreVisibility(True, False, False, False)


def test_after_the_reveal_a_team_sees_its_private_score_and_objectives() -> None:
    assert visibility(is_revealed=True) == ScoreVisibility(True, True, True, True)


def test_organizers_see_everything_at_any_time() -> None:
    everything = ScoreVisibility(True, True, True, True)
    assert visibility(is_organizer=True) == everything
    assert visibility(is_organizer=True, frozen=-HOUR, objective_scores="organizers") == everything


def test_what_came_at_or_after_the_freeze_shows_no_score() -> None:
    nothing = ScoreVisibility(False, False, False, False, is_frozen=True)
    assert visibility(frozen=timedelta(0)) == nothing
    assert visibility(frozen=-HOUR, objective_scores="always") == nothing


def test_what_came_before_the_freeze_shows_its_score() -> None:
    assert visibility(frozen=HOUR) == ScoreVisibility(True, False, False, False)


def test_the_reveal_ends_the_silence_of_a_freeze() -> None:
    assert visibility(frozen=-HOUR, is_revealed=True).public_score


@pytest.mark.parametrize("is_revealed", [False, True])
def test_objectives_for_organizers_stay_theirs(is_revealed: bool) -> None:
    seen = visibility(is_revealed=is_revealed, objective_scores="organizers")
    assert not seen.public_objectives
    assert not seen.private_objectives


def test_objectives_that_are_always_shown_keep_their_private_half() -> None:
    assert visibility(objective_scores="always") == ScoreVisibility(True, False, True, False)
