"""The origin of a browser's request: a page of this installation, or one of another site."""

from __future__ import annotations

from fastapi import Request

from podium.errors import NotAllowed
from podium.errors.codes import ErrorCode
from podium.http.cookies import is_secure

READING = ("GET", "HEAD")
"""Methods that change nothing, so that their origin does not matter."""


def refuse_foreign_origin(request: Request, *, base_url: str) -> None:
    """Raises `NotAllowed` where a page of another site sends the request; clients other than
    browsers send no origin."""
    if "origin" in request.headers and not _is_own_origin(request, base_url):
        raise NotAllowed("Pages of other sites may not follow this.", code=ErrorCode.FOREIGN_ORIGIN)


def require_own_origin(request: Request, *, base_url: str) -> None:
    """Raises `NotAllowed` unless a page of this installation sends the request. A browser sends its
    cookie with any request, and the origin of the page in `Origin`, with every write."""
    if not _is_own_origin(request, base_url):
        raise NotAllowed(
            "Only pages of this installation may do this. Send a token instead of a cookie.",
            code=ErrorCode.FOREIGN_ORIGIN,
        )


def _is_own_origin(request: Request, base_url: str) -> bool:
    # Over plain HTTP an attacker on the way could serve a page of that origin in our name.
    schemes = ("https",) if is_secure(request) else ("http", "https")
    own = {f"{scheme}://{request.headers.get('host', '')}" for scheme in schemes}
    return request.headers.get("origin") in own | ({base_url} - {""})
