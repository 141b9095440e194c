"""Co-organizers of a competition: added and removed."""

from __future__ import annotations

from podium.core import audit, locks, lookups
from podium.core.access import Actor, competition_for_organizer
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Competition, FormerOrganizer, OrganizerRole, Team, User
from podium.core.models.teams import ORGANIZER
from podium.errors import InvalidInput, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.teams.service.forming import renew_board


def add_organizer(
    session: WriteSession, *, actor: Actor, slug: str, user_id: str
) -> tuple[User, bool]:
    """Makes a user a co-organizer; returns the person, and true if that is new.

    A team that the person is in is tagged for good, since hidden data cannot be unseen. After the
    reveal it is not: its place can no longer change.

    Raises `NotFound`, and `InvalidInput` (`unknown-user`).
    """
    known = competition_for_organizer(session, slug=slug, actor=actor)
    team = _locked_team(session, known, user_id)
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    user = session.get(User, user_id)
    if user is None or user.deleted_at is not None:
        raise InvalidInput("There is no account of this name or id.", code=ErrorCode.UNKNOWN_USER)
    if session.get(OrganizerRole, (competition.id, user.id)) is not None:
        return user, False
    now = database_now(session)
    session.add(OrganizerRole(competition_id=competition.id, user_id=user.id, added_at=now))
    if team is not None and ORGANIZER not in team.tags and competition.revealed_at is None:
        team.tags = [*team.tags, ORGANIZER]
        renew_board(session, team)
    audit.record(
        session,
        actor,
        "organizer.add",
        competition_id=competition.id,
        object_id=user.id,
        name=user.name,
    )
    return user, True


def remove_organizer(session: WriteSession, *, actor: Actor, slug: str, user_id: str) -> None:
    """Removes a co-organizer's rights. The former role is recorded: a team that the person enters
    later is tagged all the same. Raises `NotFound`, and `WrongState` (`last-organizer`) for the
    only one."""
    # The deletion of an account, which removes its rights, locks the person, too.
    locks.lock_person(session, user_id=user_id)
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    row = session.get(OrganizerRole, (competition.id, user_id))
    if row is None:
        raise NotFound("This account does not organize this competition.")
    if len(lookups.organizers_of(session, competition.id)) == 1:
        raise WrongState(
            "This is the only organizer. Add another one first.", code=ErrorCode.LAST_ORGANIZER
        )
    session.delete(row)
    session.merge(
        FormerOrganizer(
            competition_id=competition.id, user_id=user_id, removed_at=database_now(session)
        )
    )
    audit.record(
        session, actor, "organizer.remove", competition_id=competition.id, object_id=user_id
    )


def _locked_team(session: WriteSession, competition: Competition, user_id: str) -> Team | None:
    """Locks the person's team in the common order: the person, the team, then the competition."""
    locks.lock_person(session, user_id=user_id)
    team = lookups.team_of(session, competition_id=competition.id, user_id=user_id)
    return None if team is None else locks.locked_team(session, team_id=team.id)
