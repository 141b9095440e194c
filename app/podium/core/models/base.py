"""The declarative base: naming convention and the Python types of columns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from sqlalchemy import BigInteger, MetaData, String, Text
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from podium.core.database.types import STORED_JSON, ExactNumber, JsonObject, UtcDateTime, new_id
from podium.core.names import look_of


class Base(DeclarativeBase):
    """Names every constraint, so that migrations can change it on both databases."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's own spelling
        datetime: UtcDateTime,
        Fraction: ExactNumber,
        JsonObject: STORED_JSON,
        list[str]: STORED_JSON,
        int: BigInteger,
        str: Text,
    }


def look_of_new_name(context: DefaultExecutionContext) -> str:
    """Computes the default of a column `look`: the look-alike key of the `name` of a new row."""
    given: JsonObject = context.get_current_parameters()  # type: ignore[no-untyped-call]
    return look_of(given["name"])


@dataclass(frozen=True, slots=True)
class DisqualificationRecord:
    """The moment of a disqualification, and its reason."""

    at: datetime
    reason: str


class Disqualifiable:
    """Columns of rows that organizers can disqualify."""

    disqualified_at: Mapped[datetime | None]
    disqualified_because: Mapped[str | None]

    @property
    def disqualified(self) -> DisqualificationRecord | None:
        """The disqualification that is in force, or None."""
        if self.disqualified_at is None:
            return None
        return DisqualificationRecord(self.disqualified_at, self.disqualified_because or "")


Id = String(36)
"""Type of every identifier column: a UUIDv7 as text."""


class Leased:
    """Columns of work that one worker at a time runs, until it has ended.

    `state` is one of `core.leases.WorkState`. The lease (`worker_id`, `lease_until` by the
    database's clock) names its worker; `fence` grows with every lease, and an end counts only with
    the current one, so that a worker that was declared dead changes nothing. `worker_deaths` and
    `own_failures` are ours, and never count against the file.
    """

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    state: Mapped[str]
    priority: Mapped[int]
    dispatches: Mapped[int] = mapped_column(default=0)
    """Number of dispatches to the engine: part of the engine's own job name."""
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    worker_id: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    fence: Mapped[int] = mapped_column(default=0)
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    worker_deaths: Mapped[int] = mapped_column(default=0)
    own_failures: Mapped[int] = mapped_column(default=0)
    progress: Mapped[float] = mapped_column(default=0.0)
    request_id: Mapped[str | None]
    """The id of the request that first asked for it, for logs and traces; None where a periodic
    round did."""
    traceparent: Mapped[str | None] = mapped_column(String(64))
    """The span of that request as W3C Trace Context; None without traces."""
