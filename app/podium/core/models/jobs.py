"""Long work of organizers and participants that a worker does, one row for each."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import JsonObject, new_id
from podium.core.models.base import Base, Id


class Job(Base):
    """One piece of long work: reading an upload, probing a launch, comparing submissions.

    `kind` says what is done, `arguments` with what; `key` is the same for identical requests, which
    share a row. `state` is one of `podium.jobs.states.JobState`. Lease and fence are those of a
    judging. Once it has ended, `result` or `problem` is kept until `keep_until`.
    """

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_unfinished", "state", "lease_until"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    kind: Mapped[str]
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    key: Mapped[str] = mapped_column(String(64), index=True)
    arguments: Mapped[JsonObject]
    state: Mapped[str]
    priority: Mapped[int]
    dispatches: Mapped[int] = mapped_column(default=0)
    """Times that the job was given to the engine: part of the engine's own job name."""
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    address: Mapped[str | None]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    keep_until: Mapped[datetime | None] = mapped_column(index=True)
    worker_id: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(default=0)
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    worker_deaths: Mapped[int] = mapped_column(default=0)
    own_failures: Mapped[int] = mapped_column(default=0)
    progress: Mapped[float] = mapped_column(default=0.0)
    result: Mapped[JsonObject | None]
    file_sha256: Mapped[str | None] = mapped_column(index=True)
    """The SHA-256 of the stored file that the result names, if it names one."""
    problem: Mapped[JsonObject | None]
    request_id: Mapped[str | None]
    """The id of the request that asked for it first, for logs and traces."""
    traceparent: Mapped[str | None] = mapped_column(String(64))
