"""The declarative base: naming convention and the Python types of columns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from sqlalchemy import BigInteger, MetaData, String, Text
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.orm import DeclarativeBase, Mapped

from podium.core.database.types import STORED_JSON, ExactNumber, JsonObject, UtcDateTime
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
    """The default of a column `look`: what the `name` of a new row looks like."""
    given: JsonObject = context.get_current_parameters()  # type: ignore[no-untyped-call]
    return look_of(given["name"])


@dataclass(frozen=True, slots=True)
class DisqualificationRecord:
    """Since when something does not count, and why."""

    at: datetime
    reason: str


class Disqualifiable:
    """Columns of what organizers can disqualify."""

    disqualified_at: Mapped[datetime | None]
    disqualified_because: Mapped[str | None]

    @property
    def disqualified(self) -> DisqualificationRecord | None:
        """The disqualification that is in force."""
        if self.disqualified_at is None:
            return None
        return DisqualificationRecord(self.disqualified_at, self.disqualified_because or "")


Id = String(36)
"""Type of every identifier column: a UUIDv7 as text."""
