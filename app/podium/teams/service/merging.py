"""Merges of two teams: requests, answers, and merges by an organizer.

Locks are taken in the same order as everywhere, and then the request: this rules out deadlocks and
uploads for a team that is just being merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from podium.core import audit, locks, lookups
from podium.core.access import Actor, competition_for_reader
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import AccessLink, Competition, MergeRequest, Team
from podium.core.models.teams import BASELINE, HIDDEN
from podium.core.names import name_key
from podium.errors import InvalidInput, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.teams import queries
from podium.teams.queries.merging import lock_slots
from podium.teams.rules import MergeStatus
from podium.teams.service.forming import (
    lock_while_teams_form,
    no_team,
    refuse_wrong_phase,
    team_of_actor,
)
from podium.teams.service.merging_rows import absorb
from podium.teams.service.organizing import UNKNOWN, ManagedTeam, organized_by

MAX_PENDING = 10
"""Maximum number of pending requests of one team."""

Wish = tuple[MergeRequest, Team, Team]
"""A request to merge, the team that sent it, and the team that received it."""


def request_merge(session: WriteSession, *, slug: str, actor: Actor, other: str) -> Wish:
    """Requests from another team, by its id or name, to absorb the caller's team.

    Raises `NotFound` (`no-team`, `unknown-team`), `InvalidInput` (`same-team`) and `WrongState`
    (`cannot-merge`, `already-requested`, `too-many-requests`, and the phases).
    """
    competition = competition_for_reader(session, slug=slug, actor=actor)
    locks.lock_person(session, user_id=actor.user_id)
    team = team_of_actor(session, competition, actor)
    # Before the other team is revealed in any way; and again once it is locked.
    refuse_wrong_phase(session, competition)
    asked = _other_team(session, competition, other)
    if asked.id == team.id:
        raise InvalidInput("This is your own team.", code=ErrorCode.SAME_TEAM)
    # Either may ask the other, or end meanwhile.
    team, asked = _lock_teams(session, team.id, asked.id)
    lock_while_teams_form(session, competition)
    refuse_unmergeable(team, asked)
    if queries.pending_between(session, from_team_id=team.id, to_team_id=asked.id):
        raise WrongState("This team has your request already.", code=ErrorCode.ALREADY_REQUESTED)
    if queries.count_pending(session, from_team_id=team.id) >= MAX_PENDING:
        raise WrongState(
            f"{MAX_PENDING} requests of your team wait for an answer. Cancel one first.",
            code=ErrorCode.TOO_MANY_REQUESTS,
        )
    wish = MergeRequest(
        from_team_id=team.id,
        to_team_id=asked.id,
        status=MergeStatus.PENDING,
        created_at=database_now(session),
        created_by=actor.user_id,
    )
    session.add(wish)
    session.flush()
    _record(session, actor, competition, wish, "merge.request")
    return wish, team, asked


def list_requests(
    session: ReadSession, *, slug: str, actor: Actor, before_id: str | None, limit: int
) -> tuple[Team, Sequence[Wish]]:
    """Finds the caller's team, and lists a page of its sent and received requests, newest first.
    Raises `NotFound` (`no-team`)."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    team = team_of_actor(session, competition, actor)
    found = queries.requests_of(session, team_id=team.id, before_id=before_id, limit=limit)
    return team, found


def accept_merge(session: WriteSession, *, slug: str, actor: Actor, request_id: str) -> Wish:
    """Absorbs the requesting team into the caller's team, with people, submissions and used slots.

    Raises `NotFound`, and `WrongState` (`not-pending`, `cannot-merge`, `merge-too-large`,
    `merge-too-many-submissions`, `team-changed`, and the phases).
    """
    competition, own, wish = _wish_of(session, slug, actor, request_id)
    if wish.to_team_id != own.id:
        raise NotFound("No team asks yours with this request.")
    survivor, absorbed = lock_both(session, wish.to_team_id, wish.from_team_id)
    if actor.user_id not in lookups.member_ids(session, team_id=survivor.id):
        raise no_team()
    refuse_wrong_phase(session, competition)
    wish = _still_pending(session, request_id)
    _decide(session, actor, wish, MergeStatus.ACCEPTED)
    absorb(session, competition=competition, survivor=survivor, absorbed=absorbed)
    _record(session, actor, competition, wish, "merge.accept", absorbed=absorbed.name)
    return wish, absorbed, survivor


def decline_merge(session: WriteSession, *, slug: str, actor: Actor, request_id: str) -> Wish:
    """Declines a request to the caller's team. Raises `NotFound` and `WrongState`
    (`not-pending`)."""
    competition, own, wish = _wish_of(session, slug, actor, request_id)
    if wish.to_team_id != own.id:
        raise NotFound("No team asks yours with this request.")
    return _ended(session, actor, competition, request_id, MergeStatus.DECLINED, "merge.decline")


def withdraw_merge(session: WriteSession, *, slug: str, actor: Actor, request_id: str) -> Wish:
    """Withdraws a request of the caller's team. Raises `NotFound` and `WrongState`
    (`not-pending`)."""
    competition, own, wish = _wish_of(session, slug, actor, request_id)
    if wish.from_team_id != own.id:
        raise NotFound("Your team asks nobody with this request.")
    return _ended(session, actor, competition, request_id, MergeStatus.WITHDRAWN, "merge.withdraw")


