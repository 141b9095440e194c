"""Access to competitions: those that a user may not know of are reported as not found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.core.configuration import settings_of
from podium.core.database.engine import database_now
from podium.core.models import Competition, Membership, OrganizerRole
from podium.core.phases import Dates, Phase, phase_at, takes_teams
from podium.errors import NotFound


@dataclass(frozen=True, slots=True)
class Actor:
    """The authenticated person behind a request, and where the request came from."""

    user_id: str
    name: str
    is_administrator: bool = False
    is_organizer: bool = False
    address: str | None = None
    page_session_id: str | None = None
    """Set where the request was authenticated by a browser's cookie instead of a token."""
    token_id: str | None = None
    """The token that was sent, or that the browser's session ends with: every credential that this
    person creates must end with it too."""

    @property
    def may_create_competitions(self) -> bool:
        """True for administrators and for accounts with the role of an organizer."""
        return self.is_administrator or self.is_organizer


UNKNOWN = "There is no competition of this name, or you may not see it."


NOT_ORGANIZED = "You organize no competition of this name."


def competition_for_reader(session: Session, *, slug: str, actor: Actor | None) -> Competition:
    """Finds a competition that this person may see: drafts are visible to their organizers only,
    private ones to their members. Raises `NotFound` with the same text in every other case."""
    competition = session.scalar(select(Competition).where(Competition.slug == slug))
    if competition is None or not _may_see(session, competition, actor):
        raise NotFound(UNKNOWN)
    return competition


def competition_for_entrant(session: Session, *, slug: str, actor: Actor | None) -> Competition:
    """Finds a competition that this person may see or enter. While teams can form, an account that
    knows the slug of a private one may enter as its registration requires: with a code, after an
    approval, or freely; `invite` hides it. Raises `NotFound` with the same text as for readers."""
    competition = session.scalar(select(Competition).where(Competition.slug == slug))
    if competition is None or not (
        _may_see(session, competition, actor)
        or (actor is not None and _may_enter(session, competition))
    ):
        raise NotFound(UNKNOWN)
    return competition


def competition_for_organizer(
    session: Session, *, slug: str, actor: Actor, for_update: bool = False, with_slug: bool = False
) -> Competition:
    """Finds a competition that this person organizes; raises `NotFound` otherwise.

    `for_update` locks the row on PostgreSQL; SQLite's write sessions are exclusive anyway. A
    transaction that only refers to the row, as every inserted submission does, is not blocked: its
    own lock would close a cycle. `with_slug` is for those that change the slug or remove the row:
    it waits for such transactions before it locks anything for which they wait.
    """
    query = select(Competition).where(Competition.slug == slug)
    if for_update:
        query = query.with_for_update(key_share=not with_slug)
        query = query.execution_options(populate_existing=True)
    competition = session.scalar(query)
    if competition is None or not organizes(session, competition, actor):
        raise NotFound(NOT_ORGANIZED)
    return competition


def organizes(session: Session, competition: Competition, actor: Actor | None) -> bool:
    """True if this person is an organizer of the competition, or an administrator; always false for
    a competition that is being deleted."""
    if actor is None or competition.deleted_at is not None:
        return False
    return actor.is_administrator or (
        session.get(OrganizerRole, (competition.id, actor.user_id)) is not None
    )


def phase_of(competition: Competition, now: datetime) -> Phase:
    """Computes the competition's phase at a moment by the database's clock."""
    return phase_at(dates_of(competition), now)


def dates_of(competition: Competition) -> Dates:
    """Collects the dates of a competition for the rules of `core.phases`."""
    return Dates(
        starts_at=competition.starts_at,
        ends_at=competition.ends_at,
        launched_at=competition.launched_at,
        frozen_at=competition.frozen_at,
        closed_at=competition.closed_at,
        revealed_at=competition.revealed_at,
    )


def _may_see(session: Session, competition: Competition, actor: Actor | None) -> bool:
    if organizes(session, competition, actor):
        return True
    if competition.launched_at is None or competition.deleted_at is not None:
        return False
    if competition.visibility == "public":
        return True
    return (
        actor is not None and session.get(Membership, (competition.id, actor.user_id)) is not None
    )


def _may_enter(session: Session, competition: Competition) -> bool:
    return (
        competition.deleted_at is None
        and takes_teams(phase_of(competition, database_now(session)))
        and settings_of(competition).registration != "invite"
    )
