"""Links that let people in: created, listed and revoked by organizers, opened by their holders.

The code is 256 random bits; only its SHA-256 is stored, and no log, page or list repeats it. A link
of several seats is for showing around and never grants organizer rights: its creators see it as
long as it works. The use of a link is `teams/service/link_use.py`.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from podium.accounts.service.accounts import (
    find_user,
    may_see_accounts,
    require_may_see_accounts,
    sha256_of,
)
from podium.accounts.service.descent import still_let_in
from podium.core import audit, locks, lookups
from podium.core.access import Actor, competition_for_organizer, organizes
from podium.core.configuration import settings_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import AccessLink, Competition, Team
from podium.core.models.teams import BASELINE
from podium.errors import InvalidInput, NotAllowed, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.teams import queries
from podium.teams.queries import FoundLink
from podium.teams.rules import LinkKind, LinkState, end_of_life, link_state

MAX_OPEN = 1000
"""Maximum number of one creator's links that work at a time."""

UNKNOWN = "This link does not exist, was used, was revoked, or has expired."


@dataclass(frozen=True, slots=True)
class InviteProperties:
    """The properties of an invitation: the competition and team that it leads to, its expiry, note
    and seats. `is_organizer` concerns the competition, or without one the installation."""

    slug: str | None = None
    team_id: str | None = None
    is_organizer: bool = False
    expires_at: datetime | None = None
    note: str = ""
    seats: int = 1


@dataclass(frozen=True, slots=True)
class LinkView:
    """The part of a link that its holder may know before using it."""

    kind: LinkKind
    competition: Competition | None
    team: Team | None
    is_organizer: bool
    account: str | None
    expires_at: datetime
    rules: str
    seats: int
    seats_left: int


def make_invite(
    session: WriteSession, *, actor: Actor, wanted: InviteProperties
) -> tuple[FoundLink, str]:
    """Creates a link for new users; returns it with its code, which for a link of one seat is known
    at no other moment.

    Raises `NotAllowed`, `NotFound` (a competition that the caller does not organize),
    `InvalidInput` (`bad-date`, `unknown-team`, `invalid`) and `WrongState` (`too-many-links`).
    """
    require_may_see_accounts(session, actor=actor)
    if wanted.is_organizer and wanted.seats > 1:
        raise InvalidInput("A link that makes an organizer has one seat.")
    competition = None
    if wanted.slug is not None:
        competition = competition_for_organizer(session, slug=wanted.slug, actor=actor)
    elif wanted.is_organizer and not actor.is_administrator:
        raise NotAllowed("Only the administrator of this installation may invite organizers.")
    if competition is not None:
        _lock_destination(session, actor, competition, wanted.team_id)
    if wanted.team_id is not None:
        _refuse_team(session, competition, wanted)
    link = AccessLink(
        kind=LinkKind.INVITE,
        note=wanted.note,
        competition_id=competition.id if competition else None,
        team_id=wanted.team_id,
        is_organizer=wanted.is_organizer,
        seats=wanted.seats,
    )
    return insert_link(session, actor, link, expires_at=wanted.expires_at)


def make_reset(
    session: WriteSession, *, actor: Actor, user_id: str, expires_at: datetime | None
) -> tuple[FoundLink, str]:
    """Creates a link by which a user gets new credentials; returns it with its code. For the
    administrator.

    Raises `NotAllowed`, `NotFound` and `WrongState` (`administrator`, `account-deleted`,
    `account-disabled`).
    """
    if not actor.is_administrator:
        raise NotAllowed("Only the administrator of this installation may reset credentials.")
    user = find_user(session, user_id=user_id)
    if user.is_administrator:
        raise WrongState("Set PODIUM_ADMIN_TOKEN and start again.", code=ErrorCode.ADMINISTRATOR)
    if user.deleted_at is not None:
        raise WrongState("This account was deleted.", code=ErrorCode.ACCOUNT_DELETED)
    if user.disabled_at is not None:
        raise WrongState("This account is disabled.", code=ErrorCode.ACCOUNT_DISABLED)
    link = AccessLink(kind=LinkKind.RESET, user_id=user.id, seats=1)
    return insert_link(session, actor, link, expires_at=expires_at)


def list_links(
    session: ReadSession, *, actor: Actor, before_id: str | None, limit: int
) -> Sequence[FoundLink]:
    """Lists a page of links, newest first: the caller's own, for the administrator all. Raises
    `NotAllowed`."""
    require_may_see_accounts(session, actor=actor)
    own = None if actor.is_administrator else actor.user_id
    return queries.links_before(session, created_by=own, before_id=before_id, limit=limit)


def find_link(session: Session, *, actor: Actor, link_id: str) -> FoundLink:
    """Finds a link by its id, for its creator and the administrator. Raises `NotAllowed`,
    `NotFound`."""
    require_may_see_accounts(session, actor=actor)
    found = queries.link_with_id(session, link_id)
    if found is None or not (actor.is_administrator or found.link.created_by == actor.user_id):
        raise _not_made()
    return found


def _not_made() -> NotFound:
    return NotFound("You made no link with this id.")


def revoke_link(session: WriteSession, *, actor: Actor, link_id: str) -> None:
    """Revokes a link; for its creator and the administrator. Raises `NotAllowed`, `NotFound` and
    `WrongState` (`link-used`)."""
    find_link(session, actor=actor, link_id=link_id)
    link = locks.locked_row(session, AccessLink, link_id)
    if link is None:
        raise _not_made()
    if link.used_at is not None:
        raise WrongState("This link was used already.", code=ErrorCode.LINK_USED)
    link.revoked_at = link.revoked_at or database_now(session)
    link.code = None
    audit.record(session, actor, "link.revoke", link)


