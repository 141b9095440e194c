"""The route of a competition's activity."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.http.schemas import Document
from podium.http.transactions import Reading, TransactionRoute
from podium.submissions.service.activity import daily_activity

router = APIRouter(route_class=TransactionRoute, tags=["submissions"])


class DayOut(Document):
    """A day in UTC: submissions that arrived, whatever became of them, and teams that sent them."""

    day: Annotated[date, Field(examples=["2026-11-24"])]
    """The date in UTC."""
    submissions: Annotated[int, Field(examples=[37])]
    """Submissions that arrived on this day, whatever became of them."""
    teams: Annotated[int, Field(examples=[12])]
    """Different teams that sent them."""


class ActivityOut(Document):
    """Days, the earliest first; the last one is today."""

    days: list[DayOut]
    """One entry per day, the earliest first; the last one is today."""


@router.get(
    "/admin/competitions/{slug}/activity",
    operation_id="getActivity",
    summary="Submissions and active teams per day",
)
def get_activity(
    session: Reading,
    actor: SignedIn,
    slug: str,
    days: Annotated[int, Query(ge=1, le=90, description="How many days, today included.")] = 14,
) -> ActivityOut:
    """Of the last days, today included."""
    found = daily_activity(session, actor=actor, slug=slug, days=days)
    return ActivityOut(
        days=[
            DayOut(day=each.day.date(), submissions=each.submissions, teams=each.teams)
            for each in found
        ]
    )
