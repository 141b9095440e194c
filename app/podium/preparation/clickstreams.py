"""Describes a clickstream: the names of its columns, the unit of its times, the kind of its ids. No
frames."""

from __future__ import annotations

import re
from dataclasses import dataclass

TIME_UNITS = ("ms", "s", "iso")
ID_KINDS = ("number", "text")

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


def columns_in(text: str) -> tuple[str, str, str, str | None] | None:
    """Parses comma-separated column names of user, item, time and optionally type; None unless
    these are three or four different names."""
    names = [name.strip() for name in text.split(",")]
    if len(names) not in (3, 4) or "" in names or len(set(names)) < len(names):
        return None
    user, item, time = names[:3]
    return user, item, time, names[3] if len(names) == 4 else None
