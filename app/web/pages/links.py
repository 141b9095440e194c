"""The page of a one-time link: a form that works without JavaScript, and what came of it.

Looking uses nothing up, so programs that preview links do no harm. The code in the address is what
protects the form: whoever can send it holds the link.
"""

from __future__ import annotations

from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.domain.links import LinkKind
from app.errors import BadRequest, PodiumError
from app.services import links
from app.services.links import LinkView
from app.services.links_use import Used
from app.web.credentials import Checks, GivenUse, follow_link
from app.web.deps import Address, App
from app.web.errors import status_of
from app.web.rendering import templates

MOST_FIELDS = 10

GONE = "This link does not work"

router = APIRouter(include_in_schema=False)


@router.get("/links/{code}")
def show_link(request: Request, code: str, app: App) -> Response:
    """What the link is for, and the form to use it."""
    try:
        return _form(request, _look_at(app, code))
    except PodiumError as error:
        return _page(request, GONE, status=status_of(error), wrong=error.detail)


@router.post("/links/{code}")
async def post_link(
    request: Request, code: str, app: App, checks: Checks, address: Address
) -> Response:
    """Uses the link with what the form sends; where that is wrong, the form again."""
    body = await request.body()
    return await run_in_threadpool(_use, request, code, body, app, checks, address)


def _use(
    request: Request, code: str, body: bytes, app: App, checks: Checks, address: Address
) -> Response:
    view, given = None, GivenUse()
    try:
        view = _look_at(app, code)
        given = _given(body)
        used = follow_link(app, checks, code=code, given=given, actor=None, address=address)
    except PodiumError as error:
        status = status_of(error)
        if view is None or error.code == "unknown-link":
            return _page(request, GONE, status=status, wrong=error.detail)
        return _form(request, view, given=given, status=status, wrong=error.detail)
    return _page(request, "Welcome", used=used)


def _look_at(app: App, code: str) -> LinkView:
    with app.database.read() as session:
        return links.look_at(session, code=code)


def _given(body: bytes) -> GivenUse:
    try:
        fields = parse_qs(
            body.decode("utf-8"),
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        raise BadRequest("The form is malformed.", code="bad-form") from None
    texts = {name: values[0] for name, values in fields.items()}
    return GivenUse(
        name=texts.get("name"),
        password=texts.get("password"),
        team_name=texts.get("team"),
        accepts_rules=texts.get("accept_rules") == "yes",
    )


def _form(
    request: Request,
    view: LinkView,
    *,
    given: GivenUse | None = None,
    status: int = 200,
    wrong: str | None = None,
) -> Response:
    heading = "New credentials" if view.kind is LinkKind.RESET else "You are invited"
    return _page(request, heading, status=status, wrong=wrong, link=view, given=given)


def _page(
    request: Request,
    heading: str,
    *,
    status: int = 200,
    wrong: str | None = None,
    link: LinkView | None = None,
    given: GivenUse | None = None,
    used: Used | None = None,
) -> Response:
    context = {
        "heading": heading,
        "wrong": wrong,
        "link": link,
        "given": given or GivenUse(),
        "used": used,
    }
    return templates.TemplateResponse(request, "link.html", context, status_code=status)
