"""SQL of archives: rows of any table as dictionaries, to export and import a whole competition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, insert, inspect, select, true
from sqlalchemy.orm import Session

from podium.core.database.engine import ReadSession, WriteSession
from podium.core.database.reading import batches
from podium.core.models import (
    Competition,
    GroundTruthVersion,
    Judging,
    Membership,
    PrivateScore,
    PublicScore,
    QuotaSlot,
    Rejudging,
    Submission,
    Team,
    User,
)
from podium.core.models.base import Base
from podium.core.versions import VersionState

Row: TypeAlias = dict[str, Any]
"""A row of any table, by column name."""

ROWS_AT_A_TIME = 1000

OWNERS: dict[str, type[Any]] = {
    "team_id": Team,
    "from_team_id": Team,
    "judging_id": Judging,
    "rejudging_id": Rejudging,
}
"""Columns that lead to a row's competition in tables without a `competition_id`."""

FINISHED: dict[type[Base], ColumnElement[bool]] = {
    QuotaSlot: QuotaSlot.submission_id.is_not(None),
    GroundTruthVersion: GroundTruthVersion.status != VersionState.CHECKING,
}
"""Conditions on rows that leave out work still under way in some process."""


def one_view(session: ReadSession) -> None:
    """Makes all later reads of the session see one state of the database; call it before the first
    read."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})


def rows_of(
    session: Session, model: type[Base], columns: Sequence[str], *, within: str, competition_id: str
) -> Iterator[Row]:
    """Yields the rows of a competition by primary key; `within` is the column that leads to the
    competition."""
    own = model.__table__.c[within]
    belongs = own == competition_id
    if within in OWNERS:
        owner = OWNERS[within]
        belongs = own.in_(select(owner.id).where(owner.competition_id == competition_id))
    yield from _rows(session, model, columns, belongs & FINISHED.get(model, true()))


def users_with_ids(session: Session, columns: Sequence[str], ids: Sequence[str]) -> Iterator[Row]:
    """Yields the accounts with these ids."""
    for part in batches(ids, ROWS_AT_A_TIME):
        yield from _rows(session, User, columns, User.id.in_(part))


def submissions_shown(session: Session, *, competition_id: str) -> Iterator[Row]:
    """Yields every submission with its effective judging and exact public score, oldest first."""
    query = (
        select(
            Submission.id,
            Submission.team_id,
            Team.name.label("team_name"),
            Submission.filename,
            Submission.note,
            Submission.bytes,
            Submission.sha256,
            Submission.submitted_at,
            Submission.is_late,
            Submission.is_selected,
            Submission.disqualified_at,
            Submission.disqualified_because,
            Judging.id.label("judging_id"),
            Judging.state,
            Judging.judged_at,
            Judging.ground_truth_version,
            Judging.scorer_version,
            PublicScore.score,
        )
        .join(Team, Team.id == Submission.team_id)
        .join(Judging, Judging.id == Submission.judging_id)
        .outerjoin(PublicScore, PublicScore.judging_id == Judging.id)
        .where(Submission.competition_id == competition_id)
        .order_by(Submission.sequence)
    )
    for row in session.execute(query, execution_options={"yield_per": ROWS_AT_A_TIME}):
        yield dict(row._mapping)


def private_scores(session: Session, *, competition_id: str) -> dict[str, Fraction]:
    """Returns exact private scores by judging. Only for archives of revealed competitions."""
    query = (
        select(PrivateScore.judging_id, PrivateScore.score)
        .join(Judging, Judging.id == PrivateScore.judging_id)
        .where(Judging.competition_id == competition_id)
    )
    return {row.judging_id: row.score for row in session.execute(query)}


def members_by_team(session: Session, *, competition_id: str) -> dict[str, list[str]]:
    """Returns the names of every team's members, in the order in which they joined."""
    query = (
        select(Membership.team_id, User.name)
        .join(User, User.id == Membership.user_id)
        .where(Membership.competition_id == competition_id)
        .order_by(Membership.joined_at, User.id)
    )
    found: dict[str, list[str]] = {}
    for team_id, name in session.execute(query):
        found.setdefault(team_id, []).append(name)
    return found


def taken(session: Session, model: type[Base], column: str, values: Sequence[str]) -> set[str]:
    """Returns those of the values that some row of the table already has."""
    own = model.__table__.c[column]
    return set(session.scalars(select(own).where(own.in_(values))))


def user_by_name_key(session: Session, name_key: str) -> User | None:
    """Returns the account whose name has this key; keys are equal where names look the same."""
    return session.scalar(select(User).where(User.name_key == name_key))


def slug_is_taken(session: Session, slug: str) -> bool:
    """True if a competition has this slug."""
    return session.scalar(select(Competition.id).where(Competition.slug == slug)) is not None


def add_rows(session: WriteSession, model: type[Base], rows: Sequence[Row]) -> None:
    """Inserts rows; rows of one call may have different columns."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        alike.setdefault(tuple(row), []).append(row)
    for part in alike.values():
        session.execute(insert(model), part)


def add_submissions(session: WriteSession, rows: Sequence[Row]) -> list[int]:
    """Inserts submissions in this order; returns the new sequence of each."""
    statement = insert(Submission).returning(Submission.sequence, sort_by_parameter_order=True)
    return list(session.scalars(statement, rows))


def _rows(
    session: Session, model: type[Base], columns: Sequence[str], belongs: ColumnElement[bool]
) -> Iterator[Row]:
    key = inspect(model).primary_key
    chosen = [model.__table__.c[name] for name in columns]
    query = select(*chosen).where(belongs).order_by(*key)
    for row in session.execute(query, execution_options={"yield_per": ROWS_AT_A_TIME}):
        yield dict(row._mapping)


def versions_are_there(session: Session, *, competition_id: str) -> bool:
    """True if every version of the ground truth that the competition or a judging names is
    stored."""
    there = select(GroundTruthVersion.version).where(
        GroundTruthVersion.competition_id == competition_id,
        # A null among the values would make SQL's `NOT IN` true of no version.
        GroundTruthVersion.version.is_not(None),
    )
    missing = (
        select(Judging.id)
        .where(Judging.competition_id == competition_id, Judging.ground_truth_version.not_in(there))
        .limit(1)
    )
    active = session.get_one(Competition, competition_id).active_ground_truth
    known = set(session.scalars(there))
    return (active is None or active in known) and session.scalar(missing) is None
