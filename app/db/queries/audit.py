"""Questions about the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from podium.db.models import AuditEntry, Competition


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries somebody wants; None means any. `action` is the beginning of one, `actor` an
    id or the whole name at that time; `since` is included, `until` is not."""

    competition_id: str | None = None
    action: str | None = None
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def entries(
    session: Session, *, wanted: AuditFilter, before_id: str | None, limit: int
) -> Sequence[tuple[AuditEntry, str | None]]:
    """A page of the audit log with the competitions' slugs, newest first."""
    query = (
        select(AuditEntry, Competition.slug)
        .outerjoin(Competition, Competition.id == AuditEntry.competition_id)
        .order_by(AuditEntry.id.desc())
        .limit(limit)
    )
    if wanted.competition_id is not None:
        query = query.where(AuditEntry.competition_id == wanted.competition_id)
    if wanted.action is not None:
        query = query.where(AuditEntry.action.startswith(wanted.action, autoescape=True))
    if wanted.actor is not None:
        query = query.where(
            (AuditEntry.actor_id == wanted.actor) | (AuditEntry.actor_name == wanted.actor)
        )
    if wanted.since is not None:
        query = query.where(AuditEntry.at >= wanted.since)
    if wanted.until is not None:
        query = query.where(AuditEntry.at < wanted.until)
    if before_id is not None:
        query = query.where(AuditEntry.id < before_id)
    return [(entry, slug) for entry, slug in session.execute(query)]
