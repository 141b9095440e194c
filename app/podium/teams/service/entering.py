"""Permission to enter a competition, by its `registration`, and requests for it where organizers
approve each participant."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.accounts.rules import RequestState
from podium.core import audit, locks, lookups
from podium.core.access import (
    Actor,
    competition_for_entrant,
    competition_for_organizer,
    organizes,
    phase_of,
)
from podium.core.competition_settings.registration import Registration
from podium.core.configuration import settings_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, JoinRequest, User
from podium.core.phases import Phase
from podium.errors import NotAllowed, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.teams.queries import join_requests
from podium.teams.service.forming import already_in_team, lock_while_teams_form

NO_REQUEST = "You have not asked to join this competition."

UNKNOWN = "There is no such request, or you do not organize its competition."


@dataclass(frozen=True, slots=True)
class Entry:
    """The part of a competition that an account may know before it has entered."""

    competition: Competition
    phase: Phase
    registration: Registration


def describe_entry(session: Session, *, slug: str, actor: Actor) -> Entry:
    """Describes the way into the competition. Raises `NotFound`."""
    competition = competition_for_entrant(session, slug=slug, actor=actor)
    phase = phase_of(competition, database_now(session))
    return Entry(competition, phase, settings_of(competition).registration)


def require_registration(
    session: Session, competition: Competition, actor: Actor, *, code: str
) -> None:
    """Raises `NotAllowed` (`registration-closed`, `wrong-code`, `approval-needed`) for an account
    that may not enter with a team of its own."""
    settings = settings_of(competition)
    if settings.registration == "invite":
        raise NotAllowed(
            "Teams of this competition are made by its organizers; you can only join one.",
            code=ErrorCode.REGISTRATION_CLOSED,
        )
    if settings.registration == "code" and not _is_same(code, settings.registration_code):
        raise NotAllowed(
            "This competition is entered with a class code, and this is not it. Ask an organizer.",
            code=ErrorCode.WRONG_CODE,
        )
    require_approval(session, competition, actor)


def require_approval(session: Session, competition: Competition, actor: Actor) -> None:
    """Raises `NotAllowed` (`approval-needed`) where organizers approve each participant, and have
    not approved this one."""
    if settings_of(competition).registration != "approval":
        return
    request = _request_of(session, competition, actor)
    if request is None or request.state != RequestState.APPROVED:
        raise NotAllowed(
            "An organizer has to approve you first. Ask to join, and wait for the answer.",
            code=ErrorCode.APPROVAL_NEEDED,
        )


def ask_to_join(session: WriteSession, *, slug: str, actor: Actor, note: str) -> JoinRequest:
    """Stores the caller's request to enter; a repeated one changes nothing.

    Raises `NotFound`, `WrongState` (`wrong-state` where no approval is needed, `already-in-team`,
    `competition-not-open`, `competition-closed`).
    """
    competition = competition_for_entrant(session, slug=slug, actor=actor)
    locks.lock_person(session, user_id=actor.user_id)
    lock_while_teams_form(session, competition)
    if settings_of(competition).registration != "approval":
        raise WrongState("This competition is entered without approval.")
    if lookups.team_of(session, competition_id=competition.id, user_id=actor.user_id) is not None:
        raise already_in_team()
    kept, is_new = join_requests.kept_request(
        session,
        competition_id=competition.id,
        user_id=actor.user_id,
        note=note,
        now=database_now(session),
    )
    if is_new:
        _record(session, actor, kept, "join-request.make")
    return kept


def own_request(session: Session, *, slug: str, actor: Actor) -> JoinRequest:
    """Finds the caller's request. Raises `NotFound`."""
    competition = competition_for_entrant(session, slug=slug, actor=actor)
    request = _request_of(session, competition, actor)
    if request is None:
        raise NotFound(NO_REQUEST)
    return request


def withdraw_request(session: WriteSession, *, slug: str, actor: Actor) -> None:
    """Withdraws the caller's request. Raises `NotFound`, and `WrongState` (`already-decided`)."""
    own = own_request(session, slug=slug, actor=actor)
    request = locks.locked_row(session, JoinRequest, own.id)
    if request is None:
        raise NotFound(NO_REQUEST)
    if request.state != RequestState.PENDING:
        raise WrongState("This request was decided already.", code=ErrorCode.ALREADY_DECIDED)
    session.delete(request)
    _record(session, actor, request, "join-request.withdraw")


def list_join_requests(
    session: ReadSession,
    *,
    slug: str,
    actor: Actor,
    state: RequestState | None,
    after_id: str | None,
    limit: int,
) -> Sequence[tuple[JoinRequest, User]]:
    """Lists a page of the requests with their people, oldest first, for organizers. Raises
    `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    return join_requests.requests_after(
        session, competition_id=competition.id, state=state, after_id=after_id, limit=limit
    )


def decide_join_request(
    session: WriteSession, *, actor: Actor, request_id: str, state: RequestState, reason: str
) -> tuple[JoinRequest, User]:
    """Approves or declines a request; a decision can be changed as long as the person has no team.

    Raises `NotFound` and `WrongState` (`already-in-team`).
    """
    asker = join_requests.asker_of(session, request_id=request_id)
    if asker is not None:
        # The person enters either before or after the decision, not during it.
        locks.lock_person(session, user_id=asker)
    request = locks.locked_row(session, JoinRequest, request_id)
    competition = session.get(Competition, request.competition_id) if request else None
    if request is None or competition is None or not organizes(session, competition, actor):
        raise NotFound(UNKNOWN)
    team = lookups.team_of(session, competition_id=competition.id, user_id=request.user_id)
    if team is not None and state != request.state:
        raise WrongState(
            "This person is in a team already: take them out of it instead.",
            code=ErrorCode.ALREADY_IN_TEAM,
        )
    request.state, request.reason = state, reason
    request.decided_at, request.decided_by = database_now(session), actor.user_id
    _record(session, actor, request, f"join-request.{state}")
    return request, session.get_one(User, request.user_id)


def _request_of(session: Session, competition: Competition, actor: Actor) -> JoinRequest | None:
    return join_requests.request_of(session, competition_id=competition.id, user_id=actor.user_id)


def _record(session: WriteSession, actor: Actor, request: JoinRequest, action: str) -> None:
    audit.record(session, actor, action, request, user_id=request.user_id)


def _is_same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(
        given.strip().encode("utf-8", "surrogateescape"), wanted.encode("utf-8")
    )
