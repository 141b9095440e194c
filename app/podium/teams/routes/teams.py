"""Routes of teams: entering, joining, and managing one's own team; creating teams for others."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import Field
from sqlalchemy.orm import Session

from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.application import Application
from podium.core.models import Team
from podium.errors.codes import ErrorCode
from podium.http import examples
from podium.http.deps import App
from podium.http.schemas import OF_ITS_TIME, Input, example, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing
from podium.teams.authentication import Codes, counted
from podium.teams.schemas.teams import (
    AcceptsRules,
    InvitationOut,
    Name,
    TeamName,
    TeamOut,
    invitation_out,
    team_out,
)
from podium.teams.service import own_team, teams

router = strict_router(tag="teams")

MAKING_REFUSED = problems(
    ErrorCode.BAD_NAME,
    ErrorCode.UNKNOWN_USER,
    ErrorCode.ALREADY_IN_TEAM,
    ErrorCode.TOO_MANY_MEMBERS,
    ErrorCode.COMPETITION_CLOSED,
)
"""The errors of creating a team, or a baseline, for organizers."""


class NewTeam(Input):
    """A team to create."""

    model_config = example(name="Team Ada", accept_rules=True)

    name: Name
    accept_rules: AcceptsRules = False
    code: Annotated[str, Field(max_length=1000)] = ""
    """The class code, required if `registration` is `code`."""


class NewBaseline(Input):
    """A baseline to create."""

    name: Name


class InviteCode(Input):
    """An invitation to use."""

    model_config = example(invite_code=examples.INVITE_CODE, accept_rules=True)

    invite_code: Annotated[str, Field(max_length=200)]
    """The code that a member of the team shared."""
    accept_rules: AcceptsRules = False
    leave: bool = False
    """True leaves the team that you are in first, if it has submitted nothing yet."""


class MadeTeam(Input):
    """A team created by an organizer."""

    model_config = example(name="Team Ada", members=[examples.ADA])

    name: Name
    members: Annotated[list[str], Field(max_length=100, default_factory=list)]
    """The ids of the accounts that become its members."""


@router.post(
    "/competitions/{slug}/teams",
    operation_id="createTeam",
    summary="Enter a competition with a new team",
    status_code=201,
    responses=problems(
        ErrorCode.REGISTRATION_CLOSED,
        ErrorCode.WRONG_CODE,
        ErrorCode.APPROVAL_NEEDED,
        ErrorCode.RULES_NOT_ACCEPTED,
        ErrorCode.ALREADY_IN_TEAM,
        ErrorCode.NAME_TAKEN,
        *OF_ITS_TIME,
        ErrorCode.BAD_NAME,
        ErrorCode.TOO_MANY_ATTEMPTS,
    ),
)
def post_team(
    slug: str,
    body: NewTeam,
    actor: SignedIn,
    session: Writing,
    app: App,
    codes: Codes,
    response: Response,
) -> TeamOut:
    """The answer has the `invite_code` by which others join. Wrong codes are counted by account."""
    with counted(codes, actor, body.code):
        team = teams.create_team(
            session,
            slug=slug,
            actor=actor,
            name=body.name,
            accepts_rules=body.accept_rules,
            code=body.code,
        )
    response.headers["Location"] = f"/api/v1/competitions/{slug}/team"
    return _shown(slug, team, session, app)


@router.post(
    "/competitions/{slug}/teams/join",
    operation_id="joinTeam",
    summary="Join a team",
    responses=problems(
        ErrorCode.APPROVAL_NEEDED,
        ErrorCode.RULES_NOT_ACCEPTED,
        ErrorCode.UNKNOWN_CODE,
        ErrorCode.ALREADY_IN_TEAM,
        ErrorCode.TEAM_FULL,
        ErrorCode.TEAM_HAS_BEGUN,
        *OF_ITS_TIME,
    ),
)
def post_join(slug: str, body: InviteCode, actor: SignedIn, session: Writing, app: App) -> TeamOut:
    """With the `invite_code` that one of its members shared."""
    join = own_team.change_over if body.leave else teams.join_team
    team = join(
        session,
        slug=slug,
        actor=actor,
        invite_code=body.invite_code,
        accepts_rules=body.accept_rules,
    )
    return _shown(slug, team, session, app)


@router.get(
    "/competitions/{slug}/teams/invitation",
    operation_id="getInvitation",
    summary="What an invite code is for",
    responses=problems(ErrorCode.UNKNOWN_CODE),
)
def get_invitation(
    slug: str,
    actor: MaybeActor,
    session: Reading,
    invite_code: Annotated[
        str, Query(max_length=200, description="The code that a member of the team passed on.")
    ],
) -> InvitationOut:
    """For the holder of a team's code, even without an account."""
    return invitation_out(teams.look_at_invitation(session, slug=slug, code=invite_code))


