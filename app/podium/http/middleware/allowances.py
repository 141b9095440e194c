"""Limits request bodies: no more is read than the request's allowance, whichever route reads it.

Every body begins with the same allowance. Only code that knows the caller raises it, just before
reading, so that a forgotten address, method or route accepts little.
"""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope

STRANGERS_BYTES = 16 << 10
"""Maximum bytes of an anonymous body: room for a name and a password in any alphabet."""

JSON_BYTES = 64 << 10
"""Maximum bytes of the JSON of a known user."""

MAX_JSON_BYTES = 1 << 20
"""Maximum bytes of settings, long texts and forms of a known user: of all bodies that are not
files."""

BODY_SECONDS = 30.0
"""Seconds until a body that is not a file must be complete; slower is 408."""

ALLOWANCE = "podium.allowance"
"""The key of the scope under which a request's allowance is found."""


class BodyTooLarge(HTTPException):
    """Raised for a body that exceeds its allowance, or announces to.

    An HTTPException, because the framework turns every other error of a body's reading into 400.
    """

    def __init__(self, most_bytes: int) -> None:
        super().__init__(
            413, f"The request body may have at most {most_bytes} bytes.", {"Connection": "close"}
        )


class BodyTooSlow(HTTPException):
    """Raised for a body, other than a file, that does not arrive in time."""

    def __init__(self) -> None:
        detail = "The request body arrived too slowly. Send it again."
        super().__init__(408, detail, {"Connection": "close"})


@dataclass(slots=True)
class BodyAllowance:
    """The limits of one body in bytes and time; `most_bytes` is None for files, which are counted
    and timed where they are stored."""

    most_bytes: int | None
    due: float


def take_files(scope: MutableMapping[str, Any]) -> None:
    """Lifts the bound of this request's body: for routes that stream a file of a known user, and
    count it themselves."""
    allowance: BodyAllowance | None = scope.get(ALLOWANCE)
    if allowance is not None:
        allowance.most_bytes = None


def take(scope: MutableMapping[str, Any], most_bytes: int) -> None:
    """Sets the allowance of this request's body: for routes that know its sender."""
    allowance: BodyAllowance | None = scope.get(ALLOWANCE)
    if allowance is not None and allowance.most_bytes is not None:
        allowance.most_bytes = most_bytes


def bounded(scope: Scope, receive: Receive) -> Receive:
    """Wraps `receive` to enforce the allowance, which it stores in the scope."""
    due = asyncio.get_running_loop().time() + BODY_SECONDS
    scope[ALLOWANCE] = allowance = BodyAllowance(STRANGERS_BYTES, due)
    if scope["method"] in ("GET", "HEAD"):
        return _unwanted(allowance, receive)
    announced, taken, is_complete = _announced(scope), 0, False

    async def receive_counted() -> Message:
        nonlocal taken, is_complete
        if is_complete or allowance.most_bytes is None:
            return await receive()
        # Checked before anything is read: a client that waits for “100 Continue” sends nothing.
        _refuse_more(allowance, announced)
        try:
            async with asyncio.timeout_at(allowance.due):
                message = await receive()
        except TimeoutError:
            raise BodyTooSlow() from None
        is_complete = not message.get("more_body", False)
        taken += len(message.get("body", b""))
        _refuse_more(allowance, taken)
        return message

    return receive_counted


def _refuse_more(allowance: BodyAllowance, size: int) -> None:
    if allowance.most_bytes is not None and size > allowance.most_bytes:
        raise BodyTooLarge(allowance.most_bytes)


def _unwanted(allowance: BodyAllowance, receive: Receive) -> Receive:
    """Wraps `receive` for methods without a body. Long answers listen for the end of the
    connection, and so would read all data that a client sends meanwhile; one that sends much counts
    as disconnected."""
    taken = 0

    async def receive_little() -> Message:
        nonlocal taken
        if taken > (allowance.most_bytes or 0):
            return {"type": "http.disconnect"}
        message = await receive()
        taken += len(message.get("body", b""))
        return message

    return receive_little


def _announced(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
