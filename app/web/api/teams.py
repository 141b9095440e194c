"""Routes of teams: entering, joining, one's own, and those that organizers make."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from app.domain.quota import LimitedBy
from app.services import teams
from app.services.teams import TeamView
from app.web.api.schemas import Input, PersonOut, ShownTime, problems
from app.web.deps import App, Reading, SignedIn, Writing
from app.web.strict_json import strict_router

router = strict_router(tag="teams")

TeamName = Annotated[str, Field(max_length=1000, examples=["Team Ada"])]


class NewTeam(Input):
    """What to call it: 1 to 64 visible characters."""

    name: TeamName


class InviteCode(Input):
    """What a member of the team gave away."""

    invite_code: Annotated[str, Field(max_length=200)]


class MadeTeam(Input):
    """A team made by an organizer, with the ids of its members."""

    name: TeamName
    members: Annotated[list[str], Field(max_length=100, default_factory=list)]


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
    submissions_left_today: int
    resets_at: ShownTime
    limited_by: LimitedBy


@router.post(
    "/competitions/{slug}/teams",
    operation_id="createTeam",
    summary="Enter a competition with a new team",
    status_code=201,
    responses=problems(400, 401, 403, 404, 409),
)
def post_team(slug: str, body: NewTeam, actor: SignedIn, session: Writing, app: App) -> TeamOut:
    """The answer holds the `invite_code` by which others join."""
    team = teams.create_team(session, slug=slug, actor=actor, name=body.name)
    limit = app.settings.rejected_per_hour
    return _team_out(slug, teams.view_of(session, team=team, rejected_per_hour=limit))


@router.post(
    "/competitions/{slug}/teams/join",
    operation_id="joinTeam",
    summary="Join a team",
    responses=problems(400, 401, 404, 409),
)
def post_join(slug: str, body: InviteCode, actor: SignedIn, session: Writing, app: App) -> TeamOut:
    """With the `invite_code` that one of its members gave away."""
    team = teams.join_team(session, slug=slug, actor=actor, invite_code=body.invite_code)
    limit = app.settings.rejected_per_hour
    return _team_out(slug, teams.view_of(session, team=team, rejected_per_hour=limit))


@router.get(
    "/competitions/{slug}/team",
    operation_id="getOwnTeam",
    summary="My team and what it may still send today",
    responses=problems(401, 404),
)
def get_team(slug: str, actor: SignedIn, session: Reading, app: App) -> TeamOut:
    """404 with the code `no-team` for somebody who has not entered."""
    limit = app.settings.rejected_per_hour
    view = teams.own_team(session, slug=slug, actor=actor, rejected_per_hour=limit)
    return _team_out(slug, view)


@router.post(
    "/admin/competitions/{slug}/teams",
    operation_id="makeTeam",
    summary="Make a team for others",
    status_code=201,
    responses=problems(400, 401, 404, 409),
)
def post_made_team(
    slug: str, body: MadeTeam, actor: SignedIn, session: Writing, app: App
) -> TeamOut:
    """For organizers; the only way in where `registration` is `invite`."""
    team = teams.make_team(session, slug=slug, actor=actor, name=body.name, members=body.members)
    limit = app.settings.rejected_per_hour
    return _team_out(slug, teams.view_of(session, team=team, rejected_per_hour=limit))


@router.post(
    "/admin/competitions/{slug}/baselines",
    operation_id="makeBaseline",
    summary="Make a baseline",
    status_code=201,
    responses=problems(400, 401, 404, 409),
)
def post_baseline(slug: str, body: NewTeam, actor: SignedIn, session: Writing, app: App) -> TeamOut:
    """A row on the board, tagged and not ranked. Organizers submit for it with
    `POST …/submissions?team=<id>`, without a quota."""
    team = teams.make_team(session, slug=slug, actor=actor, name=body.name, is_baseline=True)
    limit = app.settings.rejected_per_hour
    return _team_out(slug, teams.view_of(session, team=team, rejected_per_hour=limit))


def _team_out(slug: str, view: TeamView) -> TeamOut:
    return TeamOut(
        id=view.team.id,
        name=view.team.name,
        competition=slug,
        members=[PersonOut(id=member.id, name=member.name) for member in view.members],
        invite_code=view.team.invite_code,
        tags=view.team.tags,
        created_at=view.team.created_at,
        submissions_left_today=view.allowance.left_today,
        resets_at=view.allowance.resets_at,
        limited_by=view.allowance.limited_by,
    )
