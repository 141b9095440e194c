"""The activity in a competition, day by day, for its organizers."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.orm import Session

from podium.core.access import Actor, competition_for_organizer
from podium.core.database.engine import database_now
from podium.submissions.queries import activity
from podium.submissions.queries.activity import DayCount


def daily_activity(session: Session, *, actor: Actor, slug: str, days: int) -> list[DayCount]:
    """The last so many days, today included, the earliest first. Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    today = database_now(session).replace(hour=0, minute=0, second=0, microsecond=0)
    moments = [today - timedelta(days=back) for back in range(days - 1, -1, -1)]
    return activity.daily(session, competition.id, moments)
