"""The cookie that identifies a browser's session: its name, and how it is set and deleted."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

from fastapi import Request, Response

NAME = "podium_session"

LIFETIME = timedelta(days=60)
"""The cookie's maximum age; sessions expire by rules of their own."""


def cookie_name(request: Request) -> str:
    """Chooses the cookie's name; with HTTPS, its prefix ensures that neither a subdomain nor plain
    HTTP can set it."""
    return f"__Host-{NAME}" if is_secure(request) else NAME


def session_cookie(request: Request) -> str | None:
    """Reads the session cookie of the request; None without one."""
    return request.cookies.get(cookie_name(request))


def set_session_cookie(request: Request, response: Response, text: str) -> None:
    """Sets the cookie for every request to this host, hidden from scripts."""
    response.set_cookie(
        cookie_name(request),
        text,
        max_age=int(LIFETIME.total_seconds()),
        path="/",
        secure=is_secure(request),
        httponly=True,
        samesite="lax",
    )


def forget_session_cookie(request: Request, response: Response) -> None:
    """Deletes the cookie in the browser."""
    response.delete_cookie(
        cookie_name(request), path="/", secure=is_secure(request), httponly=True, samesite="lax"
    )


def is_secure(request: Request) -> bool:
    """True if the browser uses HTTPS, also where a proxy that is not configured terminates it for
    us."""
    if request.scope["scheme"] == "https":
        return True
    base_url: str = request.app.state.application.settings.base_url
    base = urlsplit(base_url)
    host = request.headers.get("host", "").lower()
    return base.scheme == "https" and host == base.netloc.lower()
