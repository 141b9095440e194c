"""Custom metrics: code that an organizer has written, in numbered, immutable versions."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import JsonObject, new_id
from podium.core.models.base import Base, Id


class MetricVersion(Base):
    """One immutable version of a competition's custom metric: numbered from 1 within its
    competition.

    `status` is `checking` until a child has loaded the file and run its doctests, then `stored` or
    `rejected` (`problem` has the reason). `sha256` is that of the uploaded file, which is stored
    unchanged; `checked` holds the results of the check.
    """

    __tablename__ = "metric_versions"
    __table_args__ = (UniqueConstraint("competition_id", "version"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    version: Mapped[int | None]
    status: Mapped[str]
    file_name: Mapped[str]
    sha256: Mapped[str]
    bytes: Mapped[int]
    note: Mapped[str] = mapped_column(default="")
    checked: Mapped[JsonObject | None]
    problem: Mapped[JsonObject | None]
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))
