"""Search words of clients' authors, with the sections and operations that they need."""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """Synonyms of a topic, and where to read about it first."""

    words: tuple[str, ...]
    sections: tuple[str, ...]
    """Titles of sections of the introduction."""
    operations: tuple[str, ...] = ()
    """Ids of the operations to which the topic leads."""


_JUDGED = ("getSubmission", "followSubmission")

_IN_PIECES = ("startUpload", "appendToUpload", "getUpload")

TOPICS = (
    Topic(("poll", "polling", "wait", "progress"), ("Upload",), _JUDGED),
    Topic(("score", "verdict", "result", "status"), ("Upload",), _JUDGED),
    Topic(("paging", "pagination", "page size", "next page", "limit"), ("Lists and pagination",)),
    Topic(("limit", "rate limit", "throttle", "quota"), ("Limits",), ("getOwnTeam",)),
    Topic(("refresh", "cache", "caching", "etag", "conditional"), ("Ask for what is new",)),
    Topic(("cors", "cross-origin", "browser"), ("Authenticate",)),
    Topic(("auth", "bearer", "token", "api key", "login"), ("Authenticate",), ("signIn",)),
    Topic(("resumable", "resume", "tus", "chunk", "offset", "large file"), ("Upload",), _IN_PIECES),
    Topic(("error", "errors", "problem", "validation"), ("Errors",)),
    Topic(("retry", "idempotency", "idempotent", "repeat"), ("Repeat safely", "Limits")),
)
"""Several topics may share a word."""
