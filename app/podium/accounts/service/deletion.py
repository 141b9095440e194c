"""The deletion of an account: personal data is removed, results stay."""

from __future__ import annotations

import secrets

from podium.accounts import queries
from podium.accounts.service.accounts import UNKNOWN_USER
from podium.core import audit, locks
from podium.core.access import Actor
from podium.core.database.engine import WriteSession, database_now, lock_name
from podium.core.models import Team, User
from podium.core.names import name_key
from podium.errors import InvalidInput, NotAllowed, NotFound, WrongState
from podium.errors.codes import ErrorCode


def delete_account(session: WriteSession, *, actor: Actor, user_id: str, confirm: str) -> None:
    """Replaces the name, also in the audit log and of teams that have it and no one else in them,
    and removes the mail address, credentials, sessions, links and organizers' rights, network
    addresses, and names and notes of files, for good.

    Other teams, submissions, boards and the entries of the audit log stay. For oneself or by the
    administrator; `confirm` repeats the account's name. Raises `NotAllowed`, `NotFound`,
    `InvalidInput` (`not-confirmed`) and `WrongState` (`last-administrator`).
    """
    user = _confirmed(session, actor=actor, user_id=user_id, confirm=confirm)
    namesakes = _locked_namesakes(session, user)
    former, now = user.name_key, database_now(session)
    # Links, slots, competitions, then names and submissions, as everywhere: no deadlocks.
    queries.end_links(session, user_id=user.id, now=now)
    queries.end_uploads(session, user_id=user.id)
    locks.touch_boards_of(session, user_id=user.id, now=now)
    user.name = f"deleted account {secrets.token_hex(4)}"
    user.name_key = f"{name_key(user.name)} {user.id}"
    user.look = None
    user.password_hash = user.mail = user.mail_key = None
    user.is_organizer, user.is_administrator = False, False
    user.disabled_at = user.deleted_at = now
    for team in namesakes:
        team.name, team.name_key, team.look = user.name, f"{name_key(user.name)} {team.id}", None
    session.flush()
    queries.remove_traces(session, user_id=user.id)
    requests = queries.requests_of(session, user_id=user.id)
    audit.forget(
        session,
        user_id=user.id,
        request_ids=requests,
        team_ids=[team.id for team in namesakes],
        former_key=former,
        name=user.name,
    )
    queries.remove_credentials(session, user_id=user.id)
    audit.record(
        session,
        actor if actor.user_id != user.id else Actor(user.id, user.name, address=None),
        "user.delete",
        object_id=user.id,
    )


def _locked_namesakes(session: WriteSession, user: User) -> list[Team]:
    """Finds the teams that lose their name with the account; all teams of the person are locked, so
    that they get no further member meanwhile."""
    locks.locked_teams(session, [team.id for _, team, _ in queries.teams_of(session, user.id)])
    return [team for _, team, is_namesake in queries.teams_of(session, user.id) if is_namesake]


def _confirmed(session: WriteSession, *, actor: Actor, user_id: str, confirm: str) -> User:
    """Finds and locks the account, if the caller may delete it and has repeated its name."""
    if user_id != actor.user_id and not actor.is_administrator:
        raise NotAllowed("Only the administrator of this installation may delete others' accounts.")
    user = locks.locked_user(session, user_id)
    if user is None or user.deleted_at is not None:
        raise NotFound(UNKNOWN_USER)
    if name_key(confirm) != user.name_key:
        raise InvalidInput(
            "This is not the account's name, so nothing was deleted.",
            code=ErrorCode.NOT_CONFIRMED,
        )
    if user.is_administrator:
        # Two of them may delete each other.
        lock_name(session, "administrators")
        if queries.administrators(session) <= 1:
            raise WrongState(
                "The last administrator's account cannot be deleted.",
                code=ErrorCode.LAST_ADMINISTRATOR,
            )
    return user
