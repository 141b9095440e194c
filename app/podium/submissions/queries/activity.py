"""The number of submissions on each day, and of competing teams that sent them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from podium.core.models import Submission, Team
from podium.core.models.teams import counts_as_team


@dataclass(frozen=True, slots=True)
class DayCount:
    """A day in UTC, from where it begins."""

    day: datetime
    submissions: int
    teams: int


def daily(session: Session, competition_id: str, days: Sequence[datetime]) -> list[DayCount]:
    """The counts of each of these days, which follow each other, the earliest first; the last one
    goes on until now."""
    number = case(
        *((Submission.submitted_at >= day, place) for place, day in reversed([*enumerate(days)])),
    ).label("number")
    query = (
        select(number, func.count(), func.count(case((counts_as_team(), Team.id)).distinct()))
        .join(Team, Team.id == Submission.team_id)
        .where(Submission.competition_id == competition_id, Submission.submitted_at >= days[0])
        .group_by(number)
    )
    counted = {place: (submissions, teams) for place, submissions, teams in session.execute(query)}
    return [DayCount(day, *counted.get(place, (0, 0))) for place, day in enumerate(days)]
