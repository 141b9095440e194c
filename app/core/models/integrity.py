"""What makes results checkable: keys that sign receipts, and fingerprints of files."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.models.base import Base, Id


class SigningKey(Base):
    """An Ed25519 key pair, both halves as hex. The newest one that is not retired signs; the public
    halves of all others stay, because what they have signed stays valid."""

    __tablename__ = "signing_keys"

    id: Mapped[str] = mapped_column(primary_key=True)
    public_key: Mapped[str]
    private_key: Mapped[str | None]
    """Removed when the key is retired."""
    created_at: Mapped[datetime]
    retired_at: Mapped[datetime | None]


class Fingerprint(Base):
    """What a scored file predicts, in a few thousand bytes: see `scoring.fingerprint`.

    `content` is equal where every list is. Fingerprints of different `scheme` cannot be compared.
    For organizers only.
    """

    __tablename__ = "fingerprints"
    __table_args__ = (Index("ix_fingerprints_competition_content", "competition_id", "content"),)

    submission_id: Mapped[str] = mapped_column(Id, ForeignKey("submissions.id"), primary_key=True)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"))
    scheme: Mapped[str]
    content: Mapped[str]
    sketch: Mapped[bytes] = mapped_column(LargeBinary)
