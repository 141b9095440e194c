"""Requests reach the routes that the framework itself would find, without its search."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import iter_route_contexts
from starlette.routing import Match

from podium.application import Application
from podium.http.routing import RouteFinder, handles_itself
from podium.main import create_app

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def found(
    routes: list[Any], method: str, path: str, *, left: Callable[[Any], bool] = lambda _: False
) -> tuple[Any, Any] | None:
    """Endpoint and parameters of the first of the routes that takes the request; None where that is
    one that is `left` to the framework."""
    scope = {"type": "http", "method": method, "path": path, "root_path": ""}
    for route in routes:
        match, members = route.matches(scope)
        if match is Match.FULL:
            if left(getattr(route, "original_route", None)):
                return None
            return members["endpoint"], members["path_params"]
    return None


def test_every_request_reaches_the_first_route_that_takes_it(application: Application) -> None:
    finder, *others = create_app(application).routes
    assert isinstance(finder, RouteFinder)
    # The framework's own description and its pages come later.
    routes = list(iter_route_contexts([one for one in others if hasattr(one, "original_router")]))
    patterns = [(route.path_regex, route) for route in routes]
    templates = {str(route.path) for route in routes}
    assert len(templates) > 200
    for template in sorted(templates):
        for value in ("x", "{}"):
            path = re.sub(r"\{\w+\}", value, template)
            for tried in (path, f"{path}/", f"{path}/x", path.removesuffix(f"/{value}")):
                fitting = [route for pattern, route in patterns if pattern.match(tried)]
                for method in METHODS:
                    expected = found(fitting, method, tried, left=handles_itself)
                    assert found([finder], method, tried) == expected, f"{method} {tried}"


def test_a_path_that_ends_in_a_line_feed_is_left_to_the_framework(
    application: Application,
) -> None:
    finder = create_app(application).routes[0]
    assert found([finder], "POST", "/competitions/otto/submissions/finals")
    assert found([finder], "POST", "/competitions/otto/submissions/finals\n") is None


def test_a_parameter_of_several_segments_is_refused() -> None:
    router = APIRouter()
    router.get("/files/{path:path}")(lambda path: path)
    with pytest.raises(ValueError, match="may be longer than its segments"):
        RouteFinder(router.routes)


def test_a_route_that_does_more_than_its_endpoint_is_left_to_the_framework(
    application: Application,
) -> None:
    finder, *others = create_app(application).routes
    left = [route for route in iter_route_contexts(others) if handles_itself(route.original_route)]
    assert {route.path for route in left} > {"/api/v1/uploads", "/api/v1/uploads/{upload_id}"}
    assert found([finder], "POST", "/api/v1/uploads") is None
