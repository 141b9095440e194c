"""Resumable uploads: how far somebody's file has come, and the pieces that it is kept in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import new_id
from podium.core.models.base import Base, Id


class Upload(Base):
    """A file under way, of one person and of no competition yet.

    `received` counts the bytes of its pieces. Whoever appends or composes holds it: only the
    `holder` of a hold that has not lapsed at `held_until` changes anything, so that of several
    requests for one upload exactly one goes on, and the hold of a dead process ends by itself.
    """

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    length: Mapped[int | None]
    """Bytes of the whole file, as soon as they are known."""
    max_bytes: Mapped[int]
    """What a file of this person may have anywhere."""
    received: Mapped[int] = mapped_column(default=0)
    holder: Mapped[str | None] = mapped_column(Id)
    held_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    submission_id: Mapped[str | None] = mapped_column(Id)
    """What it became; its pieces are removed then, and asking again gets the same submission."""


class UploadPiece(Base):
    """Bytes of an upload from `start` on, in a stored file of their own.

    The file begins with random bytes that belong to no upload, so that no two pieces share a file
    and each can be removed with its row, whatever others send meanwhile.
    """

    __tablename__ = "upload_pieces"

    upload_id: Mapped[str] = mapped_column(ForeignKey("uploads.id"), primary_key=True)
    start: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    bytes: Mapped[int]
    sha256: Mapped[str]
