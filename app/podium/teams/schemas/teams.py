"""Documents about teams, requests to enter, and merges."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from podium.accounts.rules import RequestState
from podium.core.competition_settings.registration import Registration
from podium.core.models import JoinRequest, Team, User
from podium.core.phases import Phase
from podium.http import examples
from podium.http.members import (
    CompetitionSlug,
    CreatedAt,
    DecidedAt,
    DisqualifiedAt,
    Id,
    ReasonForAll,
    TeamTags,
)
from podium.http.schemas import Input, Output, PersonOut, ShownTime
from podium.submissions.rules import LimitedBy
from podium.teams.rules import MergeStatus
from podium.teams.service.merging import Wish
from podium.teams.service.teams import Invitation, TeamView

Name = Annotated[
    str,
    Field(
        description="What the team is called: 1 to 64 visible characters, unique in its"
        " competition.",
        max_length=1000,
        examples=["Team Ada"],
    ),
]


AcceptsRules = Annotated[
    bool, Field(description="True accepts the competition's rules as they are now.")
]


class TeamName(Input):
    """A new name for a team."""

    name: Name


class Disqualified(Output):
    """Since when a team has no rank, and the reason."""

    at: DisqualifiedAt
    reason: ReasonForAll


RulesToAccept = Annotated[
    str,
    Field(description="The rules that have to be accepted, as Markdown. Empty: there are none."),
]


class LeakOut(Output):
    """The bits of the public split that scores may reveal to a team, if there is a limit."""

    limit: Annotated[int, Field(examples=[2000])]
    """The setting `leak_limit`."""
    told: Annotated[int, Field(examples=[312])]
    """The most bits that its scores have revealed to the team so far."""
    undecided: Annotated[int, Field(examples=[17])]
    """The most bits that its files without a verdict may reveal."""


class TeamFacts(Output):
    """A team as both its members and organizers see it."""

    id: Annotated[Id, Field(examples=[examples.TEAM])]
    name: Annotated[str, Field(examples=["Team Ada"])]
    """The name that the team has now."""
    competition: CompetitionSlug
    members: list[PersonOut]
    """The people who are in it."""
    tags: TeamTags
    created_at: CreatedAt
    disqualified: Annotated[Disqualified | None, Field(examples=[None])]
    """Since when, and why, it holds no rank. Null: it may be ranked."""


class TeamOut(TeamFacts):
    """A team as its members see it."""

    invite_code: str
    """The code with which others can join the team."""
    submissions_left_today: Annotated[int, Field(examples=[4])]
    """The number of files that the team can still submit today."""
    resets_at: Annotated[ShownTime, Field(examples=["2026-11-25T00:00:00Z"])]
    """The time at which more submissions become possible."""
    limited_by: LimitedBy
    """The limit that decides `submissions_left_today`. `phase`: nothing can be submitted now."""
    leak: Annotated[LeakOut | None, Field(exclude_if=lambda leak: leak is None)] = None
    """Only if the competition has a `leak_limit`."""


class ManagedTeamOut(TeamFacts):
    """A team as organizers see it."""

    merged_into: str | None
    """The id of the team that it was merged into. Null: none."""


class ListedTeamOut(ManagedTeamOut):
    """A team in the organizers' list, with the number of all files that it has submitted."""

    submissions: int
    """All files that it has submitted."""
    told_bits: Annotated[int, Field(examples=[312])]
    """The most bits of the public split that the visible results of its files have revealed to the
    team before the reveal."""
    public_rows: Annotated[int | None, Field(examples=[5000])]
    """The labeled rows of the public split, to compare `told_bits` with."""


class EntryOut(Output):
    """The part of a competition that an account may see before it has entered."""

    competition: CompetitionSlug
    title: str
    """The competition's title."""
    phase: Phase
    """The competition's phase."""
    registration: Registration
    """`open`: every account may enter; `code`: with the class code; `approval`: once an organizer
    has approved; `invite`: with an invitation only."""


class InvitationOut(Output):
    """The part of a team that the holder of its code may see before joining."""

    competition: CompetitionSlug
    title: str
    """The competition's title."""
    team: Annotated[str, Field(examples=["Team Ada"])]
    """The name of the team."""
    rules: RulesToAccept


class JoinRequestOut(Output):
    """A request to enter, as its person sees it."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    state: Annotated[RequestState, Field(examples=["approved"])]
    """`pending`, `approved` or `declined`."""
    note: Annotated[str, Field(examples=["I take the course."])]
    """The person's note to the organizers."""
    reason: Annotated[str, Field(examples=["Welcome!"])]
    """The organizers' answer; may be empty."""
    created_at: CreatedAt
    decided_at: DecidedAt


class ListedJoinRequestOut(JoinRequestOut):
    """A request to enter, as organizers see it."""

    person: PersonOut
    """The account that asks."""


class MergeRequestOut(Output):
    """A merge request, as one of the two teams sees it."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    direction: Literal["incoming", "outgoing"]
    """`incoming` requests ask the reader's team to merge the other one into it."""
    team: PersonOut
    """The other team."""
    status: MergeStatus
    """The state of the request."""
    created_at: CreatedAt
    decided_at: Annotated[DecidedAt, Field(examples=[None])]


def team_out(slug: str, view: TeamView) -> TeamOut:
    """Returns the document of a team for its members."""
    return TeamOut.of(view.team, view.allowance, competition=slug, members=view.members)


def managed_team_out(slug: str, team: Team, members: list[User]) -> ManagedTeamOut:
    """Returns the document of a team for organizers."""
    return ManagedTeamOut.of(
        team, competition=slug, members=members, merged_into=team.merged_into_id
    )


def merge_request_out(wish: Wish, *, own_team_id: str) -> MergeRequestOut:
    """Returns the document of a merge request for one of its teams."""
    row, asking, asked = wish
    is_own = row.from_team_id == own_team_id
    return MergeRequestOut.of(
        row, direction="outgoing" if is_own else "incoming", team=asked if is_own else asking
    )


def invitation_out(invitation: Invitation) -> InvitationOut:
    """Returns the document of a team's invitation for the holder of its code."""
    competition = invitation.competition
    return InvitationOut.of(
        invitation,
        competition=competition.slug,
        title=competition.title,
        team=invitation.team.name,
    )


def listed_join_request_out(request: JoinRequest, person: User) -> ListedJoinRequestOut:
    """Returns the document of a request to enter for organizers."""
    return ListedJoinRequestOut.of(request, person=person)
