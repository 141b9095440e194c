"""Members' actions on their team: rename it, renew its code, leave it, also for another one."""

from __future__ import annotations

from podium.core import audit, locks, lookups
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import Competition, Membership, Team
from podium.core.names import clean_name
from podium.errors import WrongState
from podium.errors.codes import ErrorCode
from podium.teams import queries
from podium.teams.service.forming import (
    lock_while_teams_form,
    new_invite_code,
    own_team_locked,
    rename,
)
from podium.teams.service.teams import join_team

ACTIONS = {"name": "team.rename"}
"""Actions of the audit log for changes by members that have one of their own."""


def change_team(session: WriteSession, *, slug: str, actor: Actor, **changes: str) -> Team:
    """Changes columns of the caller's team while teams may form, as the request's schema took them;
    a name is normalized first, and shown on the boards.

    Raises `NotFound` (`no-team`), `InvalidInput` (`bad-name`) and `WrongState` (`name-taken`, and
    the phases).
    """
    competition, team = own_team_locked(session, slug=slug, actor=actor)
    if "name" in changes:
        changes["name"] = clean_name(changes["name"])
    lock_while_teams_form(session, competition)
    for column, value in changes.items():
        before = getattr(team, column)
        if before == value:
            continue
        if column == "name":
            rename(session, team, name=value)
        else:
            setattr(team, column, value)
        audit.record(
            session, actor, ACTIONS.get(column, "team.change"), team, before=before, after=value
        )
    return team


def renew_invite_code(session: WriteSession, *, slug: str, actor: Actor) -> Team:
    """Replaces the invite code; the previous one stops working. Raises `NotFound` (`no-team`)."""
    _, team = own_team_locked(session, slug=slug, actor=actor)
    team.invite_code = new_invite_code()
    audit.record(session, actor, "team.renew-code", team)
    session.flush()
    return team


def leave_team(session: WriteSession, *, slug: str, actor: Actor) -> None:
    """Removes the caller from a team that has sent nothing yet; without members the team is
    deleted.

    Raises `NotFound` (`no-team`) and `WrongState` (`team-has-begun`, and the phases): a member who
    left after the first submission would get a new quota with a new team.
    """
    competition, team = own_team_locked(session, slug=slug, actor=actor)
    _leave(session, competition, team, actor)


def change_over(
    session: WriteSession, *, slug: str, actor: Actor, invite_code: str, accepts_rules: bool
) -> Team:
    """Moves the caller from their team to the one with this invite code: both steps, or neither.

    Raises what `leave_team` and `join_team` raise.
    """
    invited = queries.team_with_code(session, slug=slug, invite_code=invite_code)
    locks.lock_person(session, user_id=actor.user_id)
    own = invited and lookups.team_of(
        session, competition_id=invited.competition_id, user_id=actor.user_id
    )
    if invited is not None and own is not None and own.id != invited.id:
        # Two people who change places must not deadlock.
        locks.locked_teams(session, (own.id, invited.id))
        _leave(session, session.get_one(Competition, own.competition_id), own, actor)
    return join_team(
        session, slug=slug, actor=actor, invite_code=invite_code, accepts_rules=accepts_rules
    )


def _leave(session: WriteSession, competition: Competition, team: Team, actor: Actor) -> None:
    """Removes the caller from a locked team, and the team without its last member."""
    lock_while_teams_form(session, competition)
    if queries.has_begun(session, team_id=team.id):
        raise WrongState(
            "Your team has submitted already. Only an organizer can take you out of it.",
            code=ErrorCode.TEAM_HAS_BEGUN,
        )
    session.delete(session.get_one(Membership, (competition.id, actor.user_id)))
    session.flush()
    is_empty = queries.count_members(session, team_id=team.id) == 0
    if is_empty:
        queries.delete_team(session, team=team)
    audit.record(session, actor, "team.leave", team, removed=is_empty)
