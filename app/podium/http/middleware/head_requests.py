"""Answers `HEAD` like `GET`, without the body.

The request is processed as a `GET`, so that routes need not handle it; the processing ends where
the body of the answer would begin.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class _HeadAnswered(Exception):
    """Ends an answer whose body would go on, such as a long file or live events."""


async def answer_head(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers a `HEAD` request with the status and the headers that `GET` would get."""

    async def send_head(message: Message) -> None:
        if message["type"] != "http.response.body":
            await send(message)
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        if message.get("more_body", False):
            raise _HeadAnswered

    try:
        await app({**scope, "method": "GET"}, receive, send_head)
    except _HeadAnswered:
        return
