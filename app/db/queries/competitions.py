"""Questions about competitions, their organizers and files. Nothing here names a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.orm import Session

from podium.db.models import (
    Competition,
    Judging,
    Membership,
    Organizer,
    PublishedIdList,
    QuotaSlot,
    Submission,
    Team,
)
from podium.domain.judging import FINAL_STATES


@dataclass(frozen=True, slots=True)
class Counts:
    """How large a competition is; never anything about labels."""

    sessions: int = 0
    teams: int = 0
    submissions: int = 0


def visible_competitions(
    session: Session,
    *,
    user_id: str | None,
    sees_all: bool,
    organized: bool,
    named: str,
    after_id: str | None,
    limit: int,
) -> Sequence[Competition]:
    """A page of the competitions that somebody may see, or `organized` ones only, newest first;
    `named` leaves those that have this in their title or slug, in capitals or not."""
    query = select(Competition).order_by(Competition.id.desc()).limit(limit)
    if not sees_all:
        query = query.where(_organized_by(user_id) if organized else _visible_to(user_id))
    if named:
        # SQLite knows capitals of ASCII only; whoever types others exactly finds them all the same.
        texts = Competition.title + " " + Competition.slug
        lowered = func.lower(texts).contains(named.lower(), autoescape=True)
        query = query.where(or_(lowered, texts.contains(named, autoescape=True)))
    if after_id is not None:
        query = query.where(Competition.id < after_id)
    return session.scalars(query).all()


def _visible_to(user_id: str | None) -> ColumnElement[bool]:
    launched = Competition.launched_at.is_not(None)
    anyone = and_(launched, Competition.visibility == "public")
    if user_id is None:
        return anyone
    is_member = exists().where(
        Membership.competition_id == Competition.id, Membership.user_id == user_id
    )
    return or_(anyone, _organized_by(user_id), and_(launched, is_member))


def _organized_by(user_id: str | None) -> ColumnElement[bool]:
    return exists().where(Organizer.competition_id == Competition.id, Organizer.user_id == user_id)


def counts_of(session: Session, competition_ids: Sequence[str]) -> dict[str, Counts]:
    """Counts of several competitions by their ids, in three queries."""
    sessions = session.execute(
        select(PublishedIdList.competition_id, PublishedIdList.sessions).where(
            PublishedIdList.competition_id.in_(competition_ids)
        )
    )
    found = {name: dict[str, int]() for name in ("sessions", "teams", "submissions")}
    found["sessions"] = {row[0]: row[1] for row in sessions}
    for name, table in (("teams", Team), ("submissions", Submission)):
        column = table.competition_id
        query = select(column, func.count()).where(column.in_(competition_ids)).group_by(column)
        if table is Team:
            query = query.where(Team.merged_into_id.is_(None))
        else:
            query = query.where(Submission.is_late.is_(False))
        rows = session.execute(query)
        found[name] = {row[0]: row[1] for row in rows}
    return {
        id_: Counts(**{name: values.get(id_, 0) for name, values in found.items()})
        for id_ in competition_ids
    }


def unjudged_submissions(session: Session, competition_id: str) -> int:
    """How many submissions that were in time have no final judging yet."""
    query = (
        select(func.count())
        .select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Submission.competition_id == competition_id,
            Submission.is_late.is_(False),
            Judging.state.not_in(FINAL_STATES),
        )
    )
    return session.scalar(query) or 0


def uploads_under_way(session: Session, competition_id: str, *, now: datetime) -> int:
    """How many quota slots belong to uploads in time that have not ended and are still alive."""
    query = (
        select(func.count())
        .select_from(QuotaSlot)
        .join(Team, Team.id == QuotaSlot.team_id)
        .where(
            Team.competition_id == competition_id,
            QuotaSlot.submission_id.is_(None),
            QuotaSlot.is_late.is_(False),
            QuotaSlot.lapses_at > now,
        )
    )
    return session.scalar(query) or 0
