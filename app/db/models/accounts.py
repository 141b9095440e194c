"""Accounts and their access tokens."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.db.models.base import Base, Id
from app.db.types import new_id


class User(Base):
    """A person. `name_key` is the name as it is compared (NFKC, case-folded)."""

    __tablename__ = "users"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    is_administrator: Mapped[bool] = mapped_column(default=False)
    is_organizer: Mapped[bool] = mapped_column(default=False)
    disabled_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class AccessToken(Base):
    """A bearer token; only the SHA-256 (hex) of its 256 random bits is kept."""

    __tablename__ = "access_tokens"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    label: Mapped[str]
    sha256: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]

    user: Mapped[User] = relationship()