@router.get(
    "/competitions/{slug}/team",
    operation_id="getOwnTeam",
    summary="My team and what it may still send today",
    responses=problems(ErrorCode.NO_TEAM),
)
def get_team(slug: str, actor: SignedIn, session: Reading, app: App) -> TeamOut:
    """404 with the code `no-team` for a user who has not entered."""
    limit = app.settings.rejected_per_hour
    view = teams.own_team(session, slug=slug, actor=actor, rejected_per_hour=limit)
    return team_out(slug, view)


@router.patch(
    "/competitions/{slug}/team",
    operation_id="renameTeam",
    summary="Rename my team",
    responses=problems(ErrorCode.BAD_NAME, ErrorCode.NAME_TAKEN, ErrorCode.NO_TEAM, *OF_ITS_TIME),
)
def patch_team(slug: str, body: TeamName, actor: SignedIn, session: Writing, app: App) -> TeamOut:
    """Every member can do this, until the close."""
    team = own_team.change_team(
        session, slug=slug, actor=actor, **body.model_dump(exclude_unset=True)
    )
    return _shown(slug, team, session, app)


@router.post(
    "/competitions/{slug}/team/invite-code",
    operation_id="renewInviteCode",
    summary="Make a new invite code",
    responses=problems(ErrorCode.NO_TEAM),
)
def post_invite_code(slug: str, actor: SignedIn, session: Writing, app: App) -> TeamOut:
    """The former code stops working."""
    team = own_team.renew_invite_code(session, slug=slug, actor=actor)
    return _shown(slug, team, session, app)


@router.post(
    "/competitions/{slug}/team/leave",
    operation_id="leaveTeam",
    summary="Leave my team",
    status_code=204,
    responses=problems(ErrorCode.NO_TEAM, ErrorCode.TEAM_HAS_BEGUN, *OF_ITS_TIME),
)
def post_leave(slug: str, actor: SignedIn, session: Writing) -> None:
    """Only before its first submission: changing teams never gives a new quota. A team without
    members is deleted."""
    own_team.leave_team(session, slug=slug, actor=actor)


@router.post(
    "/admin/competitions/{slug}/teams",
    operation_id="makeTeam",
    summary="Make a team for others",
    status_code=201,
    responses=MAKING_REFUSED,
)
def post_made_team(
    slug: str, body: MadeTeam, actor: SignedIn, session: Writing, app: App, response: Response
) -> TeamOut:
    """For organizers; the only way in if `registration` is `invite`."""
    team = teams.make_team(session, slug=slug, actor=actor, name=body.name, members=body.members)
    response.headers["Location"] = f"/api/v1/admin/teams/{team.id}"
    return _shown(slug, team, session, app)


@router.post(
    "/admin/competitions/{slug}/baselines",
    operation_id="makeBaseline",
    summary="Make a baseline",
    status_code=201,
    responses=MAKING_REFUSED,
)
def post_baseline(
    slug: str, body: NewBaseline, actor: SignedIn, session: Writing, app: App, response: Response
) -> TeamOut:
    """A row on the board, tagged and not ranked. Organizers submit for it with
    `POST …/submissions?team=<id>`, without a quota."""
    team = teams.make_team(session, slug=slug, actor=actor, name=body.name, is_baseline=True)
    response.headers["Location"] = f"/api/v1/admin/teams/{team.id}"
    return _shown(slug, team, session, app)


def _shown(slug: str, team: Team, session: Session, app: Application) -> TeamOut:
    limit = app.settings.rejected_per_hour
    return team_out(slug, teams.view_of(session, team=team, rejected_per_hour=limit))
