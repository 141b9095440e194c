"""Maps the usual column names of interactions to their roles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_Names = Mapping[str, frozenset[str]]

_FIRST: _Names = {
    "user": frozenset(
        [
            *("user", "userid", "uid", "session", "sessionid", "customer", "customerid"),
            *("visitorid", "reviewerid"),
        ]
    ),
    "item": frozenset(
        [
            *("item", "itemid", "iid", "movie", "movieid", "aid", "article", "articleid"),
            *("product", "productid", "asin", "parentasin", "book", "bookid", "isbn"),
            *("track", "trackid", "song", "songid"),
        ]
    ),
    "rating": frozenset(["rating", "score", "stars", "overall"]),
    "timestamp": frozenset(["timestamp", "time", "ts", "date", "datetime", "unixreviewtime"]),
    "type": frozenset(["type", "event", "eventtype"]),
}
"""Column names, in lower case without other characters, that are recognized for a role."""

_SECOND: _Names = {
    "user": frozenset(["listenerid", "playerid", "steamid"]),
    "item": frozenset(
        [
            *("artist", "artistid", "business", "businessid", "video", "videoid", "stockcode"),
            *("recipe", "recipeid", "beerid", "anime", "animeid", "gameid", "newsid", "venueid"),
        ]
    ),
    "timestamp": frozenset(["eventtime", "invoicedate", "tdat", "unixtime"]),
}
"""Column names that are used where none of the first is there: both kinds may be in one file."""

_RECBOLE = re.compile(r":(token|float)(_seq)?$")


def fitting(names: Sequence[str], role: str) -> list[str]:
    """Finds the columns whose names are known for a role; more than one means that the user must
    choose."""
    for known in (_FIRST, _SECOND):
        found = [name for name in names if plain(name) in known.get(role, ())]
        # Variants of a product share their parent.
        if "parentasin" in map(plain, found):
            found = [name for name in found if plain(name) != "asin"]
        if found:
            return found
    return []


def is_known(name: str) -> bool:
    """True for a name that is known for any role."""
    return any(plain(name) in names for known in (_FIRST, _SECOND) for names in known.values())


def plain(name: str) -> str:
    """Normalizes a name: lower case, letters and digits only, without the type that RecBole
    adds."""
    return re.sub(r"[^a-z0-9]", "", _RECBOLE.sub("", name.strip()).lower())
