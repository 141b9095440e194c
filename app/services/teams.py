"""Making teams, joining them, and looking at one's own."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.db.engine import WriteSession, database_now
from app.db.models import Competition, Membership, Team, User
from app.db.queries import teams as queries
from app.domain.names import clean_name, name_key
from app.domain.permissions import Actor
from app.domain.phases import Phase, takes_teams
from app.domain.quota import Allowance
from app.errors import InvalidInput, NotAllowed, NotFound, WrongState
from app.services import audit, quota, standings
from app.services.access import competition_for_organizer, competition_for_reader, phase_of
from app.services.organizers import TAG as ORGANIZER
from app.services.tasks import settings_of

BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team as its members and organizers see it."""

    team: Team
    members: list[User]
    allowance: Allowance


def create_team(session: WriteSession, *, slug: str, actor: Actor, name: str) -> Team:
    """Enters the competition with a new team of one.

    Raises `WrongState` (`competition-not-open`, `competition-closed`, `already-in-team`,
    `name-taken`), `NotAllowed` (`registration-closed`) and `InvalidInput` (`bad-name`).
    """
    competition = competition_for_reader(session, slug=slug, actor=actor)
    kept = clean_name(name)
    _refuse_wrong_phase(session, competition)
    if settings_of(competition).registration == "invite":
        raise NotAllowed(
            "Teams of this competition are made by its organizers; you can only join one.",
            code="registration-closed",
        )
    team = _add_team(session, competition, name=kept, members=[actor.user_id])
    audit.record(
        session,
        actor=actor,
        action="team.create",
        competition_id=competition.id,
        object_id=team.id,
        name=kept,
    )
    return team


def join_team(session: WriteSession, *, slug: str, actor: Actor, invite_code: str) -> Team:
    """Joins the team whose members gave away this code; it also opens a private competition.

    Raises `NotFound` for an unknown code, `WrongState` (`already-in-team`, `team-full`, and the
    phases as for `create_team`).
    """
    team = queries.invited_team(session, slug=slug, invite_code=invite_code)
    if team is None or BASELINE in team.tags:
        raise NotFound("No team of this competition has this invite code.", code="unknown-code")
    competition = session.get_one(Competition, team.competition_id)
    _refuse_wrong_phase(session, competition)
    size = settings_of(competition).team_size
    if queries.team_of(session, competition_id=competition.id, user_id=actor.user_id) is not None:
        raise _already_in_team()
    if queries.count_members(session, team_id=team.id) >= size:
        raise WrongState(f"The team already has {size} members.", code="team-full")
    _add_members(session, team, [actor.user_id])
    _tag_organizers(session, competition, team)
    audit.record(
        session,
        actor=actor,
        action="team.join",
        competition_id=competition.id,
        object_id=team.id,
    )
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
    """A team made by an organizer, in any phase before the close; baselines have no members and
    are tagged, and organizers submit for them.

    Raises `InvalidInput` (`unknown-user`, `too-many-members`) beside what `create_team` raises.
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    kept = clean_name(name)
    if phase_of(competition, database_now(session)) in (Phase.CLOSED, Phase.REVEALED):
        raise WrongState("The competition is closed.", code="competition-closed")
    wanted = list(dict.fromkeys(members))
    if len(wanted) > settings_of(competition).team_size:
        raise InvalidInput("That is more members than a team may have.", code="too-many-members")
    known = queries.users_with_ids(session, wanted)
    if len(known) < len(wanted):
        raise InvalidInput("One of the members is not a known account.", code="unknown-user")
    team = _add_team(
        session, competition, name=kept, members=wanted, tags=[BASELINE] if is_baseline else []
    )
    audit.record(
        session,
        actor=actor,
        action="baseline.create" if is_baseline else "team.create",
        competition_id=competition.id,
        object_id=team.id,
        name=kept,
    )
    return team


def own_team(session: Session, *, slug: str, actor: Actor, rejected_per_hour: int) -> TeamView:
    """The caller's team, its members, and what it may still send today.

    Raises `NotFound` (`no-team`) for somebody who has not entered.
    """
    competition = competition_for_reader(session, slug=slug, actor=actor)
    team = queries.team_of(session, competition_id=competition.id, user_id=actor.user_id)
    if team is None:
        raise NotFound("You are in no team of this competition.", code="no-team")
    return view_of(session, team=team, rejected_per_hour=rejected_per_hour)


def view_of(session: Session, *, team: Team, rejected_per_hour: int) -> TeamView:
    """A team with its members and its allowance."""
    competition = session.get_one(Competition, team.competition_id)
    return TeamView(
        team=team,
        members=queries.members_of(session, team_id=team.id),
        allowance=quota.allowance_of(
            session, competition=competition, team=team, rejected_per_hour=rejected_per_hour
        ),
    )


def _add_team(
    session: WriteSession,
    competition: Competition,
    *,
    name: str,
    members: Sequence[str],
    tags: Sequence[str] = (),
) -> Team:
    key = name_key(name)
    if queries.has_name(session, competition_id=competition.id, name_key=key):
        raise _name_taken()
    team = Team(
        competition_id=competition.id,
        name=name,
        name_key=key,
        invite_code=secrets.token_urlsafe(16),
        tags=list(tags),
        created_at=database_now(session),
    )
    try:
        with session.begin_nested():
            session.add(team)
    except IntegrityError as error:
        raise _name_taken() from error
    _add_members(session, team, members)
    _tag_organizers(session, competition, team)
    return team


def _add_members(session: WriteSession, team: Team, user_ids: Sequence[str]) -> None:
    now = database_now(session)
    try:
        with session.begin_nested():
            for user_id in user_ids:
                session.add(
                    Membership(
                        competition_id=team.competition_id,
                        user_id=user_id,
                        team_id=team.id,
                        joined_at=now,
                    )
                )
    except IntegrityError as error:
        raise _already_in_team() from error


def _tag_organizers(session: WriteSession, competition: Competition, team: Team) -> None:
    """Tags a team with an organizer in it, for good: what was seen cannot be unseen."""
    organizers = queries.organizer_ids(session, competition_id=competition.id)
    is_theirs = not organizers.isdisjoint(queries.member_ids(session, team_id=team.id))
    if is_theirs and ORGANIZER not in team.tags:
        team.tags = [*team.tags, ORGANIZER]
        session.flush()
        standings.refresh(session, competition_id=competition.id, team_id=team.id)


def _refuse_wrong_phase(session: Session, competition: Competition) -> None:
    phase = phase_of(competition, database_now(session))
    if takes_teams(phase):
        return
    if phase is Phase.DRAFT:
        raise WrongState("The competition is not launched yet.", code="competition-not-open")
    raise WrongState("The competition is closed.", code="competition-closed")


def _already_in_team() -> WrongState:
    return WrongState(
        "Somebody can be in one team of a competition only, and already is.",
        code="already-in-team",
    )


def _name_taken() -> WrongState:
    return WrongState("Another team has this name, or one that looks the same.", code="name-taken")
