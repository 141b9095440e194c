"""Dependencies of endpoints that need no caller: the collaborators, and a request's address."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from podium.application import Application
from podium.http.streaming.strict_json import Look
from podium.http.transactions import get_application

App = Annotated[Application, Depends(get_application)]


def client_address(request: Request) -> str | None:
    """Reads the client's address, which the server does not always know."""
    return request.client.host if request.client else None


Address = Annotated[str | None, Depends(client_address)]
"""The client's address; behind a trusted proxy, the one that the proxy reports."""


async def knows_caller(request: Request) -> bool:
    """True if a known user sends the request, by the function that `create_app` has set: forms
    belong to no subject and cannot read accounts. Raises what that function raises."""
    look: Look = request.app.state.knows_caller
    return await look(request)
