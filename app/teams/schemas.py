"""Documents about teams: as members, and as organizers see them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from podium.core.models import Team, User
from podium.http.schemas import PersonOut, ShownTime
from podium.submissions.rules import LimitedBy
from podium.teams.service.teams import TeamView

Name = Annotated[str, Field(max_length=1000, examples=["Team Ada"])]


class Disqualified(BaseModel):
    """Since when a team holds no rank, and why."""

    at: ShownTime
    reason: str


class TeamOut(BaseModel):
    """A team as its members see it. `limited_by` names the limit that decides
    `submissions_left_today`; `phase` means that nothing can be submitted now."""

    id: str
    name: str
    competition: str
    members: list[PersonOut]
    invite_code: str
    tags: list[str]
    created_at: ShownTime
    disqualified: Disqualified | None
    submissions_left_today: int
    resets_at: ShownTime
    limited_by: LimitedBy


class ManagedTeamOut(BaseModel):
    """A team as organizers see it. `merged_into` is the id of the team that took it in."""

    id: str
    name: str
    competition: str
    members: list[PersonOut]
    tags: list[str]
    created_at: ShownTime
    disqualified: Disqualified | None
    merged_into: str | None


class ListedTeamOut(ManagedTeamOut):
    """A team in the organizers' list, with the number of all files that it has sent."""

    submissions: int


def team_out(slug: str, view: TeamView) -> TeamOut:
    """The document for members."""
    team = view.team
    return TeamOut(
        id=team.id,
        name=team.name,
        competition=slug,
        members=people_out(view.members),
        invite_code=team.invite_code,
        tags=team.tags,
        created_at=team.created_at,
        disqualified=disqualified_out(team.disqualified_at, team.disqualified_because),
        submissions_left_today=view.allowance.left_today,
        resets_at=view.allowance.resets_at,
        limited_by=view.allowance.limited_by,
    )


def managed_team_out(slug: str, team: Team, members: list[User]) -> ManagedTeamOut:
    """The document for organizers."""
    return ManagedTeamOut(
        id=team.id,
        name=team.name,
        competition=slug,
        members=people_out(members),
        tags=team.tags,
        created_at=team.created_at,
        disqualified=disqualified_out(team.disqualified_at, team.disqualified_because),
        merged_into=team.merged_into_id,
    )


def people_out(users: list[User]) -> list[PersonOut]:
    """People, in the given order."""
    return [PersonOut(id=user.id, name=user.name) for user in users]


def disqualified_out(at: datetime | None, reason: str | None) -> Disqualified | None:
    """What members and organizers see of a disqualification."""
    return None if at is None else Disqualified(at=at, reason=reason or "")
