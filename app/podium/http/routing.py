"""Combines routes, and finds that of a request by the segments of its path.

The framework tries route after route with a regular expression, and those of included routers once
more for each level: of 300 routes, that costs more than a small answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from types import ModuleType

from fastapi import APIRouter
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts
from starlette.datastructures import URLPath
from starlette.routing import BaseRoute, Match, NoMatchFound, Route
from starlette.types import Receive, Scope, Send

_ANY = "{}"
"""The name of a segment that holds a parameter."""

_FOUND = "podium.found"
"""The key of the scope under which the found route is passed on."""


@dataclass(slots=True)
class _Segment:
    """The end of a beginning of paths: segments that may follow by name, and the routes that end
    here by method, each with its place in the order of declaration."""

    below: dict[str, _Segment] = field(default_factory=dict)
    routes: dict[str, list[tuple[int, RouteContext]]] = field(default_factory=dict)


class RouteFinder(BaseRoute):
    """Stands before the routes of an application, and answers each request that one of them takes
    with the one that the framework would find. All others it leaves to the framework: what no
    route takes, or none with this method, and what a route `handles_itself`."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._root = _Segment()
        for place, route in enumerate(iter_route_contexts(routes)):
            self._add(place, route)

    def _add(self, place: int, route: RouteContext) -> None:
        if route.path is None or route.methods is None or ":" in route.path:
            raise ValueError(f"{route.path} may be longer than its segments.")
        end = self._root
        for segment in route.path.split("/"):
            end = end.below.setdefault(_ANY if "{" in segment else segment, _Segment())
        for method in route.methods:
            end.routes.setdefault(method, []).append((place, route))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Finds the first declared route that takes the request."""
        # Where a path ends in a line feed, a pattern's end is before it, too.
        if scope["type"] != "http" or "\n" in scope["path"]:
            return Match.NONE, {}
        ends = [self._root]
        for segment in scope["path"].split("/"):
            ends = [
                end.below[name] for end in ends for name in (segment, _ANY) if name in end.below
            ]
        found = [each for end in ends for each in end.routes.get(scope["method"], ())]
        for _, route in sorted(found, key=itemgetter(0)):
            match, child_scope = route.matches(scope)
            if match is Match.FULL:
                if handles_itself(route.original_route):
                    break
                return match, {**child_scope, "route": route.original_route, _FOUND: route.app}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request with the route that was found."""
        await scope.pop(_FOUND)(scope, receive, send)

    def url_path_for(self, name: str, /, **path_params: object) -> URLPath:
        """Leaves all names to the routes themselves."""
        raise NoMatchFound(name, path_params)


def handles_itself(route: BaseRoute) -> bool:
    """True for a route of a class that does more than calling its application, which the framework
    has to set up for it."""
    return not isinstance(route, Route) or type(route).handle not in (Route.handle, APIRoute.handle)


def combined(*modules: ModuleType) -> APIRouter:
    """Combines the `router` of each module, in this order."""
    router = APIRouter()
    for module in modules:
        router.include_router(module.router)
    return router
