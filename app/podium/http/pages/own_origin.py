"""Accepts forms from pages of this installation only."""

from __future__ import annotations

from fastapi import Request

from podium.http.cookies import session_cookie
from podium.http.deps import App
from podium.http.origins import READING, refuse_foreign_origin, require_own_origin


def refuse_foreign_forms(request: Request, app: App) -> None:
    """Raises `NotAllowed` (`foreign-origin`) for a form that another site made the browser send,
    whether the visitor is signed in or about to be. A client that sends neither cookie nor origin
    is not a browser."""
    if request.method in READING:
        return
    if session_cookie(request) is None:
        refuse_foreign_origin(request, base_url=app.settings.base_url)
    else:
        require_own_origin(request, base_url=app.settings.base_url)