def look_at(session: Session, *, code: str) -> LinkView:
    """Describes the purpose of a link. Raises `NotFound` (`unknown-link`) with one text, whatever
    the reason."""
    found = working_link(session, code=code)
    # The person of first credentials takes part already, and accepts the rules only now.
    enters = found.competition is not None and not found.link.is_organizer
    return LinkView(
        kind=LinkKind(found.link.kind),
        competition=found.competition,
        team=found.team or team_of_account(session, found),
        is_organizer=found.link.is_organizer,
        account=found.account.name if found.account else None,
        expires_at=found.link.expires_at,
        rules=settings_of(found.competition).rules if found.competition and enters else "",
        seats=found.link.seats,
        seats_left=found.link.seats - found.link.seats_taken,
    )


def team_of_account(session: Session, found: FoundLink) -> Team | None:
    """Finds the team in the link's competition of the account that the link is for."""
    if found.account is None or found.competition is None:
        return None
    teams = queries.teams_of_users(
        session, competition_id=found.competition.id, user_ids=[found.account.id]
    )
    return teams.get(found.account.id)


def working_link(session: Session, *, code: str) -> FoundLink:
    """Finds the link with this code, if it still works and its creator still has the right to
    it."""
    sha256 = sha256_of(code)
    found = queries.link_by_sha256(session, sha256)
    if found is None or not hmac.compare_digest(found.link.sha256, sha256):
        raise unknown_link()
    is_open = state_of(found.link, now=database_now(session)) is LinkState.OPEN
    if not is_open or not _maker_still_may(session, found):
        raise unknown_link()
    return found


def state_of(link: AccessLink, *, now: datetime) -> LinkState:
    """Computes the state of a link at a time."""
    return link_state(
        now=now,
        expires_at=link.expires_at,
        used_at=link.used_at,
        revoked_at=link.revoked_at,
    )


def maker_of(found: FoundLink) -> Actor:
    """Describes the creator of a link as an actor."""
    creator = found.creator
    return Actor(
        user_id=creator.id,
        name=creator.name,
        is_administrator=creator.is_administrator,
        is_organizer=creator.is_organizer,
    )


def unknown_link() -> NotFound:
    """Builds the same refusal for every invalid code."""
    return NotFound(UNKNOWN, code=ErrorCode.UNKNOWN_LINK)


def _maker_still_may(session: Session, found: FoundLink) -> bool:
    maker, link = maker_of(found), found.link
    if found.creator.disabled_at is not None:
        return False
    if link.kind == LinkKind.RESET or (link.is_organizer and found.competition is None):
        return maker.is_administrator
    if found.competition is None:
        return may_see_accounts(session, actor=maker)
    return organizes(session, found.competition, maker)


def _lock_destination(
    session: WriteSession, actor: Actor, competition: Competition, team_id: str | None
) -> None:
    """Locks the team and the competition of a new link, so that neither is removed meanwhile."""
    locks.lock_person(session, user_id=actor.user_id)
    if team_id is not None:
        locks.locked_team(session, team_id=team_id)
    locks.lock_acts(session, competition_id=competition.id)


def _refuse_team(
    session: Session, competition: Competition | None, wanted: InviteProperties
) -> None:
    team = None
    if competition is not None and not wanted.is_organizer:
        team_id = wanted.team_id or ""
        team = lookups.team_in(session, competition_id=competition.id, team_id=team_id)
    if team is None or team.merged_into_id is not None or BASELINE in team.tags:
        raise InvalidInput(
            "This competition has no team with this id (team_id) that participants can join.",
            code=ErrorCode.UNKNOWN_TEAM,
        )


def refuse_more_links(session: WriteSession, actor: Actor, more: int) -> None:
    """Raises `WrongState` (`too-many-links`) where the actor would have too many links that work,
    and `NotAuthenticated` for one who was signed out meanwhile."""
    still_let_in(session, actor=actor)
    now = database_now(session)
    if queries.open_links(session, created_by=actor.user_id, now=now) + more > MAX_OPEN:
        raise WrongState(
            f"At most {MAX_OPEN} of your links can be open. Revoke some first.",
            code=ErrorCode.TOO_MANY_LINKS,
        )


def store_link(
    session: WriteSession, actor: Actor, link: AccessLink, *, expires_at: datetime | None
) -> str:
    """Stores a link with a new code, which it returns, after `refuse_more_links`."""
    code = secrets.token_urlsafe(32)
    link.sha256 = sha256_of(code)
    link.created_at = now = database_now(session)
    link.created_by, link.token_id = actor.user_id, actor.token_id
    link.expires_at = end_of_life(now, expires_at, seats=link.seats)
    link.code = code if link.seats > 1 else None
    session.add(link)
    session.flush()
    return code


def insert_link(
    session: WriteSession, actor: Actor, link: AccessLink, *, expires_at: datetime | None
) -> tuple[FoundLink, str]:
    """Stores a link of the actor's with a new code; returns both.

    Raises `InvalidInput` (`bad-date`), `WrongState` (`too-many-links`) and `NotAuthenticated`.
    """
    refuse_more_links(session, actor, 1)
    code = store_link(session, actor, link, expires_at=expires_at)
    audit.record(
        session,
        actor,
        f"link.{link.kind}",
        link,
        user_id=link.user_id,
        team_id=link.team_id,
        organizer=link.is_organizer,
        seats=link.seats,
    )
    found = queries.link_by_sha256(session, link.sha256)
    if found is None:
        raise unknown_link()
    return found, code
