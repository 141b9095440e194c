"""Refusals as pages: which addresses get one, and how it looks. What went wrong is decided in
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
"""Beginnings of addresses that people do not look at."""

NOT_YOURS = "You need organizer rights for this page. Ask the administrator."
"""The refusal of pages for organizers, which says what to do."""

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
"""Headings in the words of people, where those of HTTP are others."""


STILL_WORKING = "Still working"
"""The heading where work goes on that a request has not waited for to its end."""

REFRESH_SECONDS = 2
"""Seconds until such a page asks again: its request waits for the result, too."""

GOES_ON = "This takes longer than usual. The server goes on with it."

LOOKS_AGAIN = "This page looks again by itself until the result is there."

PRESS_AGAIN = "Go back in a moment and press the same button: it shows the result then."

LEAVING = ("team-left", "organizer-removed", "account-changed")
"""Flash messages of acts that may hide the page that follows them from the one who did them, as
from a user who has left a private competition: they are shown where everybody may look."""

WITH_SLASH = re.compile(r"(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+/")
"""An address of this site with a slash at the end, which other sites have taught people to type."""


def is_for_people(request: Request) -> bool:
    """True if this address is a page's: told by the address, never by what a client accepts."""
    return not request.scope["path"].startswith(FOR_PROGRAMS)


def error_page(
    request: Request, document: Mapping[str, object], headers: dict[str, str] | None = None
) -> Response:
    """The page for a problem document. A visitor who has to sign in is led there."""
    status = int(str(document["status"]))
    if status == 404 and request.method == "GET" and WITH_SLASH.fullmatch(request.url.path):
        return RedirectResponse(request.url.path.removesuffix("/"), status_code=308)
    done = request.query_params.get("done")
    if status == 404 and request.method == "GET" and done in LEAVING:
        return RedirectResponse(f"/?{urlencode({'done': done})}", status_code=303)
    if status == 401:
        return RedirectResponse(sign_in_address(request), status_code=303)
    # Asked before by who calls; a refusal never asks the database for it.
    visitor = getattr(request.state, "visitor", None)
    advice: str | None = ADVICE.get(status, "Go back and try again.")
    if status == 404 and (
        document["code"] != ErrorCode.NOT_FOUND or document["detail"] == NOT_YOURS
    ):
        # The address is right: the detail says what is missing.
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
    """The words about work that goes on, in place of those about a failure; a page that was only
    looked at asks again."""
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
    """The address of the sign-in page, which leads back to this page afterwards."""
    address = request.url.path
    if request.url.query:
        address += f"?{request.url.query}"
    return f"/sign-in?{urlencode({'next': address})}"
