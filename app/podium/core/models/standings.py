"""Stored standings: what a board shows, changed in the transaction that records a verdict."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.models.base import Base, Id


class Standing(Base):
    """A team's stored place on one board.

    `board` is `public` (rewritten with every verdict) or `private` (written once, by `reveal`).
    `shown` is the rounded score that boards show, as an integer count of the last decimal;
    `position` is the rank on the private board, which exact scores decide, and empty on the public
    one, whose order is (`shown` descending, `submitted_at`, `sequence`).
    """

    __tablename__ = "standings"
    __table_args__ = (
        Index("ix_standings_order", "competition_id", "board", "shown", "submitted_at", "sequence"),
    )

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    board: Mapped[str] = mapped_column(primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"), primary_key=True, index=True)
    is_ranked: Mapped[bool] = mapped_column(default=True)
    shown: Mapped[int]
    decimals: Mapped[int]
    position: Mapped[int | None]
    submission_id: Mapped[str] = mapped_column(Id)
    submitted_at: Mapped[datetime]
    sequence: Mapped[int]
    submissions: Mapped[int]
    """Submissions of the team that count: scored ones, on the public board before a freeze."""
    last_submitted_at: Mapped[datetime]
    standard_error: Mapped[float | None]
    """The standard error of the score; empty before the reveal."""
    is_tied: Mapped[bool | None]
    """True if the difference to the first score may be due to chance; empty until that was
    computed, which is after the reveal, and for teams that hold no rank."""
