"""Routes of rosters: a preview, and the creation of accounts and teams."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.schemas import GivenTime, Input, example, problems
from podium.http.streaming.strict_json import strict_router, takes_long_json
from podium.http.transactions import Reading, Writing
from podium.teams.rules.roster import MAX_CHARACTERS
from podium.teams.schemas.rosters import (
    EnteredRosterOut,
    RosterPlanOut,
    entered_roster_out,
    roster_plan_out,
)
from podium.teams.service import roster
from podium.teams.service.roster import WantedRoster

router = strict_router(tag="links")


class RosterGiven(Input):
    """A roster: people, and perhaps their teams."""

    model_config = example(text="name,team\nAda,Engines\nCharles,Engines\n", competition="otto")

    text: Annotated[
        str,
        Field(max_length=MAX_CHARACTERS, examples=["name,team\nAda,Engines\nCharles,Engines\n"]),
    ]
    """CSV with commas or semicolons, or cells copied from a spreadsheet: a name and perhaps a team
    on each line, with or without a line of headings."""
    competition: Annotated[str | None, Field(max_length=64, examples=["otto"])] = None
    """The slug of the competition to enter; people without a team get one of their own. Null: only
    accounts are created."""
    uses_existing: bool = False
    """True uses accounts and teams that exist already, instead of refusing their names."""
    expires_at: GivenTime | None = None
    """The time at which the sign-in links of new people stop working. Null: in a week."""

    def wanted(self) -> WantedRoster:
        """Returns the roster as the use cases take it."""
        return WantedRoster(self.text, self.competition, self.uses_existing, self.expires_at)


@router.post(
    "/admin/roster/preview",
    operation_id="previewRoster",
    summary="What a roster would make, and its problems",
    responses=problems(
        403,
        404,
        ErrorCode.BAD_NAME,
        ErrorCode.NAME_MISSING,
        ErrorCode.NAME_TAKEN,
        ErrorCode.ALREADY_IN_TEAM,
        ErrorCode.TOO_MANY_MEMBERS,
        ErrorCode.COMPETITION_CLOSED,
    ),
)
@takes_long_json
def post_preview(session: Reading, actor: SignedIn, body: RosterGiven) -> RosterPlanOut:
    """Creates nothing. For organizers and the administrator; at most 500 people."""
    return roster_plan_out(roster.plan_roster(session, actor=actor, wanted=body.wanted()))


@router.post(
    "/admin/roster",
    operation_id="enterRoster",
    summary="Make the accounts and teams of a roster",
    status_code=201,
    responses=problems(
        403,
        404,
        ErrorCode.BAD_DATE,
        ErrorCode.BAD_NAME,
        ErrorCode.NAME_MISSING,
        ErrorCode.NAME_TAKEN,
        ErrorCode.TOO_MANY_LINKS,
        ErrorCode.ALREADY_IN_TEAM,
        ErrorCode.BAD_ROSTER,
        ErrorCode.TEAM_FULL,
        ErrorCode.TOO_MANY_MEMBERS,
        ErrorCode.COMPETITION_CLOSED,
        ErrorCode.CHANGED_MEANWHILE,
    ),
)
@takes_long_json
def post_roster(session: Writing, actor: SignedIn, body: RosterGiven, app: App) -> EnteredRosterOut:
    """All of it or nothing. Only this answer ever has the links."""
    entered = roster.enter_roster(session, actor=actor, wanted=body.wanted())
    return entered_roster_out(entered, base_url=app.settings.base_url)
