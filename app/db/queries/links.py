"""Questions about one-time links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, aliased

from podium.db.engine import WriteSession
from podium.db.models import Competition, OneTimeLink, Team, User


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link with what it names."""

    link: OneTimeLink
    creator: User
    competition: Competition | None
    team: Team | None
    account: User | None


def link_by_sha256(session: Session, sha256: str) -> FoundLink | None:
    """The link with this hash."""
    rows = session.execute(_query().where(OneTimeLink.sha256 == sha256)).all()
    return FoundLink(*rows[0]) if rows else None


def lock_link(session: WriteSession, *, link_id: str) -> OneTimeLink:
    """A link as it is now, locked: whoever comes second sees that it was used."""
    query = (
        select(OneTimeLink)
        .where(OneTimeLink.id == link_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return session.scalars(query).one()


def links_before(
    session: Session, *, created_by: str | None, before_id: str | None, limit: int
) -> Sequence[FoundLink]:
    """A page of links, newest first; of everybody, or of one maker."""
    query = _query().order_by(OneTimeLink.id.desc()).limit(limit)
    if created_by is not None:
        query = query.where(OneTimeLink.created_by == created_by)
    if before_id is not None:
        query = query.where(OneTimeLink.id < before_id)
    return [FoundLink(*row) for row in session.execute(query)]


def open_links(session: Session, *, created_by: str, now: datetime) -> int:
    """How many links of a maker still work."""
    query = (
        select(func.count())
        .select_from(OneTimeLink)
        .where(
            OneTimeLink.created_by == created_by,
            OneTimeLink.used_at.is_(None),
            OneTimeLink.revoked_at.is_(None),
            OneTimeLink.expires_at > now,
        )
    )
    return session.scalar(query) or 0


def _query() -> Select[OneTimeLink, User, Competition, Team, User]:
    account = aliased(User)
    return (
        select(OneTimeLink, User, Competition, Team, account)
        .join(User, User.id == OneTimeLink.created_by)
        .outerjoin(Competition, Competition.id == OneTimeLink.competition_id)
        .outerjoin(Team, Team.id == OneTimeLink.team_id)
        .outerjoin(account, account.id == OneTimeLink.user_id)
    )
