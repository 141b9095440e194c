"""Database sessions of endpoints: each begins and ends in the one thread call that is the endpoint.

As a dependency with `yield` a session would begin in one thread call, and end in another one after
the answer was serialized in a third. Where as many requests wait for a lock or a connection as
there are threads, none is left for its holders to go on: a deadlock until something times out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar, get_args, get_origin

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from podium.application import Application
from podium.core.database.engine import ReadSession, WriteSession
from podium.http.threads import in_writing_thread

APPLICATION = "application_of_session"
"""The parameter that replaces the session in the signature that the framework sees."""

_Answer = TypeVar("_Answer")
_Given = ParamSpec("_Given")


class _OfEndpoint:
    """Marks the parameter of an endpoint that is its session."""


Reading = Annotated[ReadSession, _OfEndpoint()]
"""A consistent view of the database for the whole endpoint, which has to be `def`."""

Writing = Annotated[WriteSession, _OfEndpoint()]
"""A write transaction around the whole endpoint, which has to be `def`: it commits before the
answer is sent, and rolls back where the endpoint raises.

Only routes of `TransactionRoute` support the two; any other cannot be registered.
"""


def get_application(request: Request) -> Application:
    """Finds the collaborators of this process."""
    application: Application = request.app.state.application
    return application


async def read_with(
    application: Application,
    use_case: Callable[Concatenate[ReadSession, _Given], _Answer],
    *given: _Given.args,
    **named: _Given.kwargs,
) -> _Answer:
    """Calls a use case in a thread, with a session that reads, for code that is `async`."""

    def read() -> _Answer:
        with application.database.read() as session:
            return use_case(session, *given, **named)

    return await run_in_threadpool(read)


async def write_with(
    application: Application,
    use_case: Callable[Concatenate[WriteSession, _Given], _Answer],
    *given: _Given.args,
    **named: _Given.kwargs,
) -> _Answer:
    """Calls a use case in a thread for writers, in a transaction that is committed afterwards."""

    def write() -> _Answer:
        with application.database.write() as session:
            return use_case(session, *given, **named)

    return await in_writing_thread(write)


class TransactionRoute(APIRoute):
    """A route whose endpoint may take a `Reading` or `Writing` session."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, _in_session(endpoint), **options)


def _in_session(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps the endpoint for the framework; returns it unchanged where it takes no session."""
    signature = inspect.signature(endpoint, eval_str=True)
    found = next((p for p in signature.parameters.values() if _is_marked(p)), None)
    if found is None:
        return endpoint
    if inspect.iscoroutinefunction(endpoint):
        raise TypeError(f"{endpoint.__name__} is `async`: its session would block all others.")
    around = _writing if get_args(found.annotation)[0] is WriteSession else _reading
    wrapped = wraps(endpoint)(around(endpoint, found.name))
    seen = [p for p in signature.parameters.values() if p is not found]
    added = inspect.Parameter(
        APPLICATION,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[Application, Depends(get_application)],
    )
    seen = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in seen]
    wrapped.__signature__ = signature.replace(parameters=[*seen, added])  # type: ignore[attr-defined]
    return wrapped


def _is_marked(parameter: inspect.Parameter) -> bool:
    found = parameter.annotation
    return get_origin(found) is Annotated and any(
        isinstance(one, _OfEndpoint) for one in get_args(found)[1:]
    )


def _reading(endpoint: Callable[..., _Answer], name: str) -> Callable[..., _Answer]:
    def in_view(**arguments: Any) -> _Answer:
        application: Application = arguments.pop(APPLICATION)
        with application.database.read() as session:
            return endpoint(**arguments, **{name: session})

    return in_view


def _writing(
    endpoint: Callable[..., _Answer], name: str
) -> Callable[..., Coroutine[Any, Any, _Answer]]:
    def write(application: Application, arguments: dict[str, Any]) -> _Answer:
        with application.database.write() as session:
            return endpoint(**arguments, **{name: session})

    async def in_transaction(**arguments: Any) -> _Answer:
        application: Application = arguments.pop(APPLICATION)
        return await in_writing_thread(partial(write, application, arguments))

    return in_transaction
