"""Teams and who is in them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.db.models.base import Base, Id
from app.db.types import new_id


class Team(Base):
    """A team of one competition. `tags` holds `organizer`, `baseline` or `hidden`: such teams are
    shown or hidden, never ranked."""

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("competition_id", "name_key"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    name: Mapped[str]
    name_key: Mapped[str]
    invite_code: Mapped[str] = mapped_column(unique=True)
    tags: Mapped[list[str]] = mapped_column(default=list)
    created_at: Mapped[datetime]
    disqualified_at: Mapped[datetime | None]
    disqualified_because: Mapped[str | None]


class Membership(Base):
    """One person in one team; at most one team a competition."""

    __tablename__ = "memberships"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"), index=True)
    joined_at: Mapped[datetime]
