"""Words for the things that ids stand for."""

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
"""Words for the things that ids stand for, by how columns of ids begin."""


def query_words(id_column: str) -> tuple[str, str]:
    """A competition's own word for one of the things that its ids stand for, and for several.

    >>> query_words("session_type"), query_words("customer_id"), query_words("uid")
    (('session', 'sessions'), ('customer', 'customers'), ('id', 'ids'))
    """
    name = id_column.lower()
    for one, many in QUERY_WORDS.items():
        if name.startswith(one):
            return one, many
    return "id", "ids"
