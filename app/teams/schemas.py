"""Documents about teams, their merges, and links."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from podium.accounts.rules import RequestState
from podium.core.models import Competition, JoinRequest, Team, User
from podium.errors import ProblemEntry
from podium.http.schemas import Input, Output, PersonOut, ShownTime
from podium.submissions.rules import LimitedBy
from podium.teams.queries import FoundLink
from podium.teams.rules import LinkKind, LinkState, MergeStatus
from podium.teams.service.link_use import Used
from podium.teams.service.links import LinkView, state_of
from podium.teams.service.merging import Wish
from podium.teams.service.roster import EnteredRoster, PlannedPerson, RosterPlan
from podium.teams.service.teams import Invitation, TeamView

Name = Annotated[str, Field(max_length=1000, examples=["Team Ada"])]


class TeamName(Input):
    """Another name for a team."""

    name: Name


class Disqualified(Output):
    """Since when a team holds no rank, and why."""

    at: ShownTime
    reason: str


class TeamOut(Output):
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


class ManagedTeamOut(Output):
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


class LinkFacts(Output):
    """A link without its code. `account` is the one that a reset is for, or that used a link of one
    seat; `person` is whom credentials are for; `used_at` is when the last seat was taken."""

    id: str
    kind: LinkKind
    competition: str | None
    team: PersonOut | None
    organizer: bool
    account: str | None
    person: PersonOut | None
    note: str
    created_at: ShownTime
    created_by: PersonOut
    expires_at: ShownTime
    used_at: ShownTime | None
    revoked_at: ShownTime | None
    seats: int
    seats_taken: int
    state: LinkState


class LinkOut(LinkFacts):
    """A link as its maker sees it later. The `code` is told only of a link of several seats, until
    the last one is taken or the link is revoked."""

    code: str | None


class MadeLink(LinkFacts):
    """A link when it is made, with its address: absolute where the installation knows its own
    (`PODIUM_BASE_URL`)."""

    address: str
    code: str


class LinkPurpose(Output):
    """What a link is for, and what has to be sent to use it."""

    kind: LinkKind
    competition: str | None
    title: str | None
    team: str | None
    organizer: bool
    account: str | None
    rules: str
    expires_at: ShownTime
    seats: int
    seats_left: int


class UsedLink(Output):
    """What came of it. `token` is shown only here, and null for somebody who had an account."""

    account: PersonOut
    token: str | None
    competition: str | None
    team: PersonOut | None


class RosterProblem(Output):
    """Something that stands in the way, with the line of the text, from 1."""

    code: str
    line: int | None
    column: str | None
    detail: str
    hint: str | None


class RosterPersonOut(Output):
    """A person of a roster. `is_new`: an account is made."""

    line: int
    name: str
    team: str | None
    is_new: bool


class RosterTeamOut(Output):
    """A team of a roster with the names of the people whom the roster puts there."""

    name: str
    members: list[str]
    is_new: bool


class RosterPlanOut(Output):
    """What a roster would make, with every problem, by line; with one, nothing can be made of it.
    `ignored_columns` are headings that mean neither a name nor a team."""

    competition: str | None
    people: list[RosterPersonOut]
    teams: list[RosterTeamOut]
    problems: list[RosterProblem]
    ignored_columns: list[str]


class CredentialsOut(RosterPersonOut):
    """A person with what they sign in by the first time: the address of a link that works once, and
    is shown only here. Null for those who had an account."""

    id: str
    address: str | None


class EnteredRosterOut(Output):
    """What came of a roster: people in the order of its lines, with their credentials."""

    competition: str | None
    people: list[CredentialsOut]
    teams: list[RosterTeamOut]
    expires_at: ShownTime | None


class InvitationOut(Output):
    """What the holder of a team's code may know before joining."""

    competition: str
    title: str
    team: str
    rules: str


class JoinRequestOut(Output):
    """A request to enter, as its person sees it; `reason` is the organizers'."""

    id: str
    state: RequestState
    note: str
    reason: str
    created_at: ShownTime
    decided_at: ShownTime | None


class ListedJoinRequestOut(JoinRequestOut):
    """A request to enter, as organizers see it."""

    person: PersonOut


class MergeRequestOut(Output):
    """A wish to merge, as one of the two teams sees it. `team` is the other one; `incoming` wishes
    are for the reader's team to answer, which takes the other one in."""

    id: str
    direction: Literal["incoming", "outgoing"]
    team: PersonOut
    status: MergeStatus
    created_at: ShownTime
    decided_at: ShownTime | None


def team_out(slug: str, view: TeamView) -> TeamOut:
    """The document for members."""
    return TeamOut.of(view.team, view.allowance, competition=slug, members=view.members)


def managed_team_out(slug: str, team: Team, members: list[User]) -> ManagedTeamOut:
    """The document for organizers."""
    return ManagedTeamOut.of(
        team, competition=slug, members=members, merged_into=team.merged_into_id
    )


def merge_request_out(wish: Wish, *, own_team_id: str) -> MergeRequestOut:
    """A wish as one of its teams sees it."""
    row, asking, asked = wish
    is_own = row.from_team_id == own_team_id
    return MergeRequestOut.of(
        row, direction="outgoing" if is_own else "incoming", team=asked if is_own else asking
    )


def link_out(found: FoundLink, *, now: datetime) -> LinkOut:
    """A link for those who made it, with its state at this time."""
    link = found.link
    return LinkOut.of(
        link,
        competition=_slug_of(found.competition),
        team=found.team,
        organizer=link.is_organizer,
        account=link.used_by or link.user_id,
        state=state_of(link, now=now),
        person=found.account,
        created_by=found.creator,
    )


def purpose_out(view: LinkView) -> LinkPurpose:
    """A link as its holder may see it."""
    return LinkPurpose.of(
        view,
        competition=_slug_of(view.competition),
        title=view.competition.title if view.competition else None,
        team=view.team.name if view.team else None,
        organizer=view.is_organizer,
    )


def used_out(used: Used) -> UsedLink:
    """The outcome of a link's use."""
    return UsedLink.of(used, account=used.user, competition=_slug_of(used.competition))


def roster_plan_out(plan: RosterPlan) -> RosterPlanOut:
    """A roster before it is carried out."""
    return RosterPlanOut.of(
        plan,
        competition=_slug_of(plan.competition),
        people=list(plan.people),
        teams=_roster_teams(plan),
        problems=[RosterProblem.model_validate(_whole(each)) for each in plan.problems],
    )


def entered_roster_out(entered: EnteredRoster, *, base_url: str) -> EnteredRosterOut:
    """A roster that was carried out, with the links' addresses."""
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
        competition=_slug_of(plan.competition),
        people=[person_out(person) for person in plan.people],
        teams=_roster_teams(plan),
    )


def invitation_out(invitation: Invitation) -> InvitationOut:
    """A team's invitation for the holder of its code."""
    competition = invitation.competition
    return InvitationOut.of(
        invitation,
        competition=competition.slug,
        title=competition.title,
        team=invitation.team.name,
    )


def listed_join_request_out(request: JoinRequest, person: User) -> ListedJoinRequestOut:
    """A request to enter for organizers."""
    return ListedJoinRequestOut.of(request, person=person)


def _roster_teams(plan: RosterPlan) -> list[RosterTeamOut]:
    return [
        RosterTeamOut.of(team, members=[person.name for person in team.people])
        for team in plan.teams
    ]


def _whole(problem: ProblemEntry) -> dict[str, object]:
    return {name: problem.get(name) for name in RosterProblem.model_fields}


def _slug_of(competition: Competition | None) -> str | None:
    return competition.slug if competition else None
