"""Write transactions of endpoints: each begins and commits in one call of one thread.

As a dependency with `yield` a transaction would begin in one thread call, and commit in another
one after the answer was serialised in a third. Where as many requests wait for its lock as there
are threads, none is left for it to go on: all stood still until the locks timed out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Annotated, Any, get_args, get_origin

from fastapi import Depends, Request
from fastapi.routing import APIRoute

from app.application import Application
from app.db.engine import WriteSession
from app.web.threads import in_writing_thread

APPLICATION = "application_of_transaction"
"""The parameter that takes the place of the session in what the framework sees."""


class _InTransaction:
    """Marks the parameter of an endpoint that is its write transaction."""


Writing = Annotated[WriteSession, _InTransaction()]
"""A write transaction around the whole endpoint, which has to be `def`: it commits before the
answer is made, and rolls back where the endpoint raises. Only routes of `TransactionRoute` know
what it means; any other refuses to be made."""


def get_application(request: Request) -> Application:
    """The collaborators of this process."""
    application: Application = request.app.state.application
    return application


class TransactionRoute(APIRoute):
    """A route whose endpoint may ask for `Writing`."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, _in_transaction(endpoint), **options)


def _in_transaction(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """The endpoint as the framework may call it; itself where it asks for no transaction."""
    signature = inspect.signature(endpoint, eval_str=True)
    session = next((p.name for p in signature.parameters.values() if _is_marked(p)), None)
    if session is None:
        return endpoint
    if inspect.iscoroutinefunction(endpoint):
        raise TypeError(f"{endpoint.__name__} is `async`: a transaction would block all others.")

    @wraps(endpoint)
    async def in_transaction(**arguments: Any) -> Any:
        application: Application = arguments.pop(APPLICATION)
        return await in_writing_thread(partial(_run, endpoint, application, session, arguments))

    seen = [p for p in signature.parameters.values() if p.name != session]
    added = inspect.Parameter(
        APPLICATION,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[Application, Depends(get_application)],
    )
    seen = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in seen]
    in_transaction.__signature__ = signature.replace(parameters=[*seen, added])  # type: ignore[attr-defined]
    return in_transaction


def _is_marked(parameter: inspect.Parameter) -> bool:
    found = parameter.annotation
    return get_origin(found) is Annotated and any(
        isinstance(one, _InTransaction) for one in get_args(found)[1:]
    )


def _run(
    endpoint: Callable[..., Any],
    application: Application,
    session_name: str,
    arguments: dict[str, Any],
) -> Any:
    with application.database.write() as session:
        return endpoint(**arguments, **{session_name: session})
