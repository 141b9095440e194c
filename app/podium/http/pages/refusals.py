"""Error pages for refusals of the API that the page itself does not handle."""

from __future__ import annotations

import json

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from podium.http.html.error_pages import error_page
from podium.http.pages.api_calls import ApiProblem
from podium.http.pages.layout import visitor_of


class PageElsewhere(Exception):
    """Raised where this visitor is redirected to another page."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


async def lead_elsewhere(request: Request, error: Exception) -> Response:
    """Redirects to the other address."""
    assert isinstance(error, PageElsewhere)
    return RedirectResponse(error.address, status_code=303)


async def greet(request: Request) -> None:
    """Identifies the visitor of a page that will be an error page, without failing."""
    try:
        await visitor_of(request)
    except ApiProblem:
        request.state.visitor = None


async def refused_page(request: Request, error: Exception) -> Response:
    """Renders the error page of the API's problem document, with its `Retry-After`."""
    assert isinstance(error, ApiProblem)
    await greet(request)
    answer = error.answer
    headers = {
        name: answer.headers[name] for name in ("retry-after", "allow") if name in answer.headers
    }
    return error_page(request, json.loads(answer.body), headers)
