"""Tables of the session files that organizers upload about the test set."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.models.base import Base


class StoredSessionFile(Base):
    """Columns by published session, as canonical Parquet in the store; at most one of a
    competition. Scores are taken apart by it, and no verdict depends on it.

    `sha256` is that of the canonical Parquet, `upload_sha256` of what came.
    """

    __tablename__ = "session_files"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    sha256: Mapped[str]
    upload_sha256: Mapped[str]
    upload_bytes: Mapped[int]
    columns: Mapped[list[str]]
    sessions: Mapped[int]
    """The number of sessions that the file describes."""
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))
