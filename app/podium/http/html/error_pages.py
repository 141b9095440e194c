"""Error pages: which addresses get one, and its layout. The problem itself is decided in
`errors.py`, once for programs and for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from podium.errors.codes import ErrorCode
from podium.http.html.rendering import templates

FOR_PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics", "/openapi.json")
"""Prefixes of addresses that only programs use."""

NOT_YOURS = "You need organizer rights for this page. Ask the administrator."
"""The refusal of organizers' pages, with what to do."""

ADVICE = {
    400: "Go back and try again.",
    403: "Sign in as somebody who may do this, or ask an organizer.",
    404: "Check the address. What is private or a draft is shown to its members only.",
    405: "Go back and use the page's own buttons.",
    409: "Look at the page again: things may have changed since you opened it.",
    413: "Send less at once.",
    421: "Open the address above instead.",
    429: "Wait for a while, then try again.",
    500: "Try again. If it stays like this, tell the operator the request id below.",
    503: "Try again shortly.",
}
"""Advice to the reader of an error page, by status."""


HEADINGS = {
    403: "Not allowed",
    404: "Not found",
    405: "Not possible like this",
    413: "Too large",
    421: "Wrong address",
    429: "Too many requests",
    500: "Something went wrong",
    503: "Not available at the moment",
}
"""Headings in plain words, where they differ from the phrases of HTTP."""


STILL_WORKING = "Still working"
"""The heading where a request did not wait for the end of its work."""

REFRESH_SECONDS = 2
"""Seconds until such a page reloads: its request waits for the result, too."""

GOES_ON = "This takes longer than usual. The server goes on with it."

LOOKS_AGAIN = "This page looks again by itself until the result is there."

PRESS_AGAIN = "Go back in a moment and press the same button: it shows the result then."

LEAVING = ("team-left", "organizer-removed", "account-changed")
"""Flash messages of actions that may hide the next page from the user who did them, as leaving a
private competition does: they are shown on a page that every visitor may see."""

WITH_SLASH = re.compile(r"(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+/")
"""An address of this site with a trailing slash, which people type from habit."""


def is_for_people(request: Request) -> bool:
    """True if this address is a page's: decided by the address, never by what a client accepts."""
    return not request.scope["path"].startswith(FOR_PROGRAMS)


def error_page(
    request: Request, document: Mapping[str, object], headers: dict[str, str] | None = None
) -> Response:
    """Renders the page for a problem document, or redirects to the sign-in page where that is
    required."""
    status = int(str(document["status"]))
    if status == 404 and request.method == "GET" and WITH_SLASH.fullmatch(request.url.path):
        return RedirectResponse(request.url.path.removesuffix("/"), status_code=308)
    done = request.query_params.get("done")
    if status == 404 and request.method == "GET" and done in LEAVING:
        return RedirectResponse(f"/?{urlencode({'done': done})}", status_code=303)
    if status == 401:
        return RedirectResponse(sign_in_address(request), status_code=303)
    # Identified by earlier code; an error page never reads the database for it.
    visitor = getattr(request.state, "visitor", None)
    advice: str | None = ADVICE.get(status, "Go back and try again.")
    if status == 404 and (
        document["code"] != ErrorCode.NOT_FOUND or document["detail"] == NOT_YOURS
    ):
        # The address is right: the detail names the missing part.
        advice = None
    context = {
        "problem": document,
        "heading": HEADINGS.get(status, document["title"]),
        "advice": advice,
        "visitor": visitor,
        "sign_in": sign_in_address(request) if status == 404 and visitor is None else None,
        **_while_it_runs(request, document),
    }
    page = templates.TemplateResponse(
        request, "error.html", context, status_code=status, headers=headers
    )
    page.headers["Cache-Control"] = "no-store"
    return page


def _while_it_runs(request: Request, document: Mapping[str, object]) -> dict[str, object]:
    """Chooses the texts for work that is still running, in place of those about a failure; a page
    that was read with `GET` reloads itself."""
    if document.get("code") != ErrorCode.STILL_RUNNING:
        return {}
    looks_again = request.method == "GET"
    return {
        "problem": {**document, "detail": GOES_ON},
        "heading": STILL_WORKING,
        "advice": LOOKS_AGAIN if looks_again else PRESS_AGAIN,
        "refresh_seconds": REFRESH_SECONDS if looks_again else None,
        "is_running": True,
    }


def sign_in_address(request: Request) -> str:
    """Builds the address of the sign-in page, which leads back to this page afterwards."""
    address = request.url.path
    if request.url.query:
        address += f"?{request.url.query}"
    return f"/sign-in?{urlencode({'next': address})}"
