"""The record of backups: the audit log of the installation itself lists those without a flaw, so
that an operator can be warned when they stop."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from podium.core import audit
from podium.core.database.engine import WriteSession, database_now
from podium.operations import queries

MADE = "backup.make"
"""The action under which a backup is in the audit log."""


@dataclass(frozen=True, slots=True)
class LastBackup:
    """The last good backup: its time, its place, and its age."""

    made_at: datetime
    place: str
    age_seconds: float


def record_backup(session: WriteSession, *, name: str, place: str) -> None:
    """Records that a good backup was taken."""
    audit.record(session, None, MADE, name=name, place=place)


def last_backup(session: Session) -> LastBackup | None:
    """Finds the last good backup; None without one. A restored installation knows earlier backups,
    and not the restored one itself."""
    entry = queries.latest_entry(session, action=MADE)
    if entry is None:
        return None
    age = (database_now(session) - entry.at).total_seconds()
    return LastBackup(entry.at, str(entry.facts.get("place", "")), max(0.0, age))
