"""The range of the axis of a chart over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from podium.competitions.schemas.competitions import CompetitionOut

SOON = 0.15
"""The axis begins at the launch where the first submission followed it within this share of the
time since. A board whose teams took their time would otherwise begin with a long empty part: there
the axis begins shortly before the first submission."""

ROOM = 0.03
"""The share of the axis before the first submission, where it does not begin at the launch."""

MIN_SPAN = timedelta(minutes=3)
"""The shortest axis: a single moment still has ticks beside it."""


def time_axis(
    moments: Sequence[datetime], *, launched_at: datetime | None, end: datetime
) -> tuple[datetime, datetime]:
    """Computes the beginning and the end of the axis for submissions at these moments, at least
    one; none of them lies outside."""
    first, end = min(moments), max(*moments, end)
    if launched_at is not None and first - SOON * (end - launched_at) <= launched_at <= first:
        start = launched_at
    else:
        start = first - ROOM * (end - first)
    if (missing := MIN_SPAN - (end - start)) > timedelta(0):
        start, end = start - missing / 2, end + missing / 2
    return start, end


def end_of_charts(competition: CompetitionOut, now: datetime) -> datetime:
    """Finds the moment until which a board has moved: now, the close, or a freeze that still lasts.
    Now is rounded up to an hour, in the first day of a competition to a minute: a page with the
    same scores stays identical for a while, and is not sent again."""
    freeze = competition.frozen_at if competition.revealed_at is None else None
    ends = [each for each in (competition.closed_at, competition.ends_at, freeze) if each]
    is_young = competition.launched_at and now - competition.launched_at < timedelta(days=1)
    step = 60 if is_young else 3_600
    rounded = datetime.fromtimestamp(-(-now.timestamp() // step) * step, UTC)
    return min([rounded, *ends])
