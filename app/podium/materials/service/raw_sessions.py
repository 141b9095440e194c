"""Raw sessions as an organizer's upload: the sandbox makes of them hidden labels and what
participants get. Here is what may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.preparation.clickstreams import ID_KINDS, TIME_UNITS, Columns, columns_in

MAX_DAYS = 3650


@dataclass(frozen=True, slots=True)
class SessionRecipe:
    """The rules by which raw sessions are prepared: the `days` of the test set, and the columns of
    a clickstream; None for sessions in OTTO's form."""

    days: float
    columns: Columns | None

    def stored(self) -> dict[str, Any]:
        """The rules as a version keeps them: the columns as a list, in their order."""
        columns = None if self.columns is None else list(astuple(self.columns))
        return {"days": self.days, "columns": columns}

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> SessionRecipe:
        """Inverse of `stored`."""
        columns = stored["columns"]
        return cls(stored["days"], None if columns is None else Columns(*columns))


def recipe_of(*, days: float, columns: str | None, time_unit: str, ids: str) -> SessionRecipe:
    """The rules of preparation that a request names.

    `columns` names those of a clickstream: user, item, time and perhaps type; `ids` says what users
    and items are. Raises `InvalidInput` (`bad-preparation`).
    """
    if not 0 < days <= MAX_DAYS:
        raise _bad(f"days is above 0 and at most {MAX_DAYS}.")
    if columns is None:
        return SessionRecipe(days, None)
    if (named := columns_in(columns)) is None:
        raise _bad("columns names three or four columns, such as user,item,timestamp,type.")
    for name, value, known in (("time_unit", time_unit, TIME_UNITS), ("ids", ids, ID_KINDS)):
        if value not in known:
            raise _bad(f"{name} is {' or '.join(known)}.")
    return SessionRecipe(days, Columns(*named, time_unit, text_ids=ids == "text"))


def _bad(detail: str) -> InvalidInput:
    return InvalidInput(detail, code=ErrorCode.BAD_PREPARATION)
