"""Raw sessions as an organizer's upload: the sandbox makes of them hidden labels and what
participants get. Here is what may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.preparation.clickstreams import Columns, StreamOptions
from podium.preparation.described import described_options

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
        """Restores the recipe from the document that `stored` returned."""
        columns = stored["columns"]
        return cls(stored["days"], None if columns is None else Columns(*columns))


def recipe_of(*, days: float, **stream: Any) -> SessionRecipe:
    """Returns the rules of preparation that a request names; `stream` are the members of
    `StreamOptions`. Raises `InvalidInput` (`bad-preparation`)."""
    if not 0 < days <= MAX_DAYS:
        raise _bad(f"days is above 0 and at most {MAX_DAYS}.")
    try:
        columns = StreamOptions(**stream).named
    except InvalidInput as wrong:
        raise _bad(wrong.detail) from None
    for each in described_options(StreamOptions) if columns else ():
        if each.choices and stream[each.name] not in each.choices:
            raise _bad(f"{each.name} is {' or '.join(each.choices)}.")
    return SessionRecipe(days, columns)


def _bad(detail: str) -> InvalidInput:
    return InvalidInput(detail, code=ErrorCode.BAD_PREPARATION)
