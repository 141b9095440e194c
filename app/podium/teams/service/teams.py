"""Teams: created, joined, and shown to their members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.competitions.service import acceptance
from podium.core import audit, locks, lookups
from podium.core.access import Actor, competition_for_entrant, competition_for_organizer, phase_of
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, Team, User
from podium.core.models.teams import BASELINE as BASELINE
from podium.core.names import clean_name
from podium.core.phases import Phase
from podium.errors import InvalidInput, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.submissions.rules import Allowance
from podium.submissions.service import quota
from podium.teams import queries
from podium.teams.service import entering
from podium.teams.service.forming import (
    add_members,
    already_in_team,
    insert_team,
    lock_while_teams_form,
    refuse_full,
    tag_organizers,
    team_of_actor,
)


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team as its members and organizers see it."""

    team: Team
    members: list[User]
    allowance: Allowance


def create_team(
    session: WriteSession,
    *,
    slug: str,
    actor: Actor,
    name: str,
    accepts_rules: bool = False,
    code: str = "",
) -> Team:
    """Enters the competition with a new team of one; `code` is the competition's own.

    Raises `WrongState` (`competition-not-open`, `competition-closed`, `already-in-team`,
    `name-taken`), `NotAllowed` (`registration-closed`, `wrong-code`, `approval-needed`,
    `rules-not-accepted`) and `InvalidInput` (`bad-name`).
    """
    competition = competition_for_entrant(session, slug=slug, actor=actor)
    kept = clean_name(name)
    # The person's permission to enter must not be withdrawn meanwhile.
    locks.lock_person(session, user_id=actor.user_id)
    lock_while_teams_form(session, competition)
    entering.require_registration(session, competition, actor, code=code)
    acceptance.require_accepted(
        session, competition=competition, actor=actor, accepts=accepts_rules
    )
    # Checked before the name, which may be that of the team that they are in.
    own = lookups.team_of(session, competition_id=competition.id, user_id=actor.user_id)
    if own is not None:
        raise WrongState(
            f"You are in a team of this competition already: {own.name}.",
            code=ErrorCode.ALREADY_IN_TEAM,
        )
    team = insert_team(session, competition, name=kept, members=[actor.user_id])
    audit.record(session, actor, "team.create", team, name=kept)
    return team


@dataclass(frozen=True, slots=True)
class Invitation:
    """The part of a team that the holder of its code may know, and the rules to accept."""

    competition: Competition
    team: Team
    rules: str


def look_at_invitation(session: Session, *, slug: str, code: str) -> Invitation:
    """Finds the team of an invite code. Raises `NotFound` (`unknown-code`)."""
    team = queries.team_with_code(session, slug=slug, invite_code=code)
    competition = None if team is None else session.get(Competition, team.competition_id)
    if team is None or competition is None or competition.launched_at is None:
        raise _unknown_code()
    return Invitation(competition, team, settings_of(competition).rules)


def join_team(
    session: WriteSession, *, slug: str, actor: Actor, invite_code: str, accepts_rules: bool = False
) -> Team:
    """Joins the team with this invite code; it also opens a private competition.

    Raises `NotFound` for an unknown code, `WrongState` (`already-in-team`, `team-full`, and the
    phases as for `create_team`) and `NotAllowed` (`approval-needed`, `rules-not-accepted`).
    """
    locks.lock_person(session, user_id=actor.user_id)
    team = queries.invited_team(session, slug=slug, invite_code=invite_code)
    if team is None or BASELINE in team.tags:
        raise _unknown_code()
    competition = session.get_one(Competition, team.competition_id)
    entering.require_approval(session, competition, actor)
    return enter_team(
        session, competition=competition, team=team, actor=actor, accepts_rules=accepts_rules
    )


def enter_team(
    session: WriteSession,
    *,
    competition: Competition,
    team: Team,
    actor: Actor,
    accepts_rules: bool,
) -> Team:
    """Adds the actor to a team whose row is locked, like an invited user.

    Raises what `join_team` raises, except for the code.
    """
    lock_while_teams_form(session, competition)
    if lookups.team_of(session, competition_id=competition.id, user_id=actor.user_id) is not None:
        raise already_in_team()
    refuse_full(session, competition, team)
    acceptance.require_accepted(
        session, competition=competition, actor=actor, accepts=accepts_rules
    )
    add_members(session, team, [actor.user_id])
    tag_organizers(session, competition, team)
    locks.touch_board(session, competition_id=competition.id, now=database_now(session))
    audit.record(session, actor, "team.join", team)
    return team


def make_team(
    session: WriteSession,
    *,
    slug: str,
    actor: Actor,
    name: str,
    members: Sequence[str] = (),
    is_baseline: bool = False,
) -> Team:
    """Creates a team for an organizer, in any phase before the close; baselines have no members and
    are tagged, and organizers submit for them.

    Raises `InvalidInput` (`unknown-user`, `too-many-members`) beside what `create_team` raises.
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    kept = clean_name(name)
    wanted = list(dict.fromkeys(members))
    # None of them deletes the account meanwhile, and the competition is neither closed nor
    # deleted.
    locks.lock_people(session, user_ids=wanted)
    locks.lock_board(session, competition_id=competition.id)
    if phase_of(competition, database_now(session)) in (Phase.CLOSED, Phase.REVEALED):
        raise WrongState("The competition is closed.", code=ErrorCode.COMPETITION_CLOSED)
    if len(wanted) > settings_of(competition).team_size:
        raise InvalidInput(
            "That is more members than a team may have.", code=ErrorCode.TOO_MANY_MEMBERS
        )
    known = queries.users_with_ids(session, wanted)
    if len(known) < len(wanted):
        raise InvalidInput(
            "One of the members is not a known account.", code=ErrorCode.UNKNOWN_USER
        )
    team = insert_team(
        session, competition, name=kept, members=wanted, tags=[BASELINE] if is_baseline else []
    )
    audit.record(
        session, actor, "baseline.create" if is_baseline else "team.create", team, name=kept
    )
    return team


def own_team(session: Session, *, slug: str, actor: Actor, rejected_per_hour: int) -> TeamView:
    """Finds the caller's team, its members, and today's remaining quota.

    Raises `NotFound` (`no-team`) for a user who has not entered.
    """
    competition = competition_for_entrant(session, slug=slug, actor=actor)
    team = team_of_actor(session, competition, actor)
    return view_of(session, team=team, rejected_per_hour=rejected_per_hour)


def view_of(session: Session, *, team: Team, rejected_per_hour: int) -> TeamView:
    """Collects a team with its members and its quota."""
    competition = session.get_one(Competition, team.competition_id)
    return TeamView(
        team=team,
        members=queries.members_of(session, team_id=team.id),
        allowance=quota.allowance_of(
            session, competition=competition, team=team, rejected_per_hour=rejected_per_hour
        ),
    )


def _unknown_code() -> NotFound:
    return NotFound(
        "No team of this competition has this invite code.", code=ErrorCode.UNKNOWN_CODE
    )