def merge_by_organizer(
    session: WriteSession, *, actor: Actor, team_id: str, absorbed_id: str, reason: str
) -> ManagedTeam:
    """Merges one team into another by an organizer's decision, before the reveal; the same limits
    apply.

    Raises `NotFound`, `InvalidInput` (`same-team`) and `WrongState` as `accept_merge` does, and
    `competition-revealed`.
    """
    if team_id == absorbed_id:
        raise InvalidInput("A team cannot be merged with itself.", code=ErrorCode.SAME_TEAM)
    competition = organized_by(session, actor=actor, team_id=team_id)
    if organized_by(session, actor=actor, team_id=absorbed_id).id != competition.id:
        raise NotFound(UNKNOWN)
    survivor, absorbed = lock_both(session, team_id, absorbed_id)
    if competition.revealed_at is not None:
        raise WrongState(
            "The final ranking is public already.", code=ErrorCode.COMPETITION_REVEALED
        )
    absorb(session, competition=competition, survivor=survivor, absorbed=absorbed)
    audit.record(
        session,
        actor,
        "team.merge",
        survivor,
        absorbed_id=absorbed.id,
        absorbed=absorbed.name,
        reason=reason,
    )
    members = queries.members_of(session, team_id=survivor.id)
    return ManagedTeam(competition, survivor, members)


def lock_both(session: WriteSession, survivor_id: str, absorbed_id: str) -> tuple[Team, Team]:
    """Locks the people of both teams, the teams, the links and slots that will move, and the
    competition: an upload that is just becoming a submission is waited for, and the ranking is not
    revealed meanwhile. Raises `NotFound` for rows that no longer exist, and `WrongState`
    (`team-changed`, `cannot-merge`)."""
    ids = sorted((survivor_id, absorbed_id))
    people = _people(session, ids)
    locks.lock_people(session, user_ids=people)
    survivor, absorbed = _lock_teams(session, survivor_id, absorbed_id)
    if not set(_people(session, ids)) <= set(people):
        raise WrongState(
            "Somebody has just joined. Try again.", code=ErrorCode.TEAM_CHANGED, retry_after=1
        )
    refuse_unmergeable(survivor, absorbed)
    locks.lock_links(session, AccessLink.team_id == absorbed_id)
    lock_slots(session, team_id=absorbed_id)
    locks.lock_board(session, competition_id=survivor.competition_id)
    return survivor, absorbed


def _lock_teams(session: WriteSession, first_id: str, second_id: str) -> tuple[Team, Team]:
    locked = locks.locked_teams(session, (first_id, second_id))
    if not {first_id, second_id} <= locked.keys():
        raise NotFound(UNKNOWN)
    return locked[first_id], locked[second_id]


def refuse_unmergeable(*teams: Team) -> None:
    """Raises `WrongState` (`cannot-merge`) for baselines, disqualified and already merged teams."""
    for team in teams:
        if BASELINE in team.tags or team.disqualified_at or team.merged_into_id:
            raise WrongState(f"The team {team.name} cannot merge.", code=ErrorCode.CANNOT_MERGE)


def _other_team(session: Session, competition: Competition, other: str) -> Team:
    team = lookups.team_in(session, competition_id=competition.id, team_id=other)
    if team is None:
        key = name_key(other)
        team = queries.team_named(session, competition_id=competition.id, name_key=key)
    if team is None or HIDDEN in team.tags or team.merged_into_id is not None:
        raise NotFound("There is no team of this id or name.", code=ErrorCode.UNKNOWN_TEAM)
    return team


def _wish_of(
    session: WriteSession, slug: str, actor: Actor, request_id: str
) -> tuple[Competition, Team, MergeRequest]:
    competition = competition_for_reader(session, slug=slug, actor=actor)
    own = team_of_actor(session, competition, actor)
    wish = session.get(MergeRequest, request_id)
    if wish is None or own.id not in (wish.from_team_id, wish.to_team_id):
        raise NotFound("Your team has no request with this id.")
    return competition, own, wish


def _still_pending(session: WriteSession, request_id: str) -> MergeRequest:
    wish = locks.locked_row(session, MergeRequest, request_id)
    if wish is None or wish.status != MergeStatus.PENDING:
        raise WrongState(
            "This request was answered or cancelled already.", code=ErrorCode.NOT_PENDING
        )
    return wish


def _ended(
    session: WriteSession,
    actor: Actor,
    competition: Competition,
    request_id: str,
    status: MergeStatus,
    action: str,
) -> Wish:
    wish = _still_pending(session, request_id)
    _decide(session, actor, wish, status)
    _record(session, actor, competition, wish, action)
    asking = session.get_one(Team, wish.from_team_id)
    return wish, asking, session.get_one(Team, wish.to_team_id)


def _decide(session: WriteSession, actor: Actor, wish: MergeRequest, status: MergeStatus) -> None:
    moment: datetime = database_now(session)
    wish.status, wish.decided_at, wish.decided_by = status, moment, actor.user_id
    session.flush()


def _record(
    session: WriteSession,
    actor: Actor,
    competition: Competition,
    wish: MergeRequest,
    action: str,
    **facts: str,
) -> None:
    audit.record(
        session,
        actor,
        action,
        competition_id=competition.id,
        object_id=wish.id,
        from_team_id=wish.from_team_id,
        to_team_id=wish.to_team_id,
        **facts,
    )


def _people(session: Session, team_ids: Sequence[str]) -> list[str]:
    found: set[str] = set()
    for team_id in team_ids:
        found |= lookups.member_ids(session, team_id=team_id)
    return sorted(found)
