"""Long work of organizers and participants that a worker does, one row for each."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import JsonObject
from podium.core.models.base import Base, Leased


class Job(Leased, Base):
    """One piece of long work: reading an upload, probing a launch, comparing submissions.

    `kind` names the work, `arguments` its parameters; `key` is the same for identical requests,
    which share a row. Once it has ended, `result` or `problem` is stored until `keep_until`.
    """

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_unfinished", "state", "lease_until"),)

    kind: Mapped[str]
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    key: Mapped[str] = mapped_column(String(64), index=True)
    arguments: Mapped[JsonObject]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    address: Mapped[str | None]
    keep_until: Mapped[datetime | None] = mapped_column(index=True)
    result: Mapped[JsonObject | None]
    file_sha256: Mapped[str | None] = mapped_column(index=True)
    """The SHA-256 of the stored file that the result names, if it names one."""
    problem: Mapped[JsonObject | None]
