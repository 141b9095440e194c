"""Organizers' administration of teams: names and tags, members, disqualification, a list of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core import audit, locks
from podium.core.access import Actor, competition_for_organizer, organizes
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, Membership, Team, User
from podium.core.models.teams import BASELINE
from podium.core.names import clean_name
from podium.errors import InvalidInput, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.standings.service import leaks
from podium.teams import queries
from podium.teams.queries import TeamInList
from podium.teams.rules import refused_tags
from podium.teams.service.forming import (
    add_members,
    refuse_full,
    rename,
    renew_board,
    tag_organizers,
)

UNKNOWN = "There is no team with this id, or you do not organize its competition."


@dataclass(frozen=True, slots=True)
class ManagedTeam:
    """A team with its competition and its people, as organizers see it."""

    competition: Competition
    team: Team
    members: list[User]


@dataclass(frozen=True, slots=True)
class TeamList:
    """A page of teams, the bits of the public split that were revealed to them, by their ids, and
    the labeled rows of that split."""

    teams: Sequence[TeamInList]
    revealed_bits: Mapping[str, int]
    public_rows: int | None


def list_teams(
    session: ReadSession,
    *,
    slug: str,
    actor: Actor,
    text: str | None,
    after_id: str | None,
    limit: int,
) -> TeamList:
    """Lists a page of all teams with their people, numbers of submissions and revealed bits; with
    `text`, those with it in a name. Raises `NotFound` for all but organizers."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    teams = queries.teams_after(
        session, competition_id=competition.id, text=text, after_id=after_id, limit=limit
    )
    revealed_bits = leaks.bits_by_team(
        session, competition_id=competition.id, team_ids=[one.team.id for one in teams]
    )
    return TeamList(teams, revealed_bits, leaks.public_rows(session, competition=competition))


def find_team(session: ReadSession, *, actor: Actor, team_id: str) -> ManagedTeam:
    """Finds one team, including hidden or merged ones. Raises `NotFound` for all but organizers."""
    competition = organized_by(session, actor=actor, team_id=team_id)
    return _managed(session, competition, session.get_one(Team, team_id))


def change_team(
    session: WriteSession,
    *,
    actor: Actor,
    team_id: str,
    name: str | None = None,
    tags: Sequence[str] | None = None,
) -> ManagedTeam:
    """Changes a team's name or tags, in any phase; None leaves them unchanged.

    Raises `NotFound`, `InvalidInput` (`bad-name`, `bad-tags`) and `WrongState` (`name-taken`).
    """
    competition, team = locked_for_organizer(session, actor=actor, team_id=team_id)
    before = {"name": team.name, "tags": team.tags}
    if tags is not None:
        _set_tags(session, team, tags)
    if name is not None:
        rename(session, team, name=clean_name(name))
    audit.record(
        session,
        actor,
        "team.change",
        team,
        before=before,
        after={"name": team.name, "tags": team.tags},
    )
    return _managed(session, competition, team)


def disqualify_team(
    session: WriteSession, *, actor: Actor, team_id: str, reason: str
) -> ManagedTeam:
    """Disqualifies a team: it loses its rank and cannot submit; its row stays, marked.

    Raises `NotFound` and `WrongState` (`already-disqualified`).
    """
    competition, team = locked_for_organizer(session, actor=actor, team_id=team_id)
    if team.disqualified_at is not None:
        raise WrongState("This team is disqualified already.", code=ErrorCode.ALREADY_DISQUALIFIED)
    team.disqualified_at, team.disqualified_because = database_now(session), reason
    return _judged(session, actor, competition, team, "team.disqualify", reason)


def reinstate_team(
    session: WriteSession, *, actor: Actor, team_id: str, reason: str
) -> ManagedTeam:
    """Revokes a disqualification. Raises `NotFound` and `WrongState` (`not-disqualified`)."""
    competition, team = locked_for_organizer(session, actor=actor, team_id=team_id)
    if team.disqualified_at is None:
        raise WrongState("This team is not disqualified.", code=ErrorCode.NOT_DISQUALIFIED)
    team.disqualified_at, team.disqualified_because = None, None
    return _judged(session, actor, competition, team, "team.reinstate", reason)


