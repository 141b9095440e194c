"""Dependencies of endpoints that need no caller: the collaborators, and a request's address."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from podium.application import Application
from podium.http.streaming.strict_json import Look
from podium.http.transactions import get_application

App = Annotated[Application, Depends(get_application)]


def _address(request: Request) -> str | None:
    return request.client.host if request.client else None


Address = Annotated[str | None, Depends(_address)]
"""The client's address; behind a trusted proxy, the one that the proxy reports."""


async def knows_caller(request: Request) -> bool:
    """Answers if a known person asks, by the function that `create_app` has set: forms belong to no
    subject and know no accounts. Raises what that function raises."""
    look: Look = request.app.state.knows_caller
    return await look(request)
