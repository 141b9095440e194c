"""What organizers tell everybody, and who has accepted the rules."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import new_id
from podium.core.models.base import Base, Id


class Announcement(Base):
    """A text of the organizers to everybody who sees the competition; `created_by` is empty where
    the service itself speaks. `text` is Markdown."""

    __tablename__ = "announcements"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    title: Mapped[str]
    text: Mapped[str]
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    updated_at: Mapped[datetime]


class RulesAcceptance(Base):
    """Somebody accepted the rules whose text has this SHA-256 (hex of its UTF-8)."""

    __tablename__ = "rules_acceptances"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    sha256: Mapped[str] = mapped_column(primary_key=True)
    accepted_at: Mapped[datetime]
    address: Mapped[str | None]
