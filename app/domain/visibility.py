"""Who may see which part of a score, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

ObjectiveScores = Literal["organizers", "after_reveal", "always"]


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody may see of a scored submission."""

    public_score: bool
    private_score: bool
    public_objectives: bool
    private_objectives: bool


def sight_of(
    *,
    is_organizer: bool,
    submitted_at: datetime,
    frozen_at: datetime | None,
    revealed_at: datetime | None,
    objective_scores: ObjectiveScores,
) -> Sight:
    """Organizers see all. A team sees the public score at once, unless it submitted after a freeze
    that still lasts; the private one after the reveal; objectives as the organizer has set."""
    if is_organizer:
        return Sight(True, True, True, True)
    is_revealed = revealed_at is not None
    is_hidden = frozen_at is not None and submitted_at >= frozen_at and not is_revealed
    may_see_objectives = objective_scores == "always" or (
        objective_scores == "after_reveal" and is_revealed
    )
    return Sight(
        public_score=not is_hidden,
        private_score=is_revealed,
        public_objectives=may_see_objectives and not is_hidden,
        private_objectives=may_see_objectives and is_revealed,
    )
