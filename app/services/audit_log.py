"""Reading the audit log."""

from __future__ import annotations

from collections.abc import Sequence

from app.db.engine import ReadSession
from app.db.models import AuditEntry
from app.db.queries import competitions as queries
from app.domain.permissions import Actor
from app.errors import NotAllowed
from app.services.access import competition_for_organizer


def list_entries(
    session: ReadSession, *, actor: Actor, slug: str | None, before_id: str | None, limit: int
) -> Sequence[tuple[AuditEntry, str | None]]:
    """A page of entries with the slugs of their competitions, newest first.

    Without a slug only for the administrator (`NotAllowed`); with one for its organizers
    (`NotFound` for everybody else).
    """
    if slug is None:
        if not actor.is_administrator:
            raise NotAllowed("Name one of your competitions: ?competition=<slug>.")
        competition_id = None
    else:
        competition_id = competition_for_organizer(session, slug=slug, actor=actor).id
    return queries.audit_entries(
        session, competition_id=competition_id, before_id=before_id, limit=limit
    )
