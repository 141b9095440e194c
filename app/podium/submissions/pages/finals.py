"""The final selection as pages show it: what a team chose, what counts in the end, and with which
file it stands on the board."""

from __future__ import annotations

from datetime import datetime

from fastapi import Request
from pydantic import BaseModel

from podium.competitions.pages.layout import CompetitionLayout
from podium.http.pages.api_calls import ask, at, document_of
from podium.submissions.schemas import SubmissionOut


class PlaceOfTeam(BaseModel):
    """A team's row of a board, as far as pages of submissions tell."""

    rank: int | None
    rank_change: int | None
    score: float
    submission_id: str


class PlacesOfTeam(BaseModel):
    """That row, if there is one."""

    rows: list[PlaceOfTeam]


class Finals(BaseModel):
    """The ids that a team chose and those that count, of at most `places`; `counting` is None while
    hidden scores decide."""

    submission_ids: list[str]
    counting: list[str] | None
    places: int


async def finals_of(request: Request, layout: CompetitionLayout) -> Finals:
    """The final selection of the visitor's team; an empty one for visitors without a team."""
    if layout.team is None:
        places = layout.competition.final_selections
        return Finals(submission_ids=[], counting=None, places=places)
    return await document_of(request, at("/competitions/{}/selection", layout.slug), Finals)


async def place_of(
    request: Request, layout: CompetitionLayout, team_id: str, since: datetime | None = None
) -> PlaceOfTeam | None:
    """The team's row of the board that counts now, which before the reveal is the public one, with
    its change since a moment; None before there is one."""
    params = {"team": team_id}
    if layout.competition.phase == "revealed":
        params["split"] = "private"
    elif since is not None:
        params["since"] = since.strftime("%Y-%m-%dT%H:%M:%SZ")
    path = at("/competitions/{}/leaderboard", layout.slug)
    answer = await ask(request, "GET", path, params=params)
    rows = answer.read(PlacesOfTeam).rows if answer.is_good else []
    return rows[0] if rows else None


def marks_of(
    submission: SubmissionOut, finals: Finals, place: PlaceOfTeam | None, *, is_revealed: bool
) -> list[str]:
    """The words that set a file apart from the others of its team, in a few words each."""
    marks = []
    if place is not None and place.submission_id == submission.id:
        marks.append("in the final ranking" if is_revealed else "on the board")
    is_counting = submission.id in (finals.counting or ())
    if is_counting and is_revealed:
        marks.append("counted" if submission.selected else "counted, filled in")
    elif is_counting and not submission.selected:
        marks.append("auto-selected")
    return marks
