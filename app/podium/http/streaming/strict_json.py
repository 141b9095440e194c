"""JSON bodies parsed strictly: what two parsers could read differently is refused with 400.

Duplicate keys, `NaN`, integers beyond 64 bits, lone surrogates and NUL characters would otherwise
be dropped silently here or fail later in the database. No body is read before the sender is known,
where the route wants to know, and none is parsed before its values were counted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, NoReturn, TypeVar

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from pydantic import BaseModel, ValidationError

from podium.http.errors import WrongDocument
from podium.http.middleware.allowances import JSON_BYTES, MAX_JSON_BYTES, take
from podium.http.transactions import TransactionRoute

MAX_INTEGER_DIGITS = 19

MAX_VALUES = 10_000
"""Maximum number of values in one body, including those of lists and objects. Checking each one
against a schema blocks all other requests, and no request needs so many."""

MAX_DEPTH = 100
"""Lists and objects within each other."""

ESCAPED = re.compile(rb"\\.", re.DOTALL)
"""A backslash with the character that it escapes. JSON has none outside of strings."""

STRING = re.compile(rb'"[^"]*+"?')
"""A string without escapes, or the rest where it does not end."""

BRACKETS = re.compile(rb"[][{}]")

Look = Callable[[Request], Awaitable[bool]]
"""Returns true if the request comes from a known user. Raises what the dependency would raise."""

_looks: dict[Callable[..., Any], Look] = {}

_LONG = "takes_long_json"

E = TypeVar("E", bound=Callable[..., Any])

D = TypeVar("D", bound=BaseModel)

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""Characters that databases cannot store in texts."""


class StrictRequest(Request):
    """A request whose JSON is unambiguous."""

    async def json(self) -> Any:  # noqa: ANN401 - JSON can be anything
        """Parses the body; raises `json.JSONDecodeError`, which is answered with 400."""
        if not hasattr(self, "_json"):
            self._json = read_strictly(await self.body())
        return self._json


class StrictRoute(TransactionRoute):
    """A route that reads its JSON body with `StrictRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wraps the framework's handler, which would read the body before any other check."""
        handle = super().get_route_handler()
        looks = list(_looks_of(self.dependant)) if self.body_field else []
        most_bytes = MAX_JSON_BYTES if hasattr(self.endpoint, _LONG) else JSON_BYTES

        async def handle_strictly(request: Request) -> Response:
            for look in looks:
                if await look(request):
                    take(request.scope, most_bytes)
            return await handle(StrictRequest(request.scope, request.receive))

        return handle_strictly


def looked_at_first(dependency: Callable[..., Any], look: Look) -> None:
    """Registers `look` to be called before the body is read, on all routes that have this
    dependency."""
    _looks[dependency] = look


def takes_long_json(endpoint: E) -> E:
    """Marks an endpoint that accepts settings or long texts."""
    setattr(endpoint, _LONG, True)
    return endpoint


def _looks_of(dependant: Dependant) -> Iterator[Look]:
    for each in dependant.dependencies:
        if each.call in _looks:
            # Its own dependencies are a part of that look.
            yield _looks[each.call]
        else:
            yield from _looks_of(each)


def strict_router(*, tag: str) -> APIRouter:
    """Creates a router whose routes all parse JSON strictly."""
    return APIRouter(route_class=StrictRoute, tags=[tag])


def read_strictly(body: bytes) -> Any:  # noqa: ANN401 - JSON can be anything
    """Parses UTF-8 JSON. Raises `json.JSONDecodeError` for everything that is not strict."""
    _refuse_much(body)
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


def document_in(body: bytes, kind: type[D]) -> D:
    """Parses and validates the body of a route that reads it itself. Raises `json.JSONDecodeError`
    and `WrongDocument`."""
    try:
        return kind.model_validate(read_strictly(body))
    except ValidationError as error:
        raise WrongDocument(error, kind) from None


def _refuse_much(body: bytes) -> None:
    """Refuses too many values before they are parsed: counting costs a hundredth of parsing."""
    # Every string begins with an unescaped quote, and has at most one more of those.
    if body.count(b'"') - body.count(b'\\"') > 2 * MAX_VALUES:
        _refuse(f"more than {MAX_VALUES} values")
    bare = STRING.sub(b"", ESCAPED.sub(b"", body))
    # Each value but the first follows one of these; a pair has two.
    if sum(map(bare.count, (b",", b":", b"[", b"{"))) > 2 * MAX_VALUES:
        _refuse(f"more than {MAX_VALUES} values")
    depth = 0
    for found in BRACKETS.finditer(bare):
        depth += 1 if found[0] in b"[{" else -1
        if depth > MAX_DEPTH:
            _refuse("nested too deeply")


def _checked_values(value: object) -> int:
    """Counts values; refuses texts that cannot be stored."""
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
