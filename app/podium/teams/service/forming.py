"""The common steps of creating, joining or changing a team. No use cases."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.core import locks, lookups
from podium.core.access import Actor, competition_for_reader, phase_of
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, Membership, Team
from podium.core.models.teams import ORGANIZER
from podium.core.names import look_of, name_key
from podium.core.phases import Phase, takes_teams
from podium.errors import NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.standings.service import standings
from podium.teams import queries


def insert_team(
    session: WriteSession,
    competition: Competition,
    *,
    name: str,
    members: Sequence[str],
    tags: Sequence[str] = (),
) -> Team:
    """Creates a team of these people, who are locked, and the competition after them. Raises
    `WrongState` (`name-taken`, `already-in-team`)."""
    key, look = _free_keys(session, competition.id, name)
    team = Team(
        competition_id=competition.id,
        name=name,
        name_key=key,
        look=look,
        invite_code=new_invite_code(),
        tags=list(tags),
        created_at=database_now(session),
    )
    try:
        with session.begin_nested():
            session.add(team)
    except IntegrityError as error:
        raise name_taken() from error
    add_members(session, team, members)
    tag_organizers(session, competition, team)
    return team


def add_members(session: WriteSession, team: Team, user_ids: Sequence[str]) -> None:
    """Adds people to a team. Raises `WrongState` (`already-in-team`)."""
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
        raise already_in_team() from error


def rename(session: WriteSession, team: Team, *, name: str) -> None:
    """Renames a team, on its boards too. Raises `WrongState` (`name-taken`)."""
    locks.lock_board(session, competition_id=team.competition_id)
    key, look = _free_keys(session, team.competition_id, name, but=team.id)
    try:
        with session.begin_nested():
            team.name, team.name_key, team.look = name, key, look
    except IntegrityError as error:
        raise name_taken() from error
    renew_board(session, team)


def _free_keys(
    session: WriteSession, competition_id: str, name: str, *, but: str | None = None
) -> tuple[str, str]:
    """Computes the unique keys of a team's name, its key and its look. Raises `WrongState`
    (`name-taken`) if another team has one of them."""
    key, look = name_key(name), look_of(name)
    other = queries.team_named(session, competition_id=competition_id, name_key=key)
    if other is not None and other.id != but:
        raise name_taken()
    if queries.looks_like_another(session, look, competition_id=competition_id, but=but):
        raise name_taken()
    return key, look


def renew_board(session: WriteSession, team: Team) -> None:
    """Rewrites the team's standings; the boards get a new version in any case, because they show
    names and tags that no standing stores."""
    session.flush()
    standings.refresh(session, competition_id=team.competition_id, team_id=team.id)
    now = database_now(session)
    locks.touch_board(session, competition_id=team.competition_id, now=now)


def tag_organizers(session: WriteSession, competition: Competition, team: Team) -> None:
    """Tags a team with a present or former organizer in it, for good, since hidden data cannot be
    unseen. After the reveal it stays as it was published."""
    if competition.revealed_at is not None:
        return
    insiders = queries.insider_ids(session, competition_id=competition.id)
    is_theirs = not insiders.isdisjoint(lookups.member_ids(session, team_id=team.id))
    if is_theirs and ORGANIZER not in team.tags:
        team.tags = [*team.tags, ORGANIZER]
        renew_board(session, team)


def team_of_actor(session: Session, competition: Competition, actor: Actor) -> Team:
    """Finds the caller's team. Raises `NotFound` (`no-team`) for a user who has not entered."""
    team = lookups.team_of(session, competition_id=competition.id, user_id=actor.user_id)
    if team is None:
        raise no_team()
    return team


def own_team_locked(session: WriteSession, *, slug: str, actor: Actor) -> tuple[Competition, Team]:
    """Locks the caller's team after the caller, so that no member is moved meanwhile.

    Raises `NotFound` (`no-team` for a user who has not entered).
    """
    competition = competition_for_reader(session, slug=slug, actor=actor)
    locks.lock_person(session, user_id=actor.user_id)
    team = team_of_actor(session, competition, actor)
    locked = locks.locked_team(session, team_id=team.id)
    if locked is None:
        raise no_team()
    return competition, locked


def refuse_full(session: Session, competition: Competition, team: Team) -> None:
    """Raises `WrongState` (`team-full`) when a team has no free place."""
    size = settings_of(competition).team_size
    if queries.count_members(session, team_id=team.id) >= size:
        raise WrongState(f"The team already has {size} members.", code=ErrorCode.TEAM_FULL)


def lock_while_teams_form(session: WriteSession, competition: Competition) -> None:
    """Locks the competition until the commit, so that it is neither closed nor deleted meanwhile;
    after the people and teams that the caller locks.

    Raises `WrongState` (`competition-not-open`, `competition-closed`) unless teams may form, and
    `NotFound` for one that was removed.
    """
    locks.lock_board(session, competition_id=competition.id)
    refuse_wrong_phase(session, competition)


def refuse_wrong_phase(session: Session, competition: Competition) -> None:
    """Raises `WrongState` (`competition-not-open`, `competition-closed`) unless teams may form at
    this moment; without a lock that may change."""
    phase = phase_of(competition, database_now(session))
    if takes_teams(phase):
        return
    if phase is Phase.DRAFT:
        raise WrongState(
            "The competition is a draft. Launch it first.", code=ErrorCode.COMPETITION_NOT_OPEN
        )
    raise WrongState("The competition is closed.", code=ErrorCode.COMPETITION_CLOSED)


def new_invite_code() -> str:
    """Creates a code for joining a team: 122 random bits behind a letter, so that no command line
    takes it for an option."""
    return f"t{secrets.token_urlsafe(16)[1:]}"


def already_in_team() -> WrongState:
    """Builds the refusal for a user who has a team."""
    return WrongState(
        "Somebody can be in one team of a competition only, and already is.",
        code=ErrorCode.ALREADY_IN_TEAM,
    )


def no_team() -> NotFound:
    """Builds the refusal for a user who has not entered."""
    return NotFound("You are in no team of this competition.", code=ErrorCode.NO_TEAM)


class TeamNameTaken(WrongState):
    """Another team has the name; pages distinguish this from an account's name."""

    CODE = ErrorCode.NAME_TAKEN


def name_taken() -> TeamNameTaken:
    """Builds the refusal of a name that is in use."""
    return TeamNameTaken("Another team has this name, or one that looks the same.")
