"""Routes by which organizers read and change all teams, and move people and submissions."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Response
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.core.competition_settings.texts import Reason
from podium.errors.codes import ErrorCode
from podium.http import examples
from podium.http.paging import Listed, Paging
from podium.http.schemas import Input, example, file_answer, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing
from podium.teams.schemas.teams import ListedTeamOut, ManagedTeamOut, Name, managed_team_out
from podium.teams.service import merging, organizing, results
from podium.teams.service.organizing import ManagedTeam

router = strict_router(tag="teams")

_PEOPLE = (
    "person,team,public_rank,public_score,final_rank,private_score,submissions,remark\n"
    "ada,Team Ada,1,0.57123,,,3,\n"
)

GivenReason = Annotated[Reason, Field(min_length=1, examples=["two accounts of one person"])]


class TeamChanges(Input):
    """Keys you include are changed; the rest stay as they are."""

    model_config = example(name="Team Ada")

    name: Name | None = None
    """The team's name from now on."""
    tags: Annotated[
        list[Literal["organizer", "baseline", "hidden"]] | None, Field(max_length=3)
    ] = None
    """The new tags of the team, which replace all others. `hidden` can be set and removed,
    `organizer` cannot be removed, `baseline` cannot be set."""


class TeamAct(Input):
    """The reason for an organizer's action."""

    reason: GivenReason
    """The reason; recorded in the audit log, at least one character."""


class MemberAct(TeamAct):
    """The account that an action is about."""

    model_config = example(user_id=examples.ADA, reason="a wrong team")

    user_id: Annotated[str, Field(max_length=100)]
    """The account that the action is about."""


class TeamMerge(TeamAct):
    """The team to merge into the one in the address."""

    model_config = example(team_id=examples.TEAM, reason="they asked for it")

    team_id: Annotated[str, Field(max_length=100)]
    """The team to merge into the one in the address."""


@router.get(
    "/admin/competitions/{slug}/people.csv",
    operation_id="getPeopleCsv",
    summary="Results by person as CSV",
    response_class=Response,
    responses={200: file_answer("The list.", "text/csv", example=_PEOPLE)},
)
def get_people_csv(session: Reading, actor: SignedIn, slug: str) -> Response:
    """A line for each person in a team, with ranks and scores: for grading a course."""
    content = results.people_csv(session, slug=slug, actor=actor)
    headers = {"Content-Disposition": f'attachment; filename="{slug}-people.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/admin/competitions/{slug}/teams", operation_id="listTeams", summary="All teams")
def get_teams(
    session: Reading,
    actor: SignedIn,
    slug: str,
    page: Paging,
    text: Annotated[
        str | None,
        Query(min_length=1, max_length=100, description="A part of a team's or a member's name."),
    ] = None,
) -> Listed[ListedTeamOut]:
    """Oldest first, including hidden and merged ones; with the most bits of the public split that
    scores may have revealed to each."""
    found = organizing.list_teams(
        session, slug=slug, actor=actor, text=text, after_id=page.after_text, limit=page.fetch
    )
    return page.listed(
        found.teams,
        key=lambda row: (row.team.id,),
        show=lambda row: ListedTeamOut.of(
            managed_team_out(slug, row.team, row.members),
            row,
            found,
            told_bits=found.revealed_bits.get(row.team.id, 0),
        ),
    )


@router.get("/admin/teams/{team_id}", operation_id="getTeam", summary="One team")
def get_team(session: Reading, actor: SignedIn, team_id: str) -> ManagedTeamOut:
    """For its organizers, whatever its tags."""
    return _shown(organizing.find_team(session, actor=actor, team_id=team_id))


@router.patch(
    "/admin/teams/{team_id}",
    operation_id="changeTeam",
    summary="Change a team's name or tags",
    responses=problems(409, ErrorCode.BAD_NAME, ErrorCode.BAD_TAGS),
)
def patch_team(
    session: Writing, actor: SignedIn, team_id: str, body: TeamChanges
) -> ManagedTeamOut:
    """A `hidden` team is on no board and cannot be found by others."""
    changed = organizing.change_team(
        session, actor=actor, team_id=team_id, name=body.name, tags=body.tags
    )
    return _shown(changed)


@router.post(
    "/admin/teams/{team_id}/disqualify",
    operation_id="disqualifyTeam",
    summary="Disqualify a team",
    responses=problems(ErrorCode.ALREADY_DISQUALIFIED),
)
def post_disqualify(
    session: Writing, actor: SignedIn, team_id: str, body: TeamAct
) -> ManagedTeamOut:
    """Its row stays on the boards, marked and without a rank; its members see the reason."""
    done = organizing.disqualify_team(session, actor=actor, team_id=team_id, reason=body.reason)
    return _shown(done)


@router.post(
    "/admin/teams/{team_id}/reinstate",
    operation_id="reinstateTeam",
    summary="Take a disqualification back",
    responses=problems(ErrorCode.NOT_DISQUALIFIED),
)
def post_reinstate(
    session: Writing, actor: SignedIn, team_id: str, body: TeamAct
) -> ManagedTeamOut:
    """The team has its rank again at once."""
    done = organizing.reinstate_team(session, actor=actor, team_id=team_id, reason=body.reason)
    return _shown(done)


@router.post(
    "/admin/teams/{team_id}/put-member",
    operation_id="putMember",
    summary="Put somebody into a team",
    responses=problems(
        ErrorCode.UNKNOWN_USER,
        ErrorCode.ALREADY_IN_TEAM,
        ErrorCode.BASELINE_HAS_NO_MEMBERS,
        ErrorCode.TEAM_FULL,
    ),
)
def post_put_member(
    session: Writing, actor: SignedIn, team_id: str, body: MemberAct
) -> ManagedTeamOut:
    """The person leaves the present team; its submissions stay there."""
    done = organizing.put_member(
        session, actor=actor, team_id=team_id, user_id=body.user_id, reason=body.reason
    )
    return _shown(done)


@router.post(
    "/admin/teams/{team_id}/remove-member",
    operation_id="removeMember",
    summary="Take somebody out of a team",
    responses=problems(409),
)
def post_remove_member(
    session: Writing, actor: SignedIn, team_id: str, body: MemberAct
) -> ManagedTeamOut:
    """Even if the team has submissions; these stay, even without members."""
    done = organizing.remove_member(
        session, actor=actor, team_id=team_id, user_id=body.user_id, reason=body.reason
    )
    return _shown(done)


@router.post(
    "/admin/teams/{team_id}/merge",
    operation_id="mergeTeams",
    summary="Merge another team into this one",
    responses=problems(
        ErrorCode.CANNOT_MERGE,
        ErrorCode.MERGE_TOO_LARGE,
        ErrorCode.MERGE_TOO_MANY_SUBMISSIONS,
        ErrorCode.SAME_TEAM,
        ErrorCode.TEAM_CHANGED,
        ErrorCode.COMPETITION_REVEALED,
    ),
)
def post_merge(session: Writing, actor: SignedIn, team_id: str, body: TeamMerge) -> ManagedTeamOut:
    """Before the reveal, within the limits of every merge."""
    done = merging.merge_by_organizer(
        session, actor=actor, team_id=team_id, absorbed_id=body.team_id, reason=body.reason
    )
    return _shown(done)


def _shown(managed: ManagedTeam) -> ManagedTeamOut:
    return managed_team_out(managed.competition.slug, managed.team, managed.members)