def put_member(
    session: WriteSession, *, actor: Actor, team_id: str, user_id: str, reason: str
) -> ManagedTeam:
    """Moves a user into a team, out of the one that they are in.

    Submissions stay with the team that they were sent for. Raises `NotFound`, `InvalidInput`
    (`unknown-user`) and `WrongState` (`already-in-team`, `team-full`, `baseline-has-no-members`).
    """
    organized_by(session, actor=actor, team_id=team_id)
    locks.lock_person(session, user_id=user_id)
    competition, team = locked_for_organizer(session, actor=actor, team_id=team_id)
    if BASELINE in team.tags:
        raise WrongState("A baseline has no members.", code=ErrorCode.BASELINE_HAS_NO_MEMBERS)
    if user_id not in queries.users_with_ids(session, [user_id]):
        raise InvalidInput("There is no account of this name or id.", code=ErrorCode.UNKNOWN_USER)
    present = session.get(Membership, (competition.id, user_id), populate_existing=True)
    if present is not None and present.team_id == team.id:
        raise WrongState("This person is in this team already.", code=ErrorCode.ALREADY_IN_TEAM)
    refuse_full(session, competition, team)
    came_from = None
    if present is not None:
        came_from = present.team_id
        session.delete(present)
        session.flush()
    add_members(session, team, [user_id])
    tag_organizers(session, competition, team)
    _moved(session, actor, team, "team.put-member", user_id, reason, came_from=came_from)
    return _managed(session, competition, team)


def remove_member(
    session: WriteSession, *, actor: Actor, team_id: str, user_id: str, reason: str
) -> ManagedTeam:
    """Removes a user from a team, whatever it has submitted; it stays, even without members.

    Raises `NotFound`, also where the person is not in it.
    """
    organized_by(session, actor=actor, team_id=team_id)
    locks.lock_person(session, user_id=user_id)
    competition, team = locked_for_organizer(session, actor=actor, team_id=team_id)
    present = session.get(Membership, (competition.id, user_id), populate_existing=True)
    if present is None or present.team_id != team.id:
        raise NotFound("This account is not in this team.")
    session.delete(present)
    session.flush()
    _moved(session, actor, team, "team.remove-member", user_id, reason)
    return _managed(session, competition, team)


def organized_by(session: Session, *, actor: Actor, team_id: str) -> Competition:
    """Finds the competition of a team, for a user who organizes it. Raises `NotFound` for all
    others."""
    team = session.get(Team, team_id)
    competition = None if team is None else session.get_one(Competition, team.competition_id)
    if competition is None or not organizes(session, competition, actor):
        raise NotFound(UNKNOWN)
    return competition


def locked_for_organizer(
    session: WriteSession, *, actor: Actor, team_id: str
) -> tuple[Competition, Team]:
    """Locks a team, with its competition, for a user who organizes it. Raises `NotFound` for all
    others, and for a team that was merged into another one."""
    competition = organized_by(session, actor=actor, team_id=team_id)
    locked = locks.locked_team(session, team_id=team_id)
    if locked is None or locked.merged_into_id is not None:
        raise NotFound(UNKNOWN)
    return competition, locked


def _set_tags(session: WriteSession, team: Team, tags: Sequence[str]) -> None:
    wanted = sorted(set(tags))
    refused = refused_tags(team.tags, wanted)
    if refused:
        raise InvalidInput(
            f"These tags cannot be given or taken like this: {', '.join(sorted(refused))}."
            " `organizer` stays for good, and `baseline` belongs to teams that were made as one.",
            code=ErrorCode.BAD_TAGS,
        )
    if set(wanted) != set(team.tags):
        team.tags = wanted
        renew_board(session, team)


def _judged(
    session: WriteSession,
    actor: Actor,
    competition: Competition,
    team: Team,
    action: str,
    reason: str,
) -> ManagedTeam:
    renew_board(session, team)
    audit.record(session, actor, action, team, reason=reason)
    return _managed(session, competition, team)


def _moved(
    session: WriteSession,
    actor: Actor,
    team: Team,
    action: str,
    user_id: str,
    reason: str,
    *,
    came_from: str | None = None,
) -> None:
    # Boards show the people of a team.
    now = database_now(session)
    locks.touch_board(session, competition_id=team.competition_id, now=now)
    audit.record(session, actor, action, team, user_id=user_id, came_from=came_from, reason=reason)


def _managed(session: Session, competition: Competition, team: Team) -> ManagedTeam:
    return ManagedTeam(competition, team, queries.members_of(session, team_id=team.id))
