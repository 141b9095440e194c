"""JSON bodies read strictly: what two readers could take differently is refused with 400.

Duplicate keys, `NaN`, integers beyond 64 bits, lone surrogates and NUL characters would otherwise
be dropped silently here or fail later in the database.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi import APIRouter, Request, Response

from app.web.transactions import TransactionRoute

MAX_INTEGER_DIGITS = 19

MAX_VALUES = 10_000
"""Values in one body, those of lists and objects included. Checking each one against a schema
keeps everybody else waiting, and no request needs so many."""

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""Characters that no database keeps in a text."""


class StrictRequest(Request):
    """A request whose JSON means the same to everybody."""

    async def json(self) -> Any:
        """The parsed body; raises `json.JSONDecodeError`, which is answered with 400."""
        if not hasattr(self, "_json"):
            self._json = read_strictly(await self.body())
        return self._json


class StrictRoute(TransactionRoute):
    """A route that reads its JSON body with `StrictRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wraps the framework's handler."""
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return handle_strictly


def strict_router(*, tag: str) -> APIRouter:
    """A router whose routes all read JSON strictly."""
    return APIRouter(route_class=StrictRoute, tags=[tag])


def read_strictly(body: bytes) -> Any:
    """Parses UTF-8 JSON. Raises `json.JSONDecodeError` for everything it does not like."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise json.JSONDecodeError("not UTF-8", "", error.start) from None
    try:
        value = json.loads(
            text,
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
            parse_int=_bounded_integer,
        )
        if _checked_values(value) > MAX_VALUES:
            _refuse(f"more than {MAX_VALUES} values")
    except RecursionError:
        _refuse("nested too deeply")
    return value


def _checked_values(value: Any) -> int:
    """Counts values; refuses texts that cannot be kept."""
    if isinstance(value, str) and UNSTORABLE.search(value):
        _refuse("a NUL character or half a surrogate pair")
    if isinstance(value, dict):
        return 1 + sum(_checked_values(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return 1 + sum(_checked_values(member) for member in value)
    return 1


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        _refuse("the same key twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    _refuse(f"{name} is not JSON")


def _bounded_integer(digits: str) -> int:
    if len(digits) > MAX_INTEGER_DIGITS + 1 or abs(int(digits)) >= 2**63:
        _refuse("an integer beyond 64 bits")
    return int(digits)


def _refuse(why: str) -> NoReturn:
    raise json.JSONDecodeError(why, "", 0)
