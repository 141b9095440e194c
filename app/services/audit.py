"""The audit log: who did what, when, from where. Entries are only ever appended."""

from __future__ import annotations

from typing import Any

from podium.db.engine import WriteSession, database_now
from podium.db.models import AuditEntry
from podium.domain.permissions import Actor


def record(
    session: WriteSession,
    *,
    actor: Actor | None,
    action: str,
    competition_id: str | None = None,
    object_id: str | None = None,
    **facts: Any,
) -> None:
    """Appends an entry in the caller's transaction; no actor means the system itself."""
    session.add(
        AuditEntry(
            at=database_now(session),
            actor_id=actor.user_id if actor else None,
            actor_name=actor.name if actor else "system",
            action=action,
            competition_id=competition_id,
            object_id=object_id,
            address=actor.address if actor else None,
            facts=facts,
        )
    )
