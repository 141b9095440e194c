"""Describes a clickstream: the names of its columns, the unit of its times, the kind of its ids. No
frames."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from podium.errors import InvalidInput
from podium.preparation.described import About

TYPE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.-]{0,31}")
"""The pattern of event types, which become the names of objectives."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The column names of a clickstream, the unit of its times, and whether users and items are
    texts. Without a column of types, all events are clicks."""

    user: str = "user"
    item: str = "item"
    time: str = "timestamp"
    type: str | None = None
    unit: str = "ms"
    text_ids: bool = False

    @property
    def wanted(self) -> dict[str, str]:
        """Maps the file's column names to those of events: session, aid, ts, type."""
        named = {self.user: "session", self.item: "aid", self.time: "ts"}
        return named if self.type is None else named | {self.type: "type"}


@dataclass(frozen=True)
class StreamOptions:
    """Options of clickstreams: the names of columns, with commas between, their times and ids."""

    columns: Annotated[
        str | None,
        About(
            "The files are clickstreams, one event a row: the names of the columns of user, item,"
            " time and, if there is one, type, such as user,item,timestamp,type. Without types all"
            " events are clicks."
        ),
    ] = None
    time_unit: Annotated[
        Literal["ms", "s", "iso"],
        About("Of clickstreams: times in milliseconds or seconds since 1970, or as dates."),
    ] = "ms"
    ids: Annotated[
        Literal["number", "text"],
        About("Of clickstreams: what users and items are. Texts are given numbers."),
    ] = "number"

    @property
    def named(self) -> Columns | None:
        """Returns the columns; None for files in OTTO's form. Raises `InvalidInput`."""
        if self.columns is None:
            return None
        names = [name.strip() for name in self.columns.split(",")]
        if len(names) not in (3, 4) or "" in names or len(set(names)) < len(names):
            raise InvalidInput(
                "columns names three or four columns, such as user,item,timestamp,type."
            )
        user, item, time = names[:3]
        type_ = names[3] if len(names) == 4 else None
        return Columns(user, item, time, type_, self.time_unit, text_ids=self.ids == "text")
