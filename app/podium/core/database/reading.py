"""Parts of queries that all subjects write alike: batches of ids or rows, counts, and pages of
lists that are sorted by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

Item = TypeVar("Item")
S = TypeVar("S", bound=Select[*tuple[Any, ...]])


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Divides items into lists of this size, of which the last may be shorter."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch


def count_where(
    session: Session, *conditions: ColumnElement[bool] | InstrumentedAttribute[bool]
) -> int:
    """Counts the rows of one table that meet all conditions."""
    return session.scalar(select(func.count()).where(*conditions)) or 0


def oldest_first(query: S, ids: InstrumentedAttribute[str], after: str | None, limit: int) -> S:
    """Limits a query to the rows after an id; None begins with the first."""
    page = query.order_by(ids).limit(limit)
    return page if after is None else page.where(ids > after)


def newest_first(query: S, ids: InstrumentedAttribute[str], before: str | None, limit: int) -> S:
    """Limits a query to the rows before an id, in descending order; None begins with the last."""
    page = query.order_by(ids.desc()).limit(limit)
    return page if before is None else page.where(ids < before)
