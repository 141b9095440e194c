"""The description of a clickstream: the names of its columns, its times, its ids. No frames."""

from __future__ import annotations

TIME_UNITS = ("ms", "s", "iso")
ID_KINDS = ("number", "text")


def columns_in(text: str) -> tuple[str, str, str, str | None] | None:
    """The columns of user, item, time and perhaps type, which are named with commas between; None
    where these are not three or four different names."""
    names = [name.strip() for name in text.split(",")]
    if len(names) not in (3, 4) or "" in names or len(set(names)) < len(names):
        return None
    user, item, time = names[:3]
    return user, item, time, names[3] if len(names) == 4 else None
