"""The removal of competitions: the rows that belong to one, and the order of their removal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from graphlib import TopologicalSorter
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    CursorResult,
    Table,
    delete,
    exists,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession, lock_name
from podium.core.database.prechecks import Precheck
from podium.core.models import Base, Competition, Submission, Upload

COMPETITIONS = Base.metadata.tables[Competition.__tablename__]

_Reference = tuple[Column[Any], Column[Any]]
"""A column, and the one of another row that it names."""


def _references() -> Iterator[_Reference]:
    tables = Base.metadata.tables
    for table in tables.values():
        for key in table.foreign_keys:
            yield key.parent, key.column
    # The only one without a foreign key that leads to a row of its own.
    yield (
        tables[Upload.__tablename__].c.submission_id,
        tables[Submission.__tablename__].c.id,
    )


def _owned() -> dict[Table, list[_Reference]]:
    """Finds the tables with rows of a competition, each with its references to other such rows."""
    references, known = list(_references()), {COMPETITIONS}
    while more := {column.table for column, named in references if named.table in known} - known:
        known |= more
    return {
        table: [each for each in references if each[0].table is table and each[1].table in known]
        for table in known
    }


_OWNED = _owned()


def _children_first() -> Iterable[Table]:
    children: dict[Table, set[Table]] = {table: set() for table in _OWNED}
    for table, references in _OWNED.items():
        for _, named in references:
            children[named.table] |= {table} - {named.table}
    return TopologicalSorter(children).static_order()


TABLES = tuple(_children_first())
"""All tables with rows of a competition, each before those that it refers to: that of competitions
is the last one. A new table is among them by its foreign keys."""


IS_MARKED = Precheck(exists().where(Competition.deleted_at.is_not(None)))


def marked(session: Session) -> Sequence[str]:
    """Lists the ids of the competitions whose rows are to be removed, in the order of their
    deletion."""
    query = select(Competition.id).where(Competition.deleted_at.is_not(None))
    return session.scalars(query.order_by(Competition.deleted_at, Competition.id)).all()


def remove_portion(session: WriteSession, table: Table, *, competition_id: str, limit: int) -> bool:
    """Removes up to `limit` rows of a competition from a table; true if more may be left.
    Concurrent calls are serialized."""
    lock_name(session, f"deletion {competition_id}")
    key = tuple_(*table.primary_key)
    some = select(*table.primary_key).where(_belongs(table, competition_id)).limit(limit)
    return _remove(session, table, key.in_(some.correlate(None)), competition_id) == limit


def last_locked(session: WriteSession, *, competition_id: str) -> Competition | None:
    """Locks a competition that is being deleted: no row can refer to it any more, and rows that
    were inserted meanwhile are visible."""
    lock_name(session, f"deletion {competition_id}")
    query = select(Competition).where(Competition.id == competition_id).with_for_update()
    return session.scalar(query)


def remove_all(session: WriteSession, *, competition_id: str) -> None:
    """Removes a competition with every row that belongs to it. Files that only it uses are removed
    by the worker, like all without a row."""
    for table in TABLES:
        _remove(session, table, _belongs(table, competition_id), competition_id)


def _remove(
    session: WriteSession, table: Table, wanted: ColumnElement[bool], competition_id: str
) -> int:
    for column, named in _OWNED[table]:
        if named.table is table:
            # Two that refer to each other may be of different portions.
            chained = column.is_not(None) & _belongs(table, competition_id)
            session.execute(update(table).where(chained).values({column: None}))
    done = session.execute(delete(table).where(wanted))
    assert isinstance(done, CursorResult)
    return done.rowcount


def _belongs(table: Table, competition_id: str) -> ColumnElement[bool]:
    if table is COMPETITIONS:
        return COMPETITIONS.c.id == competition_id
    found = [each for each in _OWNED[table] if each[1].table is not table]
    for column, named in found:
        if named.table is COMPETITIONS and not column.nullable:
            return column == competition_id
    return or_(*(_names(column, named, competition_id) for column, named in found))


def _names(column: Column[Any], named: Column[Any], competition_id: str) -> ColumnElement[bool]:
    if named.table is COMPETITIONS:
        return column == competition_id
    owners = select(named).where(_belongs(named.table, competition_id))
    return column.in_(owners.correlate(None))
