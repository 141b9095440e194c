"""Updates of the links on a roster's cards."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import update

from podium.core.database.engine import WriteSession
from podium.core.models import AccessLink
from podium.teams.rules import LinkKind


def end_first_links(session: WriteSession, *, user_id: str, now: datetime) -> None:
    """Revokes the links of first credentials of a person, who is locked."""
    session.execute(
        update(AccessLink)
        .where(
            AccessLink.user_id == user_id,
            AccessLink.kind == LinkKind.FIRST,
            AccessLink.used_at.is_(None),
            AccessLink.revoked_at.is_(None),
        )
        .values(revoked_at=now)
    )
