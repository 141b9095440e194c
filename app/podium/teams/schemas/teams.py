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
    """Another name for a team."""

    name: Name


class Disqualified(Output):
    """Since when a team holds no rank, and why."""

    at: DisqualifiedAt
    reason: ReasonForAll


NameOfTeam = Annotated[
    str, Field(description="The name that the team has now.", examples=["Team Ada"])
]

TeamMembers = Annotated[list[PersonOut], Field(description="The people who are in it.")]

WhyDisqualified = Annotated[
    Disqualified | None,
    Field(
        description="Since when, and why, it holds no rank. Null: it may be ranked.",
        examples=[None],
    ),
]

RulesToAccept = Annotated[
    str,
    Field(description="The rules that have to be accepted, as Markdown. Empty: there are none."),
]


class LeakOut(Output):
    """What public scores may tell a team, where there is a limit; all in bits of the public
    split."""

    limit: Annotated[int, Field(examples=[2000])]
    """The setting `leak_limit`."""
    told: Annotated[int, Field(examples=[312])]
    """The most that its scores have told the team so far."""
    undecided: Annotated[int, Field(examples=[17])]
    """The most that its files without a verdict may tell."""


class TeamOut(Output):
    """A team as its members see it."""

    id: Annotated[Id, Field(examples=[examples.TEAM])]
    name: NameOfTeam
    competition: CompetitionSlug
    members: TeamMembers
    invite_code: str
    """The code with which others can join the team."""
    tags: TeamTags
    created_at: CreatedAt
    disqualified: WhyDisqualified
    submissions_left_today: Annotated[int, Field(examples=[4])]
    """The number of files that the team can still send today."""
    resets_at: Annotated[ShownTime, Field(examples=["2026-11-25T00:00:00Z"])]
    """The time at which more become possible."""
    limited_by: LimitedBy
    """The limit that decides `submissions_left_today`. `phase`: nothing can be submitted now."""
    leak: Annotated[LeakOut | None, Field(exclude_if=lambda kept: kept is None)] = None
    """Only where the competition has a `leak_limit`."""


class ManagedTeamOut(Output):
    """A team as organizers see it."""

    id: Annotated[Id, Field(examples=[examples.TEAM])]
    name: NameOfTeam
    competition: CompetitionSlug
    members: TeamMembers
    tags: TeamTags
    created_at: CreatedAt
    disqualified: WhyDisqualified
    merged_into: str | None
    """The id of the team that took it in. Null: it stands for itself."""


class ListedTeamOut(ManagedTeamOut):
    """A team in the organizers' list, with the number of all files that it has sent."""

    submissions: int
    """All files that it has sent."""
    told_bits: Annotated[int, Field(examples=[312])]
    """The most bits of the public split that the team has been told by what it saw of its files
    before the reveal."""
    public_rows: Annotated[int | None, Field(examples=[5000])]
    """The labelled rows of the public split, to compare `told_bits` with."""


class EntryOut(Output):
    """What an account may know of a competition before it has entered."""

    competition: CompetitionSlug
    title: str
    """The competition's title."""
    phase: Phase
    """The part of its life that it is in."""
    registration: Registration
    """`open`: every account may enter; `code`: with the class code; `approval`: once an organizer
    has approved; `invite`: with an invitation only."""


class InvitationOut(Output):
    """What the holder of a team's code may know before joining."""

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
    """The person's words to the organizers."""
    reason: Annotated[str, Field(examples=["Welcome!"])]
    """The organizers' answer; may be empty."""
    created_at: CreatedAt
    decided_at: DecidedAt


class ListedJoinRequestOut(JoinRequestOut):
    """A request to enter, as organizers see it."""

    person: PersonOut
    """The account that asks."""


class MergeRequestOut(Output):
    """A wish to merge, as one of the two teams sees it."""

    id: Annotated[Id, Field(examples=[examples.OTHER])]
    direction: Literal["incoming", "outgoing"]
    """`incoming` wishes are for the reader's team to answer, which takes the other one in."""
    team: PersonOut
    """The other team."""
    status: MergeStatus
    """The state that it is in."""
    created_at: CreatedAt
    decided_at: Annotated[DecidedAt, Field(examples=[None])]


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
