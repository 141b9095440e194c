"""Documents about rosters: many people and teams at once."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.errors import ProblemEntry
from podium.http import examples
from podium.http.schemas import Output, ShownTime
from podium.teams.schemas.links import slug_of
from podium.teams.service.roster import EnteredRoster, PlannedPerson, RosterPlan


class RosterProblem(Output):
    """A problem that prevents the roster."""

    code: Annotated[str, Field(examples=["name-taken"])]
    """The kind of problem."""
    line: int | None
    """The line of the text, from 1. Null: the whole text."""
    column: Annotated[str | None, Field(examples=["name"])]
    """The heading of the column. Null: the whole line."""
    detail: Annotated[str, Field(examples=["The name ada is taken."])]
    """The mistake in a sentence."""
    hint: Annotated[str | None, Field(examples=["Choose another name."])]
    """The remedy. Null: nothing to add."""


class RosterPersonOut(Output):
    """A person of a roster."""

    line: int
    """The line of the text, from 1."""
    name: str
    """The name of the account."""
    team: str | None
    """The name of the person's team. Null: none."""
    is_new: bool
    """True if the account will be created, false if it exists."""


class RosterTeamOut(Output):
    """A team of a roster."""

    name: Annotated[str, Field(examples=["Engines"])]
    """The name of the team."""
    members: list[str]
    """The names of the people whom the roster adds to it."""
    is_new: bool
    """True if the team will be created, false if it exists."""


class RosterPlanOut(Output):
    """The effect that a roster would have."""

    competition: str | None
    """The slug of the competition that is entered. Null: none."""
    people: list[RosterPersonOut]
    """The people, in the order of their lines."""
    teams: list[RosterTeamOut]
    """The teams of these people."""
    problems: Annotated[list[RosterProblem], Field(examples=[[]])]
    """Every problem, by line; one that most lines share is listed once, with all its lines in its
    `detail`. With a problem, nothing is created."""
    ignored_columns: Annotated[list[str], Field(examples=[["matriculation"]])]
    """Headings that are neither for a name nor for a team."""
    warnings: list[str]
    """Sentences about names that may be mistakes, such as mail addresses."""


class CredentialsOut(RosterPersonOut):
    """A person, with a link for the first sign-in."""

    id: Annotated[str, Field(examples=[examples.ADA])]
    """The id of the account."""
    address: Annotated[str | None, Field(examples=[f"/links/{examples.LINK_CODE}"])]
    """The address of a link that works once, shown only here. Null for existing accounts."""


class EnteredRosterOut(Output):
    """The outcome of a roster."""

    competition: str | None
    """The slug of the competition that was entered. Null: none."""
    people: list[CredentialsOut]
    """The people in the order of their lines, with their links."""
    teams: list[RosterTeamOut]
    """The teams of these people."""
    expires_at: ShownTime | None
    """The time at which the links stop working. Null: there are none."""


def roster_plan_out(plan: RosterPlan) -> RosterPlanOut:
    """Returns the document of a roster before it is carried out."""
    return RosterPlanOut.of(
        plan,
        competition=slug_of(plan.competition),
        people=list(plan.people),
        teams=_roster_teams(plan),
        problems=[RosterProblem.model_validate(_whole(each)) for each in plan.problems],
    )


def entered_roster_out(entered: EnteredRoster, *, base_url: str) -> EnteredRosterOut:
    """Returns the document of a roster that was carried out, with the links' addresses."""
    plan = entered.plan

    def person_out(person: PlannedPerson) -> CredentialsOut:
        code = entered.codes.get(person.line)
        return CredentialsOut.of(
            person,
            id=person.user.id if person.user else "",
            address=None if code is None else f"{base_url}/links/{code}",
        )

    return EnteredRosterOut.of(
        entered,
        competition=slug_of(plan.competition),
        people=[person_out(person) for person in plan.people],
        teams=_roster_teams(plan),
    )


def _roster_teams(plan: RosterPlan) -> list[RosterTeamOut]:
    return [
        RosterTeamOut.of(team, members=[person.name for person in team.people])
        for team in plan.teams
    ]


def _whole(problem: ProblemEntry) -> dict[str, object]:
    return {name: problem.get(name) for name in RosterProblem.model_fields}
