"""Reading the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from podium.db.engine import ReadSession
from podium.db.models import AuditEntry
from podium.db.queries import audit
from podium.db.queries.audit import AuditFilter
from podium.domain.permissions import Actor
from podium.errors import NotAllowed
from podium.services.access import competition_for_organizer


def list_entries(
    session: ReadSession,
    *,
    actor: Actor,
    slug: str | None,
    wanted: AuditFilter,
    before_id: str | None,
    limit: int,
) -> Sequence[tuple[AuditEntry, str | None]]:
    """A page of entries with the slugs of their competitions, newest first.

    Without a slug only for the administrator (`NotAllowed`); with one for its organizers
    (`NotFound` for everybody else).
    """
    if slug is not None:
        competition = competition_for_organizer(session, slug=slug, actor=actor)
        wanted = replace(wanted, competition_id=competition.id)
    elif not actor.is_administrator:
        raise NotAllowed("Name one of your competitions: ?competition=<slug>.")
    return audit.entries(session, wanted=wanted, before_id=before_id, limit=limit)
