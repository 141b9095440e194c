"""Use of a link: a new account is created, a user joins, or credentials are replaced. Everything
happens in the transaction that takes the link's seat, or nothing does."""

from __future__ import annotations

from dataclasses import dataclass

from podium.accounts.service.accounts import FIRST_LABEL, add_user, find_user, new_token
from podium.accounts.service.credentials import has_credentials, reset_credentials
from podium.competitions.service import acceptance
from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import AccessLink, Competition, Team, User
from podium.core.names import clean_name
from podium.errors import InvalidInput, WrongState
from podium.errors.codes import ErrorCode
from podium.teams.queries import FoundLink
from podium.teams.rules import LinkKind
from podium.teams.service import forming, organizers
from podium.teams.service.links import maker_of, team_of_account, unknown_link, working_link
from podium.teams.service.teams import enter_team


@dataclass(frozen=True, slots=True)
class Given:
    """The input of a link's holder. The typed password is hashed before the link is used."""

    name: str | None = None
    password: str | None = None
    team_name: str | None = None
    accepts_rules: bool = False
    password_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Used:
    """The result of a link's use. `token` is empty for a user who had an account already."""

    user: User
    token: str | None
    competition: Competition | None
    team: Team | None


def use_link(
    session: WriteSession,
    *,
    code: str,
    given: Given,
    actor: Actor | None,
    address: str | None,
) -> Used:
    """Uses a link, once for each of its seats; racing holders are serialized, and no more of them
    succeed than there are seats.

    Raises `NotFound` (`unknown-link`), `InvalidInput` (`name-missing`, `bad-name`,
    `account-given`), `NotAllowed` (`rules-not-accepted`) and `WrongState` (`name-taken`, and what
    entering a team raises); then the link still works.
    """
    found = working_link(session, code=code)
    # The person, the team, then the link, as everywhere, which rules out deadlocks.
    user_id = found.link.user_id or (actor.user_id if actor else None)
    if user_id is not None:
        locks.locked_user(session, user_id)
    if found.link.team_id is not None:
        locks.locked_team(session, team_id=found.link.team_id)
    link = locks.locked_row(session, AccessLink, found.link.id)
    if link is None or link.used_at is not None or link.revoked_at is not None:
        raise unknown_link()
    if link.user_id is not None:
        used = _given_credentials(session, found, given, address)
    else:
        used = _invited(session, found, given, actor, address)
    _take_seat(session, link, used.user)
    audit.record(
        session,
        Actor(used.user.id, used.user.name, address=address),
        "link.use",
        link,
        team_id=used.team.id if used.team else None,
        has_password=given.password_hash is not None,
    )
    return used


def _take_seat(session: WriteSession, link: AccessLink, user: User) -> None:
    link.seats_taken += 1
    if link.seats_taken == link.seats:
        link.used_at, link.code = database_now(session), None
    if link.seats == 1:
        link.used_by = user.id
    session.flush()


def _given_credentials(
    session: WriteSession, found: FoundLink, given: Given, address: str | None
) -> Used:
    """Creates new credentials for the account of the link; the first ones only where it has none,
    since the organizer who created it must not take it over later. A user who does not accept the
    rules here has to do so before submitting."""
    user = locks.locked_user(session, found.link.user_id or "")
    if user is None or user.disabled_at is not None:
        raise unknown_link()
    if found.link.kind == LinkKind.FIRST and has_credentials(session, user=user):
        raise unknown_link()
    token = reset_credentials(
        session, user=user, password_hash=given.password_hash, address=address
    )
    if given.accepts_rules and found.competition is not None:
        acceptance.require_accepted(
            session,
            competition=found.competition,
            actor=Actor(user.id, user.name, address=address),
            accepts=True,
        )
    return Used(user, token, found.competition, team_of_account(session, found))


def _invited(
    session: WriteSession,
    found: FoundLink,
    given: Given,
    actor: Actor | None,
    address: str | None,
) -> Used:
    token = None
    if actor is None:
        user, token = _new_account(session, found, given)
        actor = Actor(user.id, user.name, is_organizer=user.is_organizer, address=address)
    else:
        if found.competition is None or given.name or given.password_hash:
            raise InvalidInput(
                "You have an account. Send no token to make another one.",
                code=ErrorCode.ACCOUNT_GIVEN,
            )
        user = find_user(session, user_id=actor.user_id)
    team = None
    if found.competition is not None:
        team = _enter(session, found, found.competition, given, actor)
    return Used(user, token, found.competition, team)


def _new_account(session: WriteSession, found: FoundLink, given: Given) -> tuple[User, str]:
    if given.name is None:
        raise InvalidInput("Choose a name for your account.", code=ErrorCode.NAME_MISSING)
    is_organizer = found.link.is_organizer and found.competition is None
    user = add_user(session, name=given.name, is_organizer=is_organizer)
    user.password_hash = given.password_hash
    _, token = new_token(session, user=user, label=FIRST_LABEL)
    return user, token


def _enter(
    session: WriteSession,
    found: FoundLink,
    competition: Competition,
    given: Given,
    actor: Actor,
) -> Team | None:
    if found.link.is_organizer:
        organizers.add_organizer(
            session, actor=maker_of(found), slug=competition.slug, user_id=actor.user_id
        )
        return None
    if found.link.team_id is not None:
        team = locks.locked_team(session, team_id=found.link.team_id)
        if team is None or team.merged_into_id is not None:
            raise WrongState("The team of this link is gone.", code=ErrorCode.TEAM_GONE)
        return enter_team(
            session,
            competition=competition,
            team=team,
            actor=actor,
            accepts_rules=given.accepts_rules,
        )
    forming.lock_while_teams_form(session, competition)
    acceptance.require_accepted(
        session, competition=competition, actor=actor, accepts=given.accepts_rules
    )
    name = clean_name(given.team_name or actor.name)
    return forming.insert_team(session, competition, name=name, members=[actor.user_id])
