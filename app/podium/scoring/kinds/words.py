"""Chooses words for the objects that ids identify."""

from __future__ import annotations

QUERY_WORDS = {
    "session": "sessions",
    "user": "users",
    "customer": "customers",
    "visitor": "visitors",
    "member": "members",
    "playlist": "playlists",
    "basket": "baskets",
    "topic": "topics",
    "query": "queries",
    "impression": "impressions",
}
"""Words for the objects that ids identify, by the start of the column's name."""


def query_words(id_column: str) -> tuple[str, str]:
    """Chooses a competition's own singular and plural words for the objects that its ids identify.

    >>> query_words("session_type"), query_words("customer_id"), query_words("uid")
    (('session', 'sessions'), ('customer', 'customers'), ('id', 'ids'))
    """
    name = id_column.lower()
    for one, many in QUERY_WORDS.items():
        if name.startswith(one):
            return one, many
    return "id", "ids"
