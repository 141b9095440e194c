"""Rows of any table as dictionaries, for exporting and importing a competition as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, insert, inspect, select, true
from sqlalchemy.orm import Session

from podium.core.database.engine import ReadSession, WriteSession
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
from podium.core.truth_states import TruthState

Row: TypeAlias = dict[str, Any]
"""A row of any table, by its columns."""

ROWS_AT_A_TIME = 1000

OWNERS: dict[str, type[Any]] = {
    "team_id": Team,
    "from_team_id": Team,
    "judging_id": Judging,
    "rejudging_id": Rejudging,
}
"""Columns through which a row belongs to a competition where it does not name it."""

FINISHED: dict[type[Base], ColumnElement[bool]] = {
    QuotaSlot: QuotaSlot.submission_id.is_not(None),
    GroundTruthVersion: GroundTruthVersion.status != TruthState.CHECKING,
}
"""Rows of work that is not under way in some process."""


def one_view(session: ReadSession) -> None:
    """Makes all that follows see one state of the database; called before anything is read."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})


def rows_of(
    session: Session, model: type[Base], columns: Sequence[str], *, within: str, competition_id: str
) -> Iterator[Row]:
    """The rows of a competition by primary key; `within` is the column that makes them its own."""
    own = model.__table__.c[within]
    belongs = own == competition_id
    if within in OWNERS:
        owner = OWNERS[within]
        belongs = own.in_(select(owner.id).where(owner.competition_id == competition_id))
    yield from _rows(session, model, columns, belongs & FINISHED.get(model, true()))


def users_with_ids(session: Session, columns: Sequence[str], ids: Sequence[str]) -> Iterator[Row]:
    """Accounts, by id."""
    for start in range(0, len(ids), ROWS_AT_A_TIME):
        part = User.id.in_(ids[start : start + ROWS_AT_A_TIME])
        yield from _rows(session, User, columns, part)


def submissions_shown(session: Session, *, competition_id: str) -> Iterator[Row]:
    """Every submission with its effective judging and exact public score, oldest first."""
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
    """Exact private scores by judging. For the archive of a revealed competition alone."""
    query = (
        select(PrivateScore.judging_id, PrivateScore.score)
        .join(Judging, Judging.id == PrivateScore.judging_id)
        .where(Judging.competition_id == competition_id)
    )
    return {row.judging_id: row.score for row in session.execute(query)}


def members_by_team(session: Session, *, competition_id: str) -> dict[str, list[str]]:
    """Names of the members of every team, in the order in which they joined."""
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
    """Those of these values that some row of the table has already."""
    own = model.__table__.c[column]
    return set(session.scalars(select(own).where(own.in_(values))))


def user_by_name_key(session: Session, name_key: str) -> User | None:
    """The account with a name that reads like this one."""
    return session.scalar(select(User).where(User.name_key == name_key))


def slug_is_taken(session: Session, slug: str) -> bool:
    """True if there is a competition of this slug."""
    return session.scalar(select(Competition.id).where(Competition.slug == slug)) is not None


def add_rows(session: WriteSession, model: type[Base], rows: Sequence[Row]) -> None:
    """Inserts rows; those of one call may hold different columns."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        alike.setdefault(tuple(row), []).append(row)
    for part in alike.values():
        session.execute(insert(model), part)


def add_submissions(session: WriteSession, rows: Sequence[Row]) -> list[int]:
    """Inserts submissions in this order; answers the sequence that each of them got."""
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
    """True if all versions of the ground truth that the competition and judgings name are there."""
    there = select(GroundTruthVersion.version).where(
        GroundTruthVersion.competition_id == competition_id,
        # With a null among them, SQL's `NOT IN` would not be true of any other version.
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
