"""Queries of competitions and their announcements. None of them reads a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.database.reading import newest_first
from podium.core.judging_states import FINAL_STATES, RejudgingState, State
from podium.core.leases import UNFINISHED, WorkState
from podium.core.models import (
    Announcement,
    Competition,
    Judging,
    Membership,
    OrganizerRole,
    PublishedIdList,
    QuotaSlot,
    Rejudging,
    RulesAcceptance,
    Run,
    Submission,
    Team,
    User,
)
from podium.core.models.teams import counts_as_team


@dataclass(frozen=True, slots=True)
class CompetitionCounts:
    """The size of a competition; never anything about labels."""

    sessions: int = 0
    teams: int = 0
    submissions: int = 0


def has_slug(session: Session, slug: str) -> bool:
    """True if a competition has this slug, also a draft."""
    return session.scalar(select(exists().where(Competition.slug == slug))) is True


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
    """Lists a page of the competitions that a user may see, or `organized` ones only, newest first;
    `named` keeps those whose title or slug contains it, ignoring case."""
    query = select(Competition).where(Competition.deleted_at.is_(None))
    if not sees_all:
        query = query.where(_organized_by(user_id) if organized else _visible_to(user_id))
    if named:
        # SQLite knows capitals of ASCII only; other letters match if they are typed exactly.
        texts = Competition.title + " " + Competition.slug
        lowered = func.lower(texts).contains(named.lower(), autoescape=True)
        query = query.where(or_(lowered, texts.contains(named, autoescape=True)))
    return session.scalars(newest_first(query, Competition.id, after_id, limit)).all()


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
    return exists().where(
        OrganizerRole.competition_id == Competition.id,
        OrganizerRole.user_id == user_id,
    )


def counts_of(session: Session, competition_ids: Sequence[str]) -> dict[str, CompetitionCounts]:
    """Counts the contents of several competitions, by their ids, in three queries."""
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
            query = query.where(counts_as_team())
        else:
            query = query.where(Submission.is_late.is_(False))
        rows = session.execute(query)
        found[name] = {row[0]: row[1] for row in rows}
    return {
        id_: CompetitionCounts(**{name: values.get(id_, 0) for name, values in found.items()})
        for id_ in competition_ids
    }


def private_scores_missing(session: Session, competition_id: str) -> int:
    """Counts the scored submissions that count and whose private score a custom metric failed to
    compute."""
    query = (
        select(func.count())
        .select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Submission.competition_id == competition_id,
            Submission.is_late.is_(False),
            Submission.disqualified_at.is_(None),
            _private_run(WorkState.FAILED),
        )
    )
    return session.scalar(query) or 0


def unjudged_submissions(session: Session, competition_id: str) -> int:
    """Counts the submissions in time that have no final judging yet, or not on both splits."""
    query = (
        select(func.count())
        .select_from(Submission)
        .join(Judging, Judging.id == Submission.judging_id)
        .where(
            Submission.competition_id == competition_id,
            Submission.is_late.is_(False),
            or_(Judging.state.not_in(FINAL_STATES), _private_run(*UNFINISHED)),
        )
    )
    return session.scalar(query) or 0


def _private_run(*states: WorkState) -> ColumnElement[bool]:
    """Builds the condition for a judging whose private run is in one of these states."""
    return exists().where(
        Run.judging_id == Judging.id, Run.is_private.is_(True), Run.state.in_(states)
    )


def has_judgings_to_come(session: Session, competition_id: str, *, are_held: bool) -> bool:
    """True if a submission is being judged, or will be; while judgings are held, queued ones do not
    count."""
    states = [State.RUNNING] if are_held else [State.QUEUED, State.RUNNING]
    found = exists().where(Judging.competition_id == competition_id, Judging.state.in_(states))
    return session.scalar(select(found)) is True


def has_open_rejudging(session: Session, competition_id: str) -> bool:
    """True if a rejudging has neither been applied nor cancelled."""
    found = exists().where(
        Rejudging.competition_id == competition_id, Rejudging.state == RejudgingState.RUNNING
    )
    return session.scalar(select(found)) is True


def uploads_under_way(session: Session, competition_id: str, *, now: datetime) -> int:
    """Counts the quota slots of uploads in time that have not ended and have not lapsed."""
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


def announcements_before(
    session: Session, *, competition_id: str, before_id: str | None, limit: int
) -> Sequence[Announcement]:
    """Lists a page of a competition's announcements, newest first."""
    query = select(Announcement).where(Announcement.competition_id == competition_id)
    return session.scalars(newest_first(query, Announcement.id, before_id, limit)).all()


def announcement_in(
    session: WriteSession, *, competition_id: str, announcement_id: str
) -> Announcement | None:
    """Finds and locks an announcement of this competition."""
    query = select(Announcement).where(
        Announcement.id == announcement_id, Announcement.competition_id == competition_id
    )
    return session.scalar(query.with_for_update())


def insert_acceptance(
    session: WriteSession,
    *,
    competition_id: str,
    user_id: str,
    sha256: str,
    accepted_at: datetime,
    address: str | None,
) -> bool:
    """Stores an acceptance; false when the same one exists, also of a racing request."""
    key = (competition_id, user_id, sha256)
    if session.get(RulesAcceptance, key) is not None:
        return False
    row = RulesAcceptance(
        competition_id=competition_id,
        user_id=user_id,
        sha256=sha256,
        accepted_at=accepted_at,
        address=address,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        return False
    return True


def acceptances_after(
    session: Session,
    *,
    competition_id: str,
    after: tuple[datetime, str, str] | None,
    limit: int,
) -> Sequence[tuple[RulesAcceptance, User]]:
    """Lists a page of acceptances with their people, oldest first; `after` is (time, user id,
    hash)."""
    order = (RulesAcceptance.accepted_at, RulesAcceptance.user_id, RulesAcceptance.sha256)
    query = (
        select(RulesAcceptance, User)
        .join(User, User.id == RulesAcceptance.user_id)
        .where(RulesAcceptance.competition_id == competition_id)
        .order_by(*order)
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(*order) > after)
    return [(row, user) for row, user in session.execute(query)]
