"""The visibility of scores: which part of a score a viewer may see, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Board = Literal["public", "private"]
"""The public board shows one part of the split; the private one decides, after the reveal."""

ObjectiveScores = Literal["organizers", "after_reveal", "always"]


@dataclass(frozen=True, slots=True)
class ScoreVisibility:
    """The parts of a scored submission that a viewer may see."""

    public_score: bool
    private_score: bool
    public_objectives: bool
    private_objectives: bool
    is_held_back: bool = False
    """True if the viewer may know that a ladder withholds the score."""

    is_frozen: bool = False
    """True if the score is hidden because the file was sent during a freeze that still lasts."""


def visibility_of(
    *,
    is_organizer: bool,
    submitted_at: datetime,
    frozen_at: datetime | None,
    revealed_at: datetime | None,
    objective_scores: ObjectiveScores,
    is_held_back: bool = False,
) -> ScoreVisibility:
    """Decides which scores a viewer sees. Organizers see all. A team sees the public score at once,
    unless it submitted after a freeze that still lasts, or a ladder withholds it; the private one
    after the reveal; objectives as the organizer has set."""
    if is_organizer:
        return ScoreVisibility(True, True, True, True, is_held_back)
    is_revealed = revealed_at is not None
    is_frozen = frozen_at is not None and submitted_at >= frozen_at and not is_revealed
    is_hidden = is_frozen or (is_held_back and not is_revealed)
    may_see_objectives = objective_scores == "always" or (
        objective_scores == "after_reveal" and is_revealed
    )
    return ScoreVisibility(
        public_score=not is_hidden,
        private_score=is_revealed,
        public_objectives=may_see_objectives and not is_hidden,
        private_objectives=may_see_objectives and is_revealed,
        is_held_back=is_hidden and not is_frozen,
        is_frozen=is_frozen,
    )
