"""Lets pages be clients of our own API: the way to the routes from within a request.

Pure ASGI. It is the innermost of our layers, so that a call from within meets routes and error
handlers, and neither the other middleware nor the response cache a second time.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

ROUTES = "podium.routes"
"""The key of the scope under which the routes are found."""


class InnerCalls:
    """Stores the inner application in the scope of every request."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stores the routes in the scope, for calls from pages, and passes the request on."""
        scope[ROUTES] = self.app
        await self.app(scope, receive, send)
