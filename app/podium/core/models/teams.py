"""Teams, their members, merges, requests to enter, and the tags that teams can have."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, ForeignKey, Index, Text, UniqueConstraint, and_, cast
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import new_id
from podium.core.models.base import Base, Disqualifiable, Id, look_of_new_name


class Team(Disqualifiable, Base):
    """A team of one competition. `tags` holds `organizer`, `baseline` or `hidden`: such teams are
    shown or hidden, never ranked.

    A team that was merged into another one keeps its row, with `merged_into_id`.
    """

    __tablename__ = "teams"
    __table_args__ = (
        UniqueConstraint("competition_id", "name_key"),
        Index("ix_teams_competition_look", "competition_id", "look"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    name: Mapped[str]
    name_key: Mapped[str]
    look: Mapped[str | None] = mapped_column(default=look_of_new_name)
    invite_code: Mapped[str] = mapped_column(unique=True)
    tags: Mapped[list[str]] = mapped_column(default=list)
    created_at: Mapped[datetime]
    merged_into_id: Mapped[str | None] = mapped_column(ForeignKey("teams.id"), index=True)
    merged_at: Mapped[datetime | None]


def counts_as_team() -> ColumnElement[bool]:
    """Builds the condition for a team that counts: one that may hold a rank, by
    `standings.rules.is_ranked`, and was not merged. Baselines, hidden, organizers' and disqualified
    teams are not competitors."""
    return and_(
        Team.merged_into_id.is_(None),
        Team.disqualified_at.is_(None),
        cast(Team.tags, Text) == "[]",
    )


class Membership(Base):
    """One person in one team; at most one team a competition."""

    __tablename__ = "memberships"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"), index=True)
    joined_at: Mapped[datetime]


class MergeRequest(Base):
    """A team's request to be merged into another one (`to_team_id`), which decides about it.

    `status` is `pending`, then `accepted`, `declined`, `withdrawn`, or `void` once one of the two
    was merged otherwise.
    """

    __tablename__ = "merge_requests"
    __table_args__ = (
        Index("ix_merge_requests_from_status", "from_team_id", "status"),
        Index("ix_merge_requests_to_status", "to_team_id", "status"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    from_team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"))
    to_team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"))
    status: Mapped[str]
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))


class JoinRequest(Base):
    """An account's request to enter a competition whose organizers approve each participant.

    `state` is `pending`, then `approved` or `declined`; either can become the other later.
    """

    __tablename__ = "join_requests"
    __table_args__ = (UniqueConstraint("competition_id", "user_id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    note: Mapped[str] = mapped_column(default="")
    state: Mapped[str]
    reason: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))


ORGANIZER, BASELINE, HIDDEN = "organizer", "baseline", "hidden"
