"""Tables for operators: workers and the audit log."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import JsonObject, new_id
from podium.core.models.base import Base, Id


class Worker(Base):
    """A worker process and its last heartbeat, by the database's clock."""

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    process_id: Mapped[int]
    version: Mapped[str]
    started_at: Mapped[datetime]
    heartbeat_at: Mapped[datetime] = mapped_column(index=True)
    stopped_at: Mapped[datetime | None]


class AuditEntry(Base):
    """An entry of the audit log: who did what, when, from where. Entries are never removed; one
    changes only when a person deletes the account and is anonymized in it (`core.audit.forget`)."""

    __tablename__ = "audit_entries"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    at: Mapped[datetime] = mapped_column(index=True)
    actor_id: Mapped[str | None] = mapped_column(index=True)
    actor_name: Mapped[str]
    action: Mapped[str] = mapped_column(index=True)
    competition_id: Mapped[str | None] = mapped_column(index=True)
    object_id: Mapped[str | None] = mapped_column(index=True)
    address: Mapped[str | None]
    facts: Mapped[JsonObject]
